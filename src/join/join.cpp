// Joins: take the task back, or leave the stack until it is done.
#include "join/join.hpp"

#include <takt/team.hpp>

#include "promotion/beat.hpp"
#include "worker/invariant.hpp"
#include "memory/memory_observer.hpp"
#include "policy/part_offer.hpp"
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

}  // namespace

fiber* resume(fiber* waiting, runtime& r) noexcept {
  worker* const holder = waiting->join.held_by;
  r.observer->goes_on(*waiting);
  if (holder == nullptr) {
    if (waiting->team.as_member() == nullptr) return waiting;
    // A member goes on on its own thread.
    r.hand_over(*waiting, -1);
    return nullptr;
  }
  // EDGE join.held. The fiber goes on from here on; the worker outlives it.
  waiting->join.release();
  r.threading.unpark(holder->sleep.in_place());
  return nullptr;
}

fiber* resume(fiber* waiting, worker& finisher) noexcept {
  const abi::team_member* const member = waiting->team.as_member();
  if (member != nullptr && member->on == &finisher && waiting->join.held_by == nullptr) {
    finisher.owner.observer->goes_on(*waiting);
    return waiting;
  }
  return resume(waiting, finisher.owner);
}

bool must_stay(worker& w, const fiber& f) noexcept {
  return f.join.stays != 0 || w.owner.program.foreign_frames(__builtin_frame_address(0), f.stack.memory.middle);
}

void leave_for(worker& w, join_word& join) noexcept {
  fiber* const f = w.scheduler.current();
  f->frames.save(takt_hot.head, takt_hot.split);
  end_free_loops(w);
  join.set_waiter(f);
  w.scheduler.suspend_on(join);
  switch_to_native(*f);
}

namespace {

// What this worker would do if it left its stack.
bool is_anything_else(worker& w) noexcept {
  runtime& r = w.owner;
  // Its own queue may have what a group around the one that it waits for has left.
  return !r.policy->may_leave(w) || w.scheduler.teams().any_waiting() || r.any_injected_task() || r.any_ready() ||
         r.observer->is_any_for(w) || r.policy->is_anything_for(w);
}

// Waits on the stack of the code that runs here, at most so many ticks, until `is_over` or `may_stay` does not hold.
template <class Over, class MayStay, class Relax>
bool look_out(worker& w, std::uint64_t most, Over&& is_over, MayStay&& may_stay, Relax&& relax) noexcept {
  runtime& r = w.owner;
  const std::uint64_t begun = r.clock.now();
  std::uint64_t waited = 0;
  // EDGE worker.looks
  w.sleep.begin_to_look();
  bool over = is_over();
  for (unsigned round = 0; !over && waited < most && may_stay(); ++round) {
    r.policy->serve(w, false);
    relax(round);
    waited = r.clock.now() - begun;
    over = is_over();
  }
  // Nothing has run meanwhile.
  w.scheduler.current()->run.has_waited(waited);
  w.stats.idle_ticks.add(waited);
  if (!over) return false;
  r.policy->stop_looking(w, w.scheduler.current()->run.scope());
  // As who is resumed.
  start_beats(w, begun + waited);
  w.beat.has_waited();
  return true;
}

}  // namespace

bool is_over_soon(join_word& join) noexcept {
  if (join.children_done()) return true;
  worker& w = *this_worker();
  runtime& r = w.owner;
  if (is_anything_else(w)) return false;
  return look_out(
      w, std::min(r.poll_ticks / cost::k_early_share, r.spin_ticks), [&join] { return join.children_done(); },
      [&w] { return !is_anything_else(w); }, [&r](unsigned round) { r.threading.relax(round); });
}

bool is_over_before_sleep(bool (*is_over)(void*), void* argument) noexcept {
  worker& w = *this_worker();
  runtime& r = w.owner;
  if (!w.seat.is_held() && !r.attach(w)) return is_over(argument);
  const std::uint64_t begun = r.clock.now();
  const bool over = look_out(
      w, w.scheduler.teams().waits_briefly ? r.brief_ticks : r.spin_ticks, [=] { return is_over(argument); },
      [&w, &r] {
        return !is_anything_else(w) && r.waiting_for_seat.load(sync::relaxed) == 0 &&
               r.stopping.load(sync::relaxed) == 0;
      },
      [](unsigned) {});
  // It stays awake for so much less in its loop.
  if (!over) w.scheduler.teams().has_lingered(begun, r.clock.now());
  return over;
}

void wait_for_event(join_word& join) noexcept {
  sync::atomic<worker*> nobody_asks{nullptr};
  wait_for(join, &nobody_asks);
}

void wait_for(join_word& join, sync::atomic<worker*>* held) noexcept {
  worker& w = *this_worker();
  fiber& f = *w.scheduler.current();
  f.memory_use.waits_for = held == nullptr ? &join : nullptr;
  if (!must_stay(w, f)) return leave_for(w, join);
  w.stats.held.add();
  f.join.held_by = &w;
  f.join.held_below = w.scheduler.hold(f);
  f.join.released.store(0, sync::relaxed);
  // seq_cst: who hands a child to everybody looks here afterwards.
  if (held != nullptr) held->store(&w, sync::seq_cst);
  leave_for(w, join);
  if (held != nullptr) held->store(nullptr, sync::relaxed);
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

// On top of its stack code runs only what it waits for: it may hold a lock that anything else wants.
bool is_waited_for_here(abi::slot* task) noexcept {
  join_word* const own = own_join(task);
  return own->is_child() && own->target() == this_worker()->scheduler.current()->join.takes_back;
}

// Runs a task that is waited for here, which an entry with that scope named, on top of the stack, and counts it as done.
void run_in_place(abi::slot* task, std::uint32_t scope) noexcept {
  join_word* const own = own_join(task);
  join_word& join = *own->target();
  const bool is_child = own->is_child();
  {
    const user_scope user;
    is_child ? run_child(task) : task->run(task);
  }
  if (is_child) this_worker()->owner.scopes.release(scope);
  // It is not the last one: the owner still counts, or the child that this fiber helps with.
  [[maybe_unused]] const bool last = join.finish();
  TAKT_ASSERT(!last);
}

// Takes `wanted` back; null: runs one that counts in `group` and nobody has taken.
bool take_back(abi::slot* wanted, const join_word* group = nullptr) noexcept {
  for (;;) {
    worker* w = this_worker();
    w->scheduler.current()->join.takes_back = group;
    std::uint64_t e = w->owner.policy->take_back(*w, wanted, &is_waited_for_here);
    // A held thread has given everybody what lay here: whoever takes that from there takes what is older first.
    if (e == entry::k_none) e = w->owner.take_injected_back(wanted, group);
    if (e == entry::k_none) return false;
    abi::slot* const task = entry::task(e);
    if (task == wanted) return true;
    run_in_place(task, entry::scope(e));
    if (wanted == nullptr) return true;
  }
}

}  // namespace

void part_offer::run_rest(abi::slot* rest) {
  const runtime_scope scope;
  part_offer& offer = **std::launder(reinterpret_cast<part_offer**>(rest->payload));
  bool is_over = false;
  for (part p = offer.take(0); p.index != k_none; p = is_over ? part{} : offer.take(0)) {
    // Others find what is left while this part runs; unless there is no memory to tell them.
    is_over = p.is_last || offer.hands_on(this_worker()->owner);
    run_in_place(offer.task(p.index), this_worker()->scheduler.current()->run.scope());
  }
}

bool part_offer::hands_on(runtime& r) noexcept {
  const offered_loop is = parts_.is();
  (void)join_of(is).add();
  if (r.give_to_everybody(entry::make(rest(), is.scope))) return true;
  end_rest();
  return false;
}

bool run_own_child(const join_word& join) noexcept { return take_back(nullptr, &join); }

}  // namespace takt::core

namespace {

using namespace takt::core;

void has_joined(const void* construct, const join_word* join) noexcept {
  worker* const w = this_worker();
  w->owner.observer->joined(*w->scheduler.current(), join);
  w->owner.policy->joined(*w, construct);
  look_at_next(*w);
}

// Runs those that nobody has taken. @returns whether these are all.
bool run_own_halves(takt::abi::loop_frame& frame, join_word& join) noexcept {
  bool first_is_mine = false;
  bool all_mine = true;
  for (std::uint32_t h = 0; h < frame.halves; ++h) {
    if (!take_back(&frame.half[h])) {
      all_mine = false;
      continue;
    }
    if (h > 0 && !first_is_mine) this_worker()->owner.observer->takes_second_first(join);
    first_is_mine = true;
    run_in_place(&frame.half[h], this_worker()->scheduler.current()->run.scope());
  }
  return all_mine;
}

bool run_own_parts(part_offer& offer) noexcept {
  unsigned ran = 0;
  part_offer::part p{0};
  while (p.index != part_offer::k_none && !p.is_last) {
    run_in_place(offer.task(p.index), this_worker()->scheduler.current()->run.scope());
    ++ran;
    p = offer.take(0);
  }
  // Before the last part runs: what that promotes is not to lie behind the rest.
  if (take_back(offer.rest())) offer.end_rest();
  if (p.index != part_offer::k_none) {
    run_in_place(offer.task(p.index), this_worker()->scheduler.current()->run.scope());
    ++ran;
  }
  return ran == offer.parts();
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
  if (worker* w = this_worker(); w != nullptr) w->scheduler.current()->join.stays += static_cast<std::uint32_t>(more);
}

bool takt_threw(const takt::abi::slot* s) noexcept { return s->run == &threw_mark; }
void takt_set_threw(takt::abi::slot* s) noexcept { s->run = &threw_mark; }

void takt_loop_join(takt::abi::loop_frame* frame, takt::abi::slot* popped) {
  const runtime_scope scope;
  // The halves are in the frame: nothing needs the slot any more.
  set_latent_stack(popped, popped);
  retire_hints(*this_worker()->scheduler.current(), popped);
  if (frame->halves != 0) {
    join_word& join = *std::launder(reinterpret_cast<join_word*>(frame->join));
    const bool all_mine = frame->halves > 2 ? run_own_parts(part_offer::of(*frame)) : run_own_halves(*frame, join);
    if (!all_mine) this_worker()->scheduler.current()->run.set_parted(true);
    if (!is_over_soon(join)) wait_for(join);
    if (frame->halves > 2) part_offer::of(*frame).close();
    has_joined(frame, &join);
  }
}
}
