// task_group. See README.md beside this file.
#include <takt/detail/fork.hpp>
#include <takt/hinted.hpp>
#include <takt/task_group.hpp>

#include "beat/beat.hpp"
#include "join/join.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"
#include "scheduler/scheduler.hpp"

#include <mutex>
#include <utility>

namespace takt::core {

using abi::group_child;

/// A group; or a part of one, which stands on the stack of who runs it: a batch, or a helper's (README.md).
struct group_state final : open_join, latent_children, helper {
  group_state() noexcept { whole = this; }
  bool take(bool in_signal_handler, abi::slot*& task, abi::hints& said) noexcept override;
  // The group that its children add to.
  group_state& all() noexcept { return static_cast<group_state&>(*whole); }

  // Where its children count: in `word`, but for a helper's.
  join_word* counts = &word;
  group_order order = group_order::newest_first;
  // What is said of it, if it is no part: work, negative: nothing, and bytes, 0: nothing.
  double work = -1;
  std::uint64_t bytes = 0;
  // The scope of its call, or 0.
  sync::atomic<std::uint32_t> scope{0};

  // The worker that waits in place for the children, if its code must stay on its thread.
  sync::atomic<worker*> held{nullptr};

  // Home and helpers change each on its own what is above or below, and all of them this: none is to wait for the
  // others' cache lines. Padding, as what is aligned takes longer to allocate.
  std::byte padding_above[abi::k_cache_line];
  sync::atomic<std::uint64_t> sequence{0};
  std::byte padding_below[abi::k_cache_line];

  // The rest. Never held while user code runs, and on a fiber only in a runtime scope: the handler may ask for it.
  sync::mutex mutex;
  // Latent children.
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

// What is said of a child, negative: nothing. A child's captures are elsewhere, and its slot has room.
double& work_of(group_child& c) noexcept { return *reinterpret_cast<double*>(c.task.payload); }

fiber* this_fiber() noexcept {
  worker* w = this_worker();
  return w != nullptr ? w->current : nullptr;
}

// With the mutex held.
void append_latent(group_state& g, group_child* child) noexcept {
  child->newer = nullptr;
  child->older = g.newest;
  (g.newest != nullptr ? g.newest->newer : g.oldest) = child;
  g.newest = child;
  ++g.latent;
}

// @returns false, and the child is not there, if so many are already.
bool append_if_few(group_state& g, group_child* child, std::size_t most) noexcept {
  const std::lock_guard guard(g.mutex);
  if (g.latent >= most) return false;
  append_latent(g, child);
  return true;
}

group_child* pop_oldest(group_state& g) noexcept {
  group_child* const c = g.oldest;
  if (c == nullptr) return nullptr;
  g.oldest = c->newer;
  (g.oldest != nullptr ? g.oldest->older : g.newest) = nullptr;
  --g.latent;
  return c;
}

group_child* pop_newest(group_state& g) noexcept {
  group_child* const c = g.newest;
  if (c == nullptr) return nullptr;
  g.newest = c->older;
  (g.newest != nullptr ? g.newest->newer : g.oldest) = nullptr;
  --g.latent;
  return c;
}

// For who runs the group's children.
group_child* take_latent(group_state& g) noexcept {
  const std::lock_guard guard(g.mutex);
  return g.order == group_order::oldest_first ? pop_oldest(g) : pop_newest(g);
}

bool has_latent(group_state& g) noexcept {
  const std::lock_guard guard(g.mutex);
  return g.oldest != nullptr;
}

// Where `f` keeps children that it adds to `g`: it is the group's home, or helps. Else null.
group_state* kept_by(group_state& g, const fiber& f) noexcept {
  if (g.home.load(sync::relaxed) == &f) return &g;
  helper* h = f.helps;
  while (h != nullptr && h->whole != &g) h = h->outer;
  return static_cast<group_state*>(h);
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

[[gnu::always_inline]] inline std::uintptr_t stack_here() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// What adding a child costs: as a fork does, it looks at the clock when the credit is used up.
void charge(worker& w) noexcept {
  show_credit(shown_credit() - abi::k_fork_units);
  if (shown_credit() < 0) poll_between(w, 0, stack_here());
}

void run_child_here(open_join& join, abi::slot* task);

// In code of the environment `mine`, which it leaves as it is.
void run_child_in(std::uint32_t mine, abi::slot* task) {
  const std::uint32_t its = own_join(task)->start().environment();
  if (its != mine) set_floating_point_environment(its);
  run_child_here(open_join::of(*own_join(task)->target()), task);
  set_environment_if_different(mine);
}

// A list has a slot on the latent stack, so that promotion finds its children.
void set_slot(abi::slot* s, group_state& g) noexcept {
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) latent_children*(&g);
  set_hot(s + 1, false);
}

// Runs code of the list while it has a slot; without one if the latent stack is full.
template <class F>
void with_slot(group_state& g, F&& code) {
  abi::slot* const s = hot_head();
  const bool pushed = s < this_fiber()->latent_limit;
  if (pushed) set_slot(s, g);
  code();
  if (pushed) set_hot(s, true);
}

void run_latent_child(std::uint32_t mine, group_child& c) {
  const user_scope user;
  run_child_in(mine, &c.task);
}

// Runs the latent children.
void run_latent_children(group_state& g) {
  const std::uint32_t mine = floating_point_environment();
  with_slot(g, [&] {
    for (;;) {
      show_credit(shown_credit() - abi::k_fork_units);
      // Behind the last one a poll would promote what is around, only for it to be taken back at once.
      if (shown_credit() < 0 && has_latent(g)) poll_between(*this_worker(), 0, stack_here());
      group_child* c = take_latent(g);
      if (c == nullptr) break;
      run_latent_child(mine, *c);
    }
  });
}

// What nobody else has. While none of the list's children are with others this code is about to go on: what has been
// promoted of groups around it stays, as others may be on the way to it, and each would run on top of the one before.
void run_all_here(group_state& list) {
  do {
    run_latent_children(list);
    if (!list.counts->children_done()) run_own_children();
  } while (has_latent(list));
}

// Whether `here`, where a child of `g` is about to run, is to keep what the child adds. Not if it has a place for that
// already. And a thread that waits for a call is not to be held up by all that comes of another call's child.
bool is_to_help(group_state& g, const fiber& here) noexcept {
  if (g.order == group_order::oldest_first || kept_by(g, here) != nullptr) return false;
  const worker& w = *this_worker();
  return w.eligible(here.scope) || w.eligible(g.scope.load(sync::relaxed));
}

// Away from its group's home: what the child adds is kept, and run here before the child is done.
void help(group_state& g, fiber& here, abi::slot* task) {
  group_state kept;
  kept.whole = &g;
  kept.counts = &g.word;
  kept.order = g.order;
  kept.outer = std::exchange(here.helps, &kept);
  task->run(task);
  if (kept.newest != nullptr) {
    const runtime_scope scope;
    run_all_here(kept);
  }
  here.helps = kept.outer;
}

// A child that counts in `join`: of a group, or of a batch.
void run_child_here(open_join& join, abi::slot* task) {
  group_state& g = static_cast<group_state&>(join).all();
  fiber* const here = this_fiber();
  if (here != nullptr && is_to_help(g, *here)) {
    help(g, *here, task);
  } else {
    task->run(task);
  }
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
  for (;;) {
    run_all_here(g);
    if (!is_over_soon(g.word)) {
      wait_for(g.word, &g.held);
      g.word.reopen();
    }
    if (!has_latent(g)) break;
  }
  worker* const w = this_worker();
  w->owner.policy->joined(*w, static_cast<latent_children*>(&g));
  look_at_next(*w);
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
  batch.whole = &g;
  batch.order = g.order;
  batch.run = &run_child_here;
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
    for (group_child* c = batch.oldest; c != nullptr; c = c->newer) {
      c->group = &batch;
      own_join(&c->task)->count_in(&batch.word);
    }
    run_and_join(batch);
    if (batch.error.object != nullptr) keep_error(g, batch.error_sequence, std::exchange(batch.error, {}));
    finish_for_another(g.word);
  };
  return enter_with(body);
}

}  // namespace

void promote_child(worker& w, group_state& g) noexcept {
  // The group has no slot before wait(): lend it one, so that promotion finds it as the oldest frame there is.
  abi::slot* const s = hot_head();
  set_slot(s, g);
  spend_beat(w);
  set_hot(s, true);
}

bool group_state::take(bool in_signal_handler, abi::slot*& task, abi::hints& said) noexcept {
  group_state& g = *this;
  std::unique_lock lock(g.mutex, std::defer_lock);
  if (!in_signal_handler) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return false;
  }
  task = nullptr;
  // Another thread may be in wait(), and its wait over: then the child stays where it is.
  if (g.oldest == nullptr || !entry::can_name(&g.oldest->task) || !g.counts->add()) return true;
  group_child* const child = pop_oldest(g);
  said.work = work_of(*child);
  said.group_work = all().work;
  said.bytes = all().bytes;
  task = &child->task;
  return true;
}

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_group_mark(takt::abi::slot*) {}

void* takt_group_new(std::uint32_t order) noexcept {
  auto* g = new (std::nothrow) group_state;
  if (g == nullptr) return nullptr;
  g->run = &run_child_here;
  g->order = static_cast<takt::group_order>(order);
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

void takt_group_hints(void* group, double work, std::uint64_t bytes) noexcept {
  auto& g = *static_cast<group_state*>(group);
  g.work = sound_work(work);
  g.bytes = bytes;
}

bool takt_group_add(void* group, group_child* child) { return takt_group_add_hinted(group, child, -1); }

bool takt_group_add_hinted(void* group, group_child* child, double work) {
  auto& g = *static_cast<group_state*>(group);
  child->group = group;
  work_of(*child) = sound_work(work);
  child->sequence = g.sequence.fetch_add(1, takt::sync::relaxed);
  fiber* const here = this_fiber();
  set_up_task(g, *child, here != nullptr ? here->depth + 1 : 1);
  if (here == nullptr) {
    // Outside any parallel call nothing can be promoted: the child waits for wait(), or until there are many.
    return append_if_few(g, child, k_most_latent) || (run_batch(g) && append_if_few(g, child, k_most_latent));
  }
  const runtime_scope scope;
  worker& w = *this_worker();
  group_state* const kept = kept_by(g, *here);
  // Another fiber waits, so whoever is free may begin with the child at once. Not if that wait is just over.
  if (kept == nullptr) {
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
  bool added = kept != nullptr ? append_if_few(*kept, child, k_most_latent) : append_if_few(g, child, ~std::size_t{0});
  // A beat that is due goes to the oldest frame around this call, or else to the oldest child.
  charge(w);
  if (kept != nullptr && may_promote(w)) {
    promote_child(w, *kept);
    added = added || append_if_few(*kept, child, k_most_latent);
  }
  // It may be long, and make children of its own: the older ones are to be found meanwhile.
  if (!added) with_slot(*kept, [&] { run_latent_child(floating_point_environment(), *child); });
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
    if ((has_latent(g) || !g.word.children_done()) && !enter_with(body)) {
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
