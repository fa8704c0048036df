// task_group. See README.md beside this file.
#include <takt/task_group.hpp>

#include "worker/runtime.hpp"

#include <mutex>

namespace takt::core {

using abi::group_child;

struct group_state {
  join_word join;
  // The fiber whose children stay latent until wait(); null: outside any parallel call. A hint for others: it may
  // change while they look, and its fiber may have gone on to other work.
  sync::atomic<fiber*> home{nullptr};
  // The scope of its call, or 0.
  sync::atomic<std::uint32_t> scope{0};

  // The worker that waits in place for the children, if its code must stay on its thread.
  sync::atomic<worker*> held{nullptr};

  sync::atomic<std::uint64_t> sequence{0};
  // The rest. Never held while user code runs, and on a fiber only in a runtime scope: the handler may ask for it.
  sync::mutex mutex;
  // Latent children, oldest first.
  group_child* oldest = nullptr;
  group_child* newest = nullptr;
  std::size_t latent = 0;
  std::uint64_t error_sequence = ~0ull;
  std::exception_ptr error;
};

namespace {

// Enough to keep many workers busy, few enough that a run() loop over a million items needs no memory for them.
constexpr std::size_t k_most_latent = 1024;

fiber* this_fiber() noexcept {
  worker* w = this_worker();
  return w != nullptr ? w->current : nullptr;
}

// With the mutex held.
void append_latent(group_state& g, group_child* child) noexcept {
  child->next = nullptr;
  (g.newest != nullptr ? g.newest->next : g.oldest) = child;
  g.newest = child;
  ++g.latent;
}

group_child* pop_latent(group_state& g) noexcept {
  group_child* c = g.oldest;
  if (c == nullptr) return nullptr;
  g.oldest = c->next;
  if (g.oldest == nullptr) g.newest = nullptr;
  --g.latent;
  return c;
}

group_child* take_latent(group_state& g) noexcept {
  const std::lock_guard guard(g.mutex);
  return pop_latent(g);
}

bool has_latent(group_state& g) noexcept {
  const std::lock_guard guard(g.mutex);
  return g.oldest != nullptr;
}

// Before anybody else sees the child.
void set_up_task(group_state& g, group_child& c, std::uint32_t depth) noexcept {
  ::new (static_cast<void*>(c.task.join)) join_word;
  const std::uint32_t environment = floating_point_environment();
  own_join(&c.task)->delegate(join_word::kind::child, &g.join, task_start(environment, depth));
}

[[gnu::noinline]] abi::slot* hot_head() noexcept {
  __asm__ volatile("" ::: "memory");
  return takt_hot.head;
}
[[gnu::noinline]] void set_hot(abi::slot* head, bool lower_split) noexcept {
  __asm__ volatile("" ::: "memory");
  takt_hot.head = head;
  if (lower_split && takt_hot.split > head) takt_hot.split = head;
}

// Runs the latent children, with a slot on the latent stack so that promotion finds the others meanwhile.
void run_latent_children(group_state& g) {
  abi::slot* const s = hot_head();
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) group_state*(&g);
  set_hot(s + 1, false);
  for (;;) {
    poll(*this_worker(), 0);
    group_child* c = take_latent(g);
    if (c == nullptr) break;
    const user_scope user;
    run_child(&c->task);
  }
  set_hot(s, true);
}

// Runs the children that nobody took. They are on top of the deque; below them are tasks of frames around this call.
void run_own_children() {
  for (;;) {
    worker* w = this_worker();
    const std::uint64_t e = w->deque.pop();
    if (e == task_deque::k_none) return;
    abi::slot* task = entry::task(e);
    if (!is_child_of_this_fiber(task)) {
      w->deque.push(e);
      return;
    }
    run_in_place(task, entry::scope(e));
  }
}

// On a thread that is not a worker.
bool run_injected_child(group_state& g) {
  runtime* r = runtime::enter_root();
  if (r == nullptr) return false;
  const bool ran = r->run_injected(g.join);
  runtime::leave_root();
  return ran;
}

// On a fiber: runs and joins everything.
void wait_inside(group_state& g) {
  const runtime_scope scope;
  fiber* const here = this_fiber();
  g.home.store(here, sync::relaxed);
  g.scope.store(here->scope, sync::relaxed);
  // Children may add children, here and elsewhere, until the last one is done.
  do {
    run_latent_children(g);
    run_own_children();
    if (!g.join.children_done()) {
      wait_for(g.join, &g.held);
      g.join.reopen();
    }
  } while (has_latent(g));
}

}  // namespace

void run_child(abi::slot* task) noexcept {
  const std::uint32_t mine = floating_point_environment();
  const std::uint32_t its = own_join(task)->start().environment();
  if (its != mine) set_floating_point_environment(its);
  task->run(task);
  if (floating_point_environment() != mine) set_floating_point_environment(mine);
}

void promote_child(worker& w, group_state& g) noexcept {
  // The group has no slot before wait(): lend it one, so that promotion finds it as the oldest frame there is.
  abi::slot* const s = hot_head();
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) group_state*(&g);
  set_hot(s + 1, false);
  spend_beat(w);
  set_hot(s, true);
}

bool take_latent_child(group_state& g, bool in_signal_handler, abi::slot*& task) noexcept {
  std::unique_lock lock(g.mutex, std::defer_lock);
  if (!in_signal_handler) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return false;
  }
  task = nullptr;
  // Another thread may be in wait(), and its wait over: then the child stays where it is.
  if (g.oldest != nullptr && entry::can_name(&g.oldest->task) && g.join.add()) task = &pop_latent(g)->task;
  return true;
}

bool is_child_of_this_fiber(abi::slot* task) noexcept {
  if (!own_join(task)->is_child()) return false;
  const auto* child = reinterpret_cast<const group_child*>(task);
  return static_cast<group_state*>(child->group)->home.load(sync::relaxed) == this_fiber();
}

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_group_mark(takt::abi::slot*) {}

void* takt_group_new() noexcept {
  auto* g = new (std::nothrow) group_state;
  if (g == nullptr) return nullptr;
  g->join.begin(0, {});
  fiber* const here = this_fiber();
  g->home.store(here, takt::sync::relaxed);
  g->scope.store(here != nullptr ? here->scope : 0, takt::sync::relaxed);
  return g;
}

void takt_group_delete(void* group) noexcept {
  takt_group_wait(group, false);
  delete static_cast<group_state*>(group);
}

bool takt_group_add(void* group, group_child* child) {
  auto& g = *static_cast<group_state*>(group);
  child->group = group;
  child->sequence = g.sequence.fetch_add(1, takt::sync::relaxed);
  fiber* const here = this_fiber();
  set_up_task(g, *child, here != nullptr ? here->depth + 1 : 1);
  if (here == nullptr) {
    // Outside any parallel call nothing can be promoted: the child waits for wait().
    const std::lock_guard guard(g.mutex);
    append_latent(g, child);
    return true;
  }
  const runtime_scope scope;
  worker& w = *this_worker();
  const bool at_home = here == g.home.load(takt::sync::relaxed);
  // Another fiber waits, so whoever is free may begin with the child at once. Not if that wait is just over.
  if (!at_home) {
    const std::uint32_t waiting = g.scope.load(takt::sync::relaxed);
    const std::uint32_t of = waiting != 0 ? waiting : here->scope;
    if (w.owner.inject(&child->task, &g.join, of)) {
      // It may be all by itself.
      if (worker* const holder = g.held.load(takt::sync::seq_cst); holder != nullptr) w.owner.os.unpark(holder->held);
      return true;
    }
  }
  {
    const std::lock_guard guard(g.mutex);
    if (at_home && g.latent >= k_most_latent) return false;
    append_latent(g, child);
  }
  // A beat that is due goes to the oldest frame around this call, or else to the oldest child.
  poll(w, 0);
  if (at_home && may_promote(w)) promote_child(w, g);
  return true;
}

void takt_group_failed(void* group, std::uint64_t sequence, void* exception_pointer) noexcept {
  const runtime_scope scope;
  auto& g = *static_cast<group_state*>(group);
  const std::lock_guard guard(g.mutex);
  if (g.error != nullptr && g.error_sequence <= sequence) return;
  g.error_sequence = sequence;
  g.error = *static_cast<std::exception_ptr*>(exception_pointer);
}

void takt_group_wait(void* group, bool rethrow) {
  auto& g = *static_cast<group_state*>(group);
  if (this_fiber() != nullptr) {
    wait_inside(g);
  } else {
    auto body = [&g] { wait_inside(g); };
    if ((has_latent(g) || !g.join.children_done()) && !takt::detail::run_outside(body)) {
      // No stack: the children run here, and may add more. Others may have handed theirs to everybody; if there is no
      // thread either, nobody else takes them.
      for (unsigned round = 0;; ++round) {
        if (group_child* c = take_latent(g); c != nullptr) {
          run_child(&c->task);
        } else if (g.join.children_done()) {
          break;
        } else if (!run_injected_child(g)) {
          takt::platform::current().relax(round);
        }
      }
    }
    g.home.store(nullptr, takt::sync::relaxed);
    g.scope.store(0, takt::sync::relaxed);
  }
  std::exception_ptr error;
  {
    const runtime_scope scope;
    const std::lock_guard guard(g.mutex);
    error = std::move(g.error);
    g.error = nullptr;
    g.error_sequence = ~0ull;
  }
  if (rethrow && error != nullptr) std::rethrow_exception(std::move(error));
}
}
