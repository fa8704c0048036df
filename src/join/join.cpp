// Joins: take the task back, or leave the stack until it is done.
#include "join/join.hpp"

#include "beat/beat.hpp"
#include "memory/memory_keeper.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"

#include <algorithm>

namespace takt::core {

namespace {

[[gnu::noinline]] void set_latent_stack(abi::slot* head, abi::slot* split) noexcept {
  __asm__ volatile("" ::: "memory");
  takt_hot.head = head;
  takt_hot.split = split;
}

// It starts with the environment of the code that forked it, and what it changes stays in it.
template <class F>
void with_own_environment(abi::slot* task, F&& run) noexcept {
  const std::uint32_t mine = floating_point_environment();
  set_environment_if_different(own_join(task)->start().environment());
  run();
  set_environment_if_different(mine);
}

// A branch on top of the code that waits for it. Its record is the slot that this code has just popped: it must not
// push over it.
void run_branch(abi::slot* task) noexcept {
  const bool is_slot = !own_join(task)->is_half();
  if (is_slot) set_latent_stack(task + 1, task + 1);
  with_own_environment(task, [task] { task->run(task); });
  if (is_slot) set_latent_stack(task, task);
}

// As long as nothing else can be run on this thread, a join's tasks that lie with everybody are run here: there may
// be nobody else. @returns whether this was the last one.
enum class injected { none, one, last };
injected run_an_injected_task(worker& w, join_word& join) noexcept {
  abi::slot* task = nullptr;
  std::uint32_t scope = 0;
  if (!w.owner.take_injected_of(join, task, scope)) return injected::none;
  const bool is_child = own_join(task)->is_child();
  {
    const user_scope user;
    is_child ? run_child(task) : run_branch(task);
  }
  if (is_child) w.owner.scopes.release(scope);
  return join.finish() ? injected::last : injected::one;
}

// In the frame that waits: a child that runs on top of it may wait in place, too.
struct held_waiter : waiter {
  fiber* of = nullptr;
  sync::atomic<std::uint32_t> released{0};
};

void wait_in_place(worker& w, join_word& join, sync::atomic<worker*>* held) noexcept {
  w.stats.held.add();
  held_waiter here;
  here.held_by = &w;
  here.of = w.current;
  here.of->memory_use.waits_for = held == nullptr ? &join : nullptr;
  w.owner.memory->waits(*here.of);
  join.set_waiter(&here);
  // seq_cst: who hands a child to everybody looks here afterwards.
  if (held != nullptr) held->store(&w, sync::seq_cst);
  // Nobody needs to look after it: it has nothing latent, as its join has been given away.
  const std::uint64_t looked = w.last_look.load(sync::relaxed);
  w.last_look.store(0, sync::relaxed);
  // What the owner of a deque does for thieves at its polls.
  const std::uint64_t timeout = w.owner.settings.balancer == balancer::concurrent ? 0 : w.owner.beat_ticks + 1;
  bool over = join.arrive();
  if (!over) w.owner.memory->settle(here.of->scope);
  // EDGE join.held: what the last child has done is seen.
  while (!over && here.released.load(sync::acquire) == 0) {
    // Nobody may be left who takes what lies here while this thread sleeps, nor can it take its join's tasks from
    // behind another.
    w.owner.policy->give_away(w);
    const injected task = run_an_injected_task(w, join);
    over = task == injected::last;
    if (task != injected::none) continue;
    w.owner.policy->serve(w, false);
    w.owner.waits_in_place(w);
    w.owner.os.park(w.held, timeout);
    w.owner.goes_on_in_place(w);
  }
  if (held != nullptr) held->store(nullptr, sync::relaxed);
  w.owner.memory->goes_on(*here.of);
  w.last_look.store(looked, sync::relaxed);
}

}  // namespace

fiber* resume(waiter* waiting, worker& finisher) noexcept {
  worker* const holder = waiting->held_by;
  fiber* const of = holder == nullptr ? static_cast<fiber*>(waiting) : static_cast<held_waiter*>(waiting)->of;
  finisher.owner.memory->goes_on(*of);
  if (holder == nullptr) return of;
  // EDGE join.held. The waiter is gone from here on; the worker outlives it.
  static_cast<held_waiter*>(waiting)->released.store(1, sync::release);
  finisher.owner.os.unpark(holder->held);
  return nullptr;
}

bool must_stay(worker& w, const fiber& f) noexcept {
  return f.stays != 0 || w.owner.os.foreign_frames(__builtin_frame_address(0), f.memory.middle);
}

void leave_for(worker& w, join_word& join) noexcept {
  fiber* const f = w.current;
  f->head = takt_hot.head;
  f->split = takt_hot.split;
  end_free_loops(w);
  join.set_waiter(f);
  w.suspended_on = &join;
  switch_to_native(*f);
}

namespace {

// What this worker would do if it left its stack.
bool is_anything_else(worker& w) noexcept {
  runtime& r = w.owner;
  // Its own queue may have what a group around the one that it waits for has left.
  return !r.policy->may_leave(w) || r.any_injected_task() || r.any_ready() || r.memory->is_any_for(w) ||
         r.policy->is_anything_for(w);
}

}  // namespace

bool is_over_soon(join_word& join) noexcept {
  if (join.children_done()) return true;
  worker& w = *this_worker();
  runtime& r = w.owner;
  if (is_anything_else(w)) return false;
  const std::uint64_t begun = r.os.now();
  const std::uint64_t most = std::min(r.beat_ticks / cost::k_worth_share, r.spin_ticks);
  std::uint64_t waited = 0;
  // EDGE worker.looks
  w.looks.store(worker::k_looking, sync::seq_cst);
  for (unsigned round = 0; !join.children_done() && waited < most && !is_anything_else(w); ++round) {
    r.policy->serve(w, false);
    r.os.relax(round);
    waited = r.os.now() - begun;
  }
  // Nothing has run meanwhile.
  w.current->resumed_at += waited;
  w.stats.idle_ticks.add(waited);
  if (!join.children_done()) return false;
  r.policy->stop_looking(w, w.current->scope);
  // As who is resumed.
  start_beats(w, begun + waited);
  w.refilled = false;
  return true;
}

void wait_for(join_word& join, sync::atomic<worker*>* held) noexcept {
  worker& w = *this_worker();
  if (must_stay(w, *w.current)) {
    end_free_loops(w);
    // Of is_over_soon(): nothing is left to who waits in place.
    if (w.looks.load(sync::relaxed) != 0) w.owner.policy->stop_looking(w, w.current->scope);
    wait_in_place(w, join, held);
  } else {
    w.current->memory_use.waits_for = held == nullptr ? &join : nullptr;
    leave_for(w, join);
  }
}

void run_child(abi::slot* task) noexcept {
  with_own_environment(task, [task] {
    open_join& join = open_join::of(*own_join(task)->target());
    join.run(join, task);
  });
}

void finish_for_another(join_word& join) noexcept {
  // EDGE join.waiter
  if (join.finish()) {
    worker& w = *this_worker();
    if (fiber* const waiter = resume(join.waiter(), w); waiter != nullptr) w.owner.hand_over(*waiter, -1);
  }
}

bool run_injected(runtime& r, join_word& join) noexcept {
  abi::slot* task = nullptr;
  std::uint32_t scope = 0;
  if (!r.take_injected_of(join, task, scope)) return false;
  run_child(task);
  r.scopes.release(scope);
  (void)join.finish();
  return true;
}

namespace {

bool is_child_of_this_fiber(abi::slot* task) noexcept {
  join_word* const own = own_join(task);
  if (!own->is_child()) return false;
  const open_join& join = open_join::of(*own->target());
  const fiber* const here = this_worker()->current;
  const helper* h = here->helps;
  while (h != nullptr && h->whole != &join) h = h->outer;
  return h != nullptr || join.home.load(sync::relaxed) == here;
}

// Runs a task of this fiber's own, which an entry with that scope named, on top of its stack, and counts it as done.
void run_in_place(abi::slot* task, std::uint32_t scope) noexcept {
  join_word* const own = own_join(task);
  join_word& join = *own->target();
  const bool is_child = own->is_child();
  {
    const user_scope user;
    is_child ? run_child(task) : task->run(task);
  }
  // Usually the waiter would be this fiber, which is not waiting; but a group may be waited for by another meanwhile.
  // This fiber cannot leave for it.
  if (is_child) this_worker()->owner.scopes.release(scope);
  finish_for_another(join);
}

// Takes `wanted` back; null: nothing. In front of it there may be children of groups that this very computation spawned
// meanwhile: they are run here. Anything else belongs to another fiber, and stays.
bool take_back(abi::slot* wanted) noexcept {
  for (;;) {
    worker* w = this_worker();
    const std::uint64_t e = w->owner.policy->take_back(*w, wanted, &is_child_of_this_fiber);
    if (e == entry::k_none) return false;
    abi::slot* const task = entry::task(e);
    if (task == wanted) return true;
    run_in_place(task, entry::scope(e));
  }
}

}  // namespace

void run_own_children() noexcept { (void)take_back(nullptr); }

}  // namespace takt::core

namespace {

using namespace takt::core;

void has_joined(const void* construct, const join_word* join) noexcept {
  worker* const w = this_worker();
  w->owner.memory->joined(*w->current, join);
  w->owner.policy->joined(*w, construct);
  look_at_next(*w);
}

// The marker that run() leaves for takt_threw: the field is not needed any more once the task has started.
void threw_mark(takt::abi::slot*) {}

}  // namespace

extern "C" {

bool takt_join(takt::abi::slot* s) {
  const runtime_scope scope;
  if (own_join(s)->is_unknown()) {
    // Passed over.
    set_latent_stack(s, s);
    return true;
  }
  // The slot is the task's record: children that run here before the task is taken back must not push over it.
  set_latent_stack(s + 1, s + 1);
  const bool mine = take_back(s);
  // Now it is popped: whatever runs on top of this stack from here on pushes at `s` and is latent again.
  set_latent_stack(s, s);
  if (!mine) {
    join_word& join = *own_join(s);
    if (!is_over_soon(join)) wait_for(join);
  }
  has_joined(s, own_join(s));
  return mine;
}

void takt_stay(int more) noexcept {
  if (worker* w = this_worker(); w != nullptr) w->current->stays += static_cast<std::uint32_t>(more);
}

bool takt_threw(const takt::abi::slot* s) noexcept { return s->run == &threw_mark; }
void takt_set_threw(takt::abi::slot* s) noexcept { s->run = &threw_mark; }

void takt_loop_join(takt::abi::loop_frame* frame, takt::abi::slot* popped) {
  const runtime_scope scope;
  // The halves are in the frame: nothing needs the slot any more.
  set_latent_stack(popped, popped);
  retire_hints(*this_worker()->current, popped);
  if (frame->halves != 0) {
    join_word& join = *std::launder(reinterpret_cast<join_word*>(frame->join));
    bool first_is_mine = false;
    bool all_mine = true;
    for (std::uint32_t h = 0; h < frame->halves; ++h) {
      if (!take_back(&frame->half[h])) {
        all_mine = false;
        continue;
      }
      if (h > 0 && !first_is_mine) this_worker()->owner.memory->takes_second_first(join);
      first_is_mine = true;
      run_in_place(&frame->half[h], this_worker()->current->scope);
    }
    if (!all_mine) this_worker()->current->parted = true;
    if (!is_over_soon(join)) wait_for(join);
    has_joined(frame, &join);
  }
}
}
