// task_group. See README.md beside this file.
#include <takt/detail/fork.hpp>
#include <takt/group.hpp>

#include "beat/beat.hpp"
#include "join/join.hpp"
#include "promotion/promote.hpp"

#include <mutex>
#include <utility>

namespace takt::core {

using abi::group_child;

struct group_state final : open_join, latent_children {
  bool take(bool in_signal_handler, abi::slot*& task) noexcept override;

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
  abi::group_error error{};
};

namespace {

// Enough to keep many workers busy, few enough that a run() loop over a million items needs no memory for them.
#if defined(TAKT_EXPLORE)
constexpr std::size_t k_most_latent = 3;  // small programs have batches, too
#else
constexpr std::size_t k_most_latent = 1024;
#endif

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
  own_join(&c.task)->delegate(join_word::kind::child, &g.word, task_start(environment, depth));
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

// Runs the latent children, with a slot on the latent stack so that promotion finds the others meanwhile. Without one
// if that is full: they are run all the same.
void run_latent_children(group_state& g) {
  abi::slot* const s = hot_head();
  const bool pushed = s < this_fiber()->latent_limit;
  if (pushed) {
    s->run = &takt_group_mark;
    ::new (static_cast<void*>(s->payload)) latent_children*(&g);
    set_hot(s + 1, false);
  }
  for (;;) {
    poll(*this_worker(), 0);
    group_child* c = take_latent(g);
    if (c == nullptr) break;
    const user_scope user;
    run_child(&c->task);
  }
  if (pushed) set_hot(s, true);
}

// On a thread that is not a worker.
bool run_injected_child(group_state& g) {
  process::begin_call();
  runtime* r = process::current();
  const bool ran = r != nullptr && run_injected(*r, g.word);
  process::end_call();
  return ran;
}

// On a fiber, inside the runtime: runs and joins everything.
void run_and_join(group_state& g) {
  fiber* const here = this_fiber();
  g.home.store(here, sync::relaxed);
  g.scope.store(here->scope, sync::relaxed);
  // Children may add children, here and elsewhere, until the last one is done.
  do {
    run_latent_children(g);
    run_own_children();
    if (!g.word.children_done()) {
      wait_for(g.word, &g.held);
      g.word.reopen();
    }
  } while (has_latent(g));
}

void wait_inside(group_state& g) {
  const runtime_scope scope;
  run_and_join(g);
}

// Of two the one with the lower number stays; the other one nobody will see.
void keep_error(group_state& g, std::uint64_t sequence, abi::group_error error) noexcept {
  {
    const runtime_scope scope;
    const std::lock_guard guard(g.mutex);
    if (g.error.object == nullptr || g.error_sequence > sequence) {
      g.error_sequence = sequence;
      std::swap(g.error, error);
    }
  }
  // Its destructor is the user's code.
  if (error.object != nullptr) error.end(error.object, false);
}

// Outside any parallel call, with too many latent children: runs those there are in a call of their own, as a group of
// their own, whose home is the fiber that runs here. Another thread may be in wait() meanwhile: to it they are one
// child. @returns false, and nothing has happened, when that cannot be had.
bool run_batch(group_state& g) {
  group_state batch;
  batch.word.begin(0, {});
  auto body = [&] {
    const runtime_scope scope;
    {
      const std::lock_guard guard(g.mutex);
      // A wait() that is just over runs what is on the list itself.
      if (g.oldest == nullptr || !g.word.add()) return;
      batch.oldest = std::exchange(g.oldest, nullptr);
      batch.newest = std::exchange(g.newest, nullptr);
      batch.latent = std::exchange(g.latent, 0);
    }
    for (group_child* c = batch.oldest; c != nullptr; c = c->next) {
      c->group = &batch;
      own_join(&c->task)->count_in(&batch.word);
    }
    run_and_join(batch);
    if (batch.error.object != nullptr) keep_error(g, batch.error_sequence, std::exchange(batch.error, {}));
    finish_for_another(g.word);
  };
  return takt::detail::run_outside(body);
}

}  // namespace

void promote_child(worker& w, group_state& g) noexcept {
  // The group has no slot before wait(): lend it one, so that promotion finds it as the oldest frame there is.
  abi::slot* const s = hot_head();
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) latent_children*(&g);
  set_hot(s + 1, false);
  spend_beat(w);
  set_hot(s, true);
}

bool group_state::take(bool in_signal_handler, abi::slot*& task) noexcept {
  group_state& g = *this;
  std::unique_lock lock(g.mutex, std::defer_lock);
  if (!in_signal_handler) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return false;
  }
  task = nullptr;
  // Another thread may be in wait(), and its wait over: then the child stays where it is.
  if (g.oldest != nullptr && entry::can_name(&g.oldest->task) && g.word.add()) task = &pop_latent(g)->task;
  return true;
}

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_group_mark(takt::abi::slot*) {}

void* takt_group_new() noexcept {
  auto* g = new (std::nothrow) group_state;
  if (g == nullptr) return nullptr;
  g->word.begin(0, {});
  fiber* const here = this_fiber();
  g->home.store(here, takt::sync::relaxed);
  g->scope.store(here != nullptr ? here->scope : 0, takt::sync::relaxed);
  return g;
}

void takt_group_delete(void* group) noexcept {
  if (const takt::abi::group_error error = takt_group_wait(group); error.object != nullptr) {
    error.end(error.object, false);
  }
  delete static_cast<group_state*>(group);
}

bool takt_group_add(void* group, group_child* child) {
  auto& g = *static_cast<group_state*>(group);
  child->group = group;
  child->sequence = g.sequence.fetch_add(1, takt::sync::relaxed);
  fiber* const here = this_fiber();
  set_up_task(g, *child, here != nullptr ? here->depth + 1 : 1);
  if (here == nullptr) {
    // Outside any parallel call nothing can be promoted: the child waits for wait(), or until there are many.
    const auto add_if_few = [&] {
      const std::lock_guard guard(g.mutex);
      if (g.latent >= k_most_latent) return false;
      append_latent(g, child);
      return true;
    };
    return add_if_few() || (run_batch(g) && add_if_few());
  }
  const runtime_scope scope;
  worker& w = *this_worker();
  const bool at_home = here == g.home.load(takt::sync::relaxed);
  // Another fiber waits, so whoever is free may begin with the child at once. Not if that wait is just over.
  if (!at_home) {
    // They come faster than the others take them.
    if (w.owner.injected() >= k_most_latent) return false;
    const std::uint32_t waiting = g.scope.load(takt::sync::relaxed);
    const std::uint32_t of = waiting != 0 ? waiting : here->scope;
    if (w.owner.inject(&child->task, &g.word, of)) {
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

void takt_group_failed(void* group, std::uint64_t sequence, takt::abi::group_error error) noexcept {
  keep_error(*static_cast<group_state*>(group), sequence, error);
}

takt::abi::group_error takt_group_wait(void* group) {
  auto& g = *static_cast<group_state*>(group);
  if (this_fiber() != nullptr) {
    wait_inside(g);
  } else {
    auto body = [&g] { wait_inside(g); };
    if ((has_latent(g) || !g.word.children_done()) && !takt::detail::run_outside(body)) {
      // No stack: the children run here, and may add more. Others may have handed theirs to everybody; if there is no
      // thread either, nobody else takes them.
      for (unsigned round = 0;; ++round) {
        if (group_child* c = take_latent(g); c != nullptr) {
          run_child(&c->task);
        } else if (g.word.children_done()) {
          break;
        } else if (!run_injected_child(g)) {
          takt::platform::current().relax(round);
        }
      }
    }
    g.home.store(nullptr, takt::sync::relaxed);
    g.scope.store(0, takt::sync::relaxed);
  }
  const runtime_scope scope;
  const std::lock_guard guard(g.mutex);
  g.error_sequence = ~0ull;
  return std::exchange(g.error, takt::abi::group_error{});
}
}
