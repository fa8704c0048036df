// task_group. See README.md beside this file.
#include <takt/task_group.hpp>

#include "worker/runtime.hpp"

#include <mutex>

namespace takt::core {

using abi::group_child;

struct group_state {
  join_word join;
  // The fiber that may keep latent children and wait without being counted; null: outside any parallel call.
  sync::atomic<fiber*> home{nullptr};
  sync::atomic<std::uint32_t> root{0};  // read by whoever adds a child from elsewhere

  // Latent children, oldest first. Only the home fiber touches them (at run() and wait()), and promotion on its
  // thread while it waits.
  group_child* oldest = nullptr;
  group_child* newest = nullptr;
  std::size_t latent = 0;

  sync::atomic<std::uint64_t> sequence{0};
  std::mutex mutex;  // the rest
  // Children of threads that are outside any parallel call; wait() moves them to the latent ones.
  group_child* outside_oldest = nullptr;
  group_child* outside_newest = nullptr;
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

group_child* pop_latent(group_state& g) noexcept {
  group_child* c = g.oldest;
  if (c == nullptr) return nullptr;
  g.oldest = c->next;
  if (g.oldest == nullptr) g.newest = nullptr;
  --g.latent;
  return c;
}

// From here on the child counts in the group's join word.
abi::slot* make_task(group_state& g, group_child& c) noexcept {
  g.join.add();
  ::new (static_cast<void*>(c.task.join)) join_word;
  own_join(&c.task)->delegate(join_word::kind::child, &g.join, this_fiber()->environment);
  return &c.task;
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

void append(group_child*& oldest, group_child*& newest, group_child* child) noexcept {
  child->next = nullptr;
  (newest != nullptr ? newest->next : oldest) = child;
  newest = child;
}

void take_outside_children(group_state& g) noexcept {
  const std::lock_guard guard(g.mutex);
  if (g.outside_oldest == nullptr) return;
  for (group_child* c = g.outside_oldest; c != nullptr; c = c->next) ++g.latent;
  (g.newest != nullptr ? g.newest->next : g.oldest) = g.outside_oldest;
  g.newest = g.outside_newest;
  g.outside_oldest = nullptr;
  g.outside_newest = nullptr;
}

// Runs the latent children, with a slot on the latent stack so that promotion finds the others meanwhile.
void run_latent_children(group_state& g) {
  abi::slot* const s = hot_head();
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) group_state*(&g);
  set_hot(s + 1, false);
  for (;;) {
    poll(*this_worker(), 0);
    group_child* c = pop_latent(g);
    if (c == nullptr) break;
    const user_scope user;
    c->task.run(&c->task);
  }
  set_hot(s, true);
}

// Runs the children that nobody took. They are on top of the deque; below them are tasks of frames around this call.
void run_own_children() {
  for (;;) {
    worker* w = this_worker();
    const std::uint64_t e = w->deque.pop();
    if (e == chase_lev::k_none) return;
    abi::slot* task = entry::task(e);
    if (!is_child_of_this_fiber(task)) {
      w->deque.push(e);
      return;
    }
    run_in_place(task, *own_join(task)->target());
  }
}

// On a fiber: runs and joins everything.
void wait_inside(group_state& g) {
  const runtime_scope scope;
  fiber* const here = this_fiber();
  g.home.store(here, sync::relaxed);
  g.root.store(here->root, sync::relaxed);
  // Children may add children, here and elsewhere, until the last one is done.
  for (;;) {
    take_outside_children(g);
    if (g.oldest != nullptr) run_latent_children(g);
    run_own_children();
    if (g.oldest != nullptr) continue;
    const bool done = g.join.children_done();
    if (!done) {
      wait_for(g.join);
      g.join.reopen();
    }
    take_outside_children(g);
    if (g.oldest == nullptr) return;
  }
}

}  // namespace

void promote_child(worker& w, group_state& g) noexcept {
  // The group has no slot before wait(): lend it one, so that promotion finds it as the oldest frame there is.
  abi::slot* const s = hot_head();
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) group_state*(&g);
  set_hot(s + 1, false);
  spend_beat(w, w.last_poll);
  set_hot(s, true);
}

abi::slot* take_latent_child(group_state& g) noexcept {
  group_child* c = pop_latent(g);
  return c != nullptr ? make_task(g, *c) : nullptr;
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
  g->join.begin(0, floating_point_environment());
  fiber* const here = this_fiber();
  g->home.store(here, takt::sync::relaxed);
  g->root.store(here != nullptr ? here->root : 0, takt::sync::relaxed);
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
  if (here == nullptr) {
    // Outside any parallel call nothing can be promoted: the child waits for wait().
    const std::lock_guard guard(g.mutex);
    append(g.outside_oldest, g.outside_newest, child);
    return true;
  }
  const runtime_scope scope;
  worker& w = *this_worker();
  if (here != g.home.load(takt::sync::relaxed)) {
    // Another fiber's group: its latent list is not ours to touch, so the child is handed to everybody.
    return w.owner.inject(make_task(g, *child), g.root.load(takt::sync::relaxed), here->depth + 1) || (g.join.finish(), false);
  }
  if (g.latent >= k_most_latent) return false;
  append(g.oldest, g.newest, child);
  ++g.latent;
  // A beat that is due goes to the oldest frame around this call, or else to the oldest child.
  poll(w, 0);
  if (may_promote(w)) promote_child(w, g);
  return true;
}

void takt_group_failed(void* group, std::uint64_t sequence, void* exception_pointer) noexcept {
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
    take_outside_children(g);
    auto body = [&g] { wait_inside(g); };
    if ((g.oldest != nullptr || !g.join.children_done()) && !takt::detail::run_outside(body)) {
      // No stack: the children run here, and may add more.
      for (unsigned round = 0;; ++round) {
        take_outside_children(g);
        if (group_child* c = pop_latent(g); c != nullptr) {
          c->task.run(&c->task);
        } else if (g.join.children_done()) {
          break;
        } else {
          takt::platform::current().relax(round);
        }
      }
    }
    g.home.store(nullptr, takt::sync::relaxed);
  }
  std::exception_ptr error;
  {
    const std::lock_guard guard(g.mutex);
    error = std::move(g.error);
    g.error = nullptr;
    g.error_sequence = ~0ull;
  }
  if (rethrow && error != nullptr) std::rethrow_exception(std::move(error));
}
}
