// The worker's loop: find a task, run it on a fiber, resume who waited for it, sleep when there is nothing.
#include "promotion/beat.hpp"
#include "worker/invariant.hpp"
#include "join/join.hpp"
#include "memory/memory_observer.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/lent.hpp"
#include "scheduler/scheduler.hpp"
#include "spawn/spawned.hpp"
#include "observe/trace.hpp"
#include "stop/stop.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

namespace {

// Loads and stores of the thread's latent stack around a switch; not inlined, because the thread changes in the
// middle of the callers.
[[gnu::noinline]] void load_latent_stack(const fiber& f, std::int64_t credit) noexcept {
  takt_hot.head = f.frames.saved_head();
  takt_hot.split = f.frames.saved_split();
  show_credit(credit);
}
[[gnu::noinline]] void forget_latent_stack() noexcept {
  takt_hot.head = nullptr;
  takt_hot.split = nullptr;
}
[[gnu::noinline]] void forget_credit() noexcept { show_credit(0); }

void task_main(fiber*) {
  worker* w = this_worker();
  abi::slot* task = w->scheduler.task;
  // The join word may be gone with its frame once the task is counted as done, so nothing of it is kept.
  join_word* own = own_join(task);
  join_word* join = own->target();
  const bool is_child = own->is_child();
  w->scheduler.current()->run.start_in(own->start().environment());
  set_environment_if_different(w->scheduler.current()->run.started_in());
  {
    user_scope user;
    is_child ? run_child(task) : task->run(task);
  }
  w = this_worker();
  end_code(*w->scheduler.current());
  w->scheduler.finished = true;
  if (is_child) w->owner.scopes.release(w->scheduler.current()->run.part());
  w->owner.observer->passes_on(*w->scheduler.current());
  if (join->finish()) {
    // EDGE join.waiter
    fiber* const waiting = resume(join->waiter(), *w);
    const int seat = waiting != nullptr ? w->owner.policy->goes_on_at(*w, *waiting) : -1;
    if (seat >= 0) {
      w->owner.hand_over(*waiting, seat);
    } else {
      w->scheduler.resume_next = waiting;
    }
  }
}

void root_finished(root_call& root, worker& finisher) noexcept {
  runtime& r = finisher.owner;
  worker* adopter = root.adopter;
  if (r.orphaned && adopter != &finisher) lost_in_child();
  // EDGE root.done. The root is gone from here on.
  root.done.store(1, sync::seq_cst);
  if (adopter != &finisher && r.sleeping.choose(*adopter)) r.threading.unpark(adopter->sleep.parked());
}

bool loop_ends(const runtime& r, const root_call* root) noexcept {
  // EDGE root.done: what the root call wrote is seen by the thread that made the call.
  return root != nullptr ? root->done.load(sync::seq_cst) != 0 : r.stopping.load(sync::seq_cst) != 0;
}

// An entry, or entry::k_none.
std::uint64_t find(worker& w) noexcept {
  runtime& r = w.owner;
  // What lies here first: while it runs something else, and that waits for a lock, it might be needed.
  if (!r.policy->may_leave(w)) {
    if (const std::uint64_t e = r.policy->next(w); e != entry::k_none) return e;
  }
  if (r.any_injected_task()) {
    if (const std::uint64_t e = r.take_injected(w); e != entry::k_none) return e;
  }
  if (const std::uint64_t e = spawned::take(w, true); e != entry::k_none) return e;
  if (const std::uint64_t e = r.policy->next(w); e != entry::k_none) return e;
  if (const std::uint64_t e = lent_children::take(w); e != entry::k_none) return e;
  return spawned::take(w, false);
}

bool is_anything_for(worker& w) noexcept {
  return w.owner.any_injected_for(w) || w.owner.policy->is_anything_for(w) || lent_children::any_for(w) ||
         spawned::any_for(w);
}

// Twice as long as the last one, so that who waits long costs next to nothing.
std::uint64_t next_nap(const runtime& r, std::uint64_t& patience) noexcept {
  constexpr std::uint64_t k_longest = std::uint64_t{1} << 40;
  patience = patience == 0 ? cost::k_silent_beats * r.nap_ticks() : std::min(2 * patience, k_longest);
  return patience;
}

void start_task(worker& w, std::uint64_t e) noexcept {
  runtime& r = w.owner;
  TAKT_ASSERT(w.scheduler.spare != nullptr && entry::task(e) != nullptr);
  if (!r.take_place(w, entry::scope(e))) {
    // It lies there until somebody leaves a place.
    w.policy.put_back();
    r.policy->give(e);
    return;
  }
  // A thread with a larger stack may have begun a call between ensure_fiber and the steal. Its task must be run now, on
  // the smaller one if nothing else can be had.
  if (w.scheduler.spare->stack.call_bytes() < r.fibers.call_bytes()) {
    if (fiber* larger = r.fibers.take(); larger != nullptr) r.fibers.give(std::exchange(w.scheduler.spare, larger));
  }
  fiber* f = w.scheduler.spare;
  w.scheduler.spare = nullptr;
  w.scheduler.task = entry::task(e);
  join_word* const own = own_join(w.scheduler.task);
  // A half of a loop is no task beside others that are alike: the next promotion halves what is left.
  worker* const promoter = w.policy.take_promoter();
  worker* const by = promoter != &w ? promoter : nullptr;
  f->run.begin_task(&task_main, w.scheduler.task->run, own->start().depth(), own->is_half() ? nullptr : by);
  f->run.begin_in(scope_table::call_of(entry::scope(e)), entry::scope(e));
  f->frames.clear();
  f->saved.exceptions = {};
  r.policy->begins(w, *f);
  join_word* const join = own->target();
  f->join.begin(join);
  const bool is_child = own->is_child();
  f->stop.begin(is_child ? &open_join::of(*join).stop : scope_for_task(*join));
  f->memory_use.begin();
  r.observer->begins(*f, w.scheduler.task, join, is_child ? open_join::of(*join).home.load(sync::relaxed) : nullptr);
  const std::uint64_t now = r.clock.now();
  start_beats(w, now, by != nullptr);
  // Of what is long enough to be given away.
  w.loop.end_short_ones(now, r.least_wake_ticks);
  run_fiber(w, f);
}

// Who has promoted it is told while such tasks are worth taking: of short ones among long ones, too.
void note_done(worker& w, const fiber& f) noexcept {
  const std::uint64_t beat = w.owner.beat_ticks;
  if (f.run.promoted_by == nullptr || beat == 0) return;
  if (w.beat.has_done(f.run.ran, beat / cost::k_worth_share, beat)) f.run.promoted_by->beat.is_told();
}

void sleep(worker& w, root_call* root, bool seated, std::uint64_t& patience) noexcept {
  runtime& r = w.owner;
  if (!r.policy->may_leave(w)) {
    // Without a stack it cannot begin what lies here, and only from here others can take it: they may need this CPU.
    r.threading.relax(~0u);
    return;
  }
  if (r.orphaned && !loop_ends(r, root)) lost_in_child();
  // Who has made a call waits for the rest of it.
  if (root == nullptr) r.follow_cpus(r.clock.now());
  leave_seat(w);
  // A signal that it has sent may have promoted what it may not take, while those who may sleep. Whom it wakes needs
  // the seat that it has just left: two without one would wake each other for ever.
  if (seated && root != nullptr && !process::is_only_call()) {
    r.policy->wake_for_each_scope(w, task_search::of::others);
    r.wake_for_injected_of_others(w);
  }
  r.sleeping.announce(w);
  // Who could not get a seat, or makes room for somebody, does not stay awake for work that it cannot take.
  const bool may_work = seated && (root != nullptr || r.waiting_for_seat.load(sync::seq_cst) == 0);
  // A seat may have become free since: its last holder has looked for sleepers after it left.
  if (loop_ends(r, root) || (may_work && is_anything_for(w)) || (!seated && r.any_seat_empty()) ||
      r.may_resume_any(w, may_work) || r.observer->is_any_for(w) || r.is_too_many(w)) {
    if (!r.sleeping.cancel(w)) r.threading.park(w.sleep.parked(), 0);
    return;
  }
  // One sleeper at most keeps an eye on workers that do not poll, ever more rarely; nobody while no call is under way.
  std::uint64_t timeout = 0;
  const bool watches = r.watches_silent_workers() && (process::any_call() || lent_children::any());
  const bool sentinel = watches && r.sentinel.exchange(1, sync::acq_rel) == 0;
  // Nor does who has made a call sleep for good: what it awaits may come to lie where nobody else can take it.
  if (sentinel || root != nullptr) timeout = next_nap(r, patience);
  if (sentinel) timeout = std::min(timeout, cost::k_longest_nap_beats * r.nap_ticks());
  const std::uint64_t begun = r.clock.now();
  trace::note(w, trace::kind::sleeps);
  bool token = r.threading.park(w.sleep.parked(), timeout);
  if (sentinel) r.sentinel.store(0, sync::release);
  if (!token && !r.sleeping.cancel(w)) {
    r.threading.park(w.sleep.parked(), 0);
    token = true;
  }
  w.stats.asleep_ticks.add(r.clock.now() - begun);
  trace::note(w, trace::kind::wakes);
  if (token) patience = 0;
}

}  // namespace

void end_code(fiber& f) noexcept {
  {
    const user_scope user;
    f.team.end();
  }
  worker& w = *this_worker();
  end_free_loops(w);
  latent_children::withdraw_all(f);
  w.owner.policy->ends(w, f);
}

void run_fiber(worker& w, fiber* f) noexcept {
  runtime& r = w.owner;
  TAKT_ASSERT(w.scheduler.current() == nullptr && !w.scheduler.finished && w.scheduler.suspended_on == nullptr);
  w.scheduler.begin(f);
  const std::uint64_t now = r.clock.now();
  f->run.resume(now);
  w.reach.looks(now);
  r.observer->runs(*f);
  load_latent_stack(*f, w.beat.begin_run(process::environments_change.load(sync::relaxed) != 0));
  begin_hints(*f);
  store_free_top(0);
  trace::note_runs(w, *f);
  // It may get a seat meanwhile.
  if (w.seat.begin_run()) r.unseated.fetch_add(1, sync::relaxed);
  switch_to_fiber(w.scheduler.native, *f);
  // Before any look at the clock, where a simulated signal is let in: what is latent lies with the fiber again, which
  // would not learn that it has been promoted from here.
  forget_latent_stack();
  w.reach.runs_nothing();
  if (w.seat.end_run()) r.unseated.fetch_sub(1, sync::relaxed);
  trace::note_leaves(w, *f);
  const std::uint64_t worked = f->run.leave(r.clock.now());
  f->stack.ran_since_look += worked;
  w.stats.working_ticks.add(worked);
  note_credit(w);
  forget_credit();
  w.scheduler.begin(nullptr);
  if (w.scheduler.finished) {
    w.scheduler.finished = false;
    note_done(w, *f);
    r.observer->ends(*f);
    f->promotion.forget_said();
    root_call* root = w.scheduler.root_done;
    w.scheduler.root_done = nullptr;
    if (w.scheduler.spare == nullptr) {
      w.scheduler.spare = f;
    } else {
      r.fibers.give(f);
    }
    if (root != nullptr) root_finished(*root, w);
  } else {
    join_word* join = w.scheduler.suspended_on;
    w.scheduler.suspended_on = nullptr;
    w.stats.suspensions.add();
    const std::uint32_t scope = f->run.scope();
    r.observer->waits(*f);
    // Only now may another worker run the fiber: its stack is not in use any more.
    if (join->arrive()) {
      r.observer->goes_on(*f);
      if (f->join.is_held()) {
        f->join.release();
      } else if (w.scheduler.team.is_yielding()) {
        // Of those that are ready it is the last to go on: a member behind anybody's, another fiber behind members.
        if (f->team.as_member() == nullptr) (void)w.scheduler.team.end_yield();
        r.hand_over(*f, -1);
      } else {
        w.scheduler.resume_next = f;
      }
    } else {
      r.observer->settle(scope);
    }
  }
  if (w.scheduler.resume_next != nullptr && r.observer->leaves_in_order(w, *w.scheduler.resume_next)) {
    w.scheduler.resume_next = nullptr;
  }
}

void leave_seat(worker& w) noexcept {
  tell_rest(w);
  // Who has asked for something need not wait.
  w.owner.policy->serve(w, false);
  TAKT_ASSERT(w.owner.policy->may_leave(w));
  const bool had_one = w.seat.is_held();
  // Or others have made room for it.
  const bool leaves_one = had_one || w.seat.is_waited_for();
  w.owner.detach(w);
  if (leaves_one && spawned::want_seat(w.owner)) w.owner.announce_spawned();
  if (!had_one) return;
  // Others may have waited for the seat, to run what this worker may not.
  w.owner.policy->wake_for_left_by(w);
}

namespace {

// Of what nobody else runs, begins or goes on with what `w` awaits. `in_vain`: it has slept for it already. @returns
// whether there was anything.
bool run_awaited(worker& w, bool in_vain) noexcept {
  runtime& r = w.owner;
  w.scheduler.resume_next = r.take_ready(w);
  if (w.scheduler.resume_next != nullptr) return true;
  if (r.ensure_fiber(w)) {
    std::uint64_t e = entry::k_none;
    if (w.scheduler.holds != nullptr || in_vain) e = r.policy->take_awaited(w, in_vain);
    if (e == entry::k_none) e = r.take_injected_awaited(w);
    if (e != entry::k_none) {
      if (w.sleep.has_nothing()) r.policy->stop_looking(w, entry::scope(e));
      start_task(w, e);
      return true;
    }
  }
  if (in_vain) w.scheduler.resume_next = r.observer->take_awaited(w);
  return w.scheduler.resume_next != nullptr;
}

// The thread is held by a fiber that cannot go on yet, or anywhere else.
void wait_for_held(worker& w, std::uint64_t& patience) noexcept {
  runtime& r = w.owner;
  if (r.orphaned) lost_in_child();
  r.policy->serve(w, false);
  r.reach_silent_workers(w);
  // What the owner of a deque does for thieves at its polls.
  const std::uint64_t nap = next_nap(r, patience);
  const bool answers = r.policy->answers_thieves();
  r.waits_in_place(w);
  if (r.threading.park(w.sleep.in_place(), answers ? std::min(nap, r.beat_ticks + 1) : nap)) patience = 0;
  r.goes_on_in_place(w);
}

}  // namespace

void work(worker& w, root_call* root) noexcept {
  runtime& r = w.owner;
  std::uint64_t idle_since = 0;
  std::uint64_t patience = 0;
  unsigned round = 0;
  const auto count_idle = [&] {
    if (idle_since != 0) w.stats.idle_ticks.add(r.clock.now() - idle_since);
    idle_since = 0;
    w.scheduler.team.ends_look();
  };
  const auto go_on = [&](fiber* f) {
    // It has looked in this loop, or on its stack (is_over_soon). At once: who looks counts as running nothing.
    if (w.sleep.has_nothing()) r.policy->stop_looking(w, f->run.scope());
    count_idle();
    patience = 0;
    const std::uint64_t now = r.clock.now();
    if (f->team.as_member() != nullptr) w.scheduler.team.goes_on(now, r.brief_ticks);
    start_beats(w, now);
    run_fiber(w, f);
  };
  for (;;) {
    if (w.scheduler.resume_next != nullptr) {
      fiber* f = w.scheduler.resume_next;
      w.scheduler.resume_next = nullptr;
      // The child that ended here was awaited, and not all that it was part of. A member of a team goes on at once:
      // others that have a place may wait for it.
      if (f->team.as_member() != nullptr) {
        r.take_place_anyway(w, f->run.part());
      } else if ((awaits_one_thing(w) && !may_go_on_at(w, *f)) || !r.take_place(w, f->run.part())) {
        r.hand_over(*f, -1);
        continue;
      }
      go_on(f);
      continue;
    }
    r.leave_place(w);
    if (w.scheduler.holds != nullptr) {
      fiber* const f = w.scheduler.holds;
      // EDGE join.held: what the last child has done is seen.
      if (f->join.is_released()) {
        w.scheduler.holds = f->join.end_hold();
        // It may hold a lock that others want who have a place.
        r.take_place_anyway(w, f->run.part());
        go_on(f);
        continue;
      }
      // It has looked on its stack (is_over_soon): nothing is left to who waits for one thing.
      if (w.sleep.has_nothing()) r.policy->stop_looking(w, f->run.scope());
      if (!run_awaited(w, patience != 0)) wait_for_held(w, patience);
      continue;
    }
    if (root != nullptr && loop_ends(r, root)) {
      // Somebody may have left work to it, as it looked.
      if (w.sleep.has_nothing()) r.policy->stop_looking(w, w.scheduler.scope());
      break;
    }
    r.policy->serve(w, false);
    // EDGE worker.looks
    if (!w.sleep.has_nothing()) w.sleep.begin_to_look();
    if (w.scheduler.resume_next = r.take_ready(w); w.scheduler.resume_next != nullptr) {
      if (!w.seat.is_held() && !w.seat.is_waited_for()) r.wait_for_seat(w);
      continue;
    }
    // One look is one round for those that sleep before they allocate.
    if (w.scheduler.resume_next = r.observer->take_due(w); w.scheduler.resume_next != nullptr) continue;
    bool may_spin = false;
    // The process has fewer CPUs than before. In a child of fork(2) any seat is the only one.
    const bool is_beyond = w.seat.number() >= static_cast<int>(r.worker_count()) && !r.orphaned;
    if ((is_beyond || r.is_seat_wanted()) && r.policy->may_leave(w)) leave_seat(w);
    const bool seated = w.seat.is_held() || r.attach(w);
    if (seated) {
      may_spin = root != nullptr || r.waiting_for_seat.load(sync::relaxed) == 0;
      // A fiber in hand comes before the steal: a task that was taken must be run.
      if (r.ensure_fiber(w)) {
        if (const std::uint64_t e = find(w); e != entry::k_none) {
          count_idle();
          patience = 0;
          // If there is nothing more, somebody must still watch for workers that do not poll, or a fork above a long
          // leaf would wait for the leaf.
          if (!r.policy->stop_looking(w, entry::scope(e))) r.ask_for_company(entry::scope(e));
          start_task(w, e);
          continue;
        }
      } else {
        may_spin = false;
      }
    }
    if (root != nullptr && run_awaited(w, patience != 0)) {
      if (!w.seat.is_held() && !w.seat.is_waited_for()) r.wait_for_seat(w);
      continue;
    }
    const std::uint64_t now = r.clock.now();
    if (idle_since == 0) {
      idle_since = now;
      round = 0;
    }
    // Nobody parks, or ends, while a task sleeps that it may resume: it goes on looking, until that is due.
    if (w.scheduler.resume_next = r.observer->take_early(w); w.scheduler.resume_next != nullptr) continue;
    const bool waits_for_sleeper = r.observer->is_any_for(w);
    // A pool thread ends when nothing is left to do: children of a group that outlived its call are not lost.
    // Members of teams come to their ends after the region's: none is begun any more, and none is lost.
    const bool ends = root == nullptr && loop_ends(r, root);
    if (ends && !waits_for_sleeper && !w.scheduler.team.has_members()) break;
    const bool spins = may_spin && now - idle_since + w.scheduler.team.lingered < r.spin_ticks;
    if (spins || waits_for_sleeper || ends) {
      if (!spins) r.reach_silent_workers(w);
      looked_in_vain(w);
      r.threading.relax(round++);
      continue;
    }
    r.reach_silent_workers(w);
    count_idle();
    if (r.policy->may_leave(w) && r.may_do_without(w)) break;
    r.fibers.rest_unhurried(w.scheduler.spare);
    sleep(w, root, seated, patience);
  }
  count_idle();
}

}  // namespace takt::core
