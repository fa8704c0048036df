// Members of teams: fibers that stay on a thread and wait for each other. See README.md.
#include <takt/team.hpp>

#include "join/join.hpp"
#include "memory/memory_observer.hpp"
#include "policy/policies.hpp"
#include "promotion/beat.hpp"
#include "promotion/promote.hpp"
#include "scheduler/scheduler.hpp"
#include "worker/invariant.hpp"

#include <new>
#include <utility>

namespace takt::core {

namespace {

using abi::team_member;

join_word& word_of(abi::event& e) noexcept { return *std::launder(reinterpret_cast<join_word*>(e.word)); }
static_assert(sizeof(abi::event) >= sizeof(join_word) && alignof(abi::event) >= alignof(join_word));

fiber& fiber_of(const team_member& m) noexcept { return *static_cast<fiber*>(m.fiber); }

// Code that does not poll is reached by a signal where it may have something to give. A member begins without: its
// program may not expect that what blocks is interrupted.
void has_nothing_latent(worker& w) noexcept {
  if (takt_hot.split == takt_hot.head) w.reach.runs_nothing();
}

// A thread that has members does not end, if it stands in for another.
void is_counted(worker& w) noexcept { w.scheduler.teams().begin_member(); }
void is_counted_no_more(worker& w) noexcept { w.scheduler.teams().end_member(); }

// `f` is soon off the thread that has taken it over, if one has.
void end_relief(fiber& f) noexcept {
  abi::event* const relief = std::exchange(f.team.relief, nullptr);
  if (relief != nullptr) finish_for_another(word_of(*relief));
}

void member_main(fiber* f) {
  team_member& self = *f->team.member;
  abi::event* const end = self.end;
  worker* w = this_worker();
  w->policy.put_back();
  worker& counted = *w;
  is_counted(counted);
  w->owner.policy->begins_call(*w, *f);
  f->memory_use.begin();
  w->owner.observer->begins(*f, nullptr, nullptr, nullptr);
  f->run.start_in(self.origin.floating_point);
  set_environment_if_different(f->run.started_in());
  has_nothing_latent(*w);
  {
    const user_scope user;
    self.run(self.argument);
  }
  // `self` is gone, without an end that counts it. Another thread may have taken it over.
  end_code(*f);
  w = this_worker();
  w->scheduler.finish();
  is_counted_no_more(counted);
  f->team.member = nullptr;
  // Its memory is gone with the last of them.
  if (end != nullptr && word_of(*end).finish()) {
    // EDGE join.waiter
    w->scheduler.go_on_with(resume(word_of(*end).waiter(), *w));
  }
  end_relief(*f);
}

abi::team_origin origin_at(const fiber& parent) noexcept {
  return {parent.run.scope(), parent.run.nesting(), floating_point_environment()};
}

// What was said in a scope or of a call that is over counts no more.
void begin_from(fiber& f, const abi::team_origin& origin) noexcept {
  // Its members run beside each other: no part of the call limits them.
  f.run.begin_in(origin.scope, origin.scope);
  f.run.nest_at(origin.depth);
  f.stop.begin(nullptr);
  f.policy.leave_scopes();
}

void begin(fiber& f, team_member& m, const worker& w, abi::event* end) noexcept {
  m.end = end;
  m.on = m.thread == abi::k_any_thread ? nullptr : w.owner.team_thread(m.thread, w);
  m.outer = nullptr;
  m.origin = origin_at(*w.scheduler.current());
  f.team.member = &m;
  f.team.relief = nullptr;
  f.run.begin_member(&member_main);
  f.join.begin(end != nullptr ? &word_of(*end) : nullptr);
  begin_from(f, m.origin);
  f.frames.clear();
  f.saved.exceptions = {};
  f.policy.begin(w.owner.policy->own());
}

void leave_in_place(worker& w, join_word& join) noexcept {
  fiber& f = *w.scheduler.current();
  promote_all(w);
  if (f.team.member == nullptr) return wait_for_event(join);
  // Its own thread runs others meanwhile, and nobody else goes on with it.
  leave_for(w, join);
  has_nothing_latent(*this_worker());
}

}  // namespace

}  // namespace takt::core

extern "C" {

using namespace takt::core;

void* takt_team_state() noexcept {
  const worker* const w = this_worker();
  if (w == nullptr || w->scheduler.current() == nullptr) return nullptr;
  const fiber_team& team = w->scheduler.current()->team;
  return team.member != nullptr ? team.member->state : team.state;
}

void takt_team_keep(void* state, void (*end)(void*)) noexcept {
  this_worker()->scheduler.current()->team.keep(state, end);
}

void takt_team_follow(void* (*state)()) noexcept { process::state_outside.store(state, takt::sync::relaxed); }

bool takt_team_is_inside() noexcept {
  const worker* const w = this_worker();
  return w != nullptr && w->scheduler.current() != nullptr;
}

std::uint32_t takt_team_workers() noexcept {
  runtime* const r = enter_call();
  if (r == nullptr) return 1;
  const std::uint32_t count = r->worker_count();
  process::end_call();
  return count;
}

std::uint32_t takt_team_threads(std::uint32_t wanted) noexcept {
  const runtime_scope scope;
  runtime& r = this_worker()->owner;
  return r.orphaned ? 1 : r.start_team_threads(wanted);
}

bool takt_team_enter(takt::abi::team_member* self) noexcept {
  worker* const here = this_worker();
  if (here == nullptr || here->scheduler.current() == nullptr) return false;
  worker& w = *here;
  self->outer = w.scheduler.current()->team.member;
  self->fiber = w.scheduler.current();
  self->on = &w;
  w.scheduler.current()->team.member = self;
  self->counted = &w;
  is_counted(w);
  has_nothing_latent(w);
  return true;
}

void takt_team_leave(takt::abi::team_member* self) noexcept {
  const runtime_scope scope;
  auto* const outer = static_cast<team_member*>(self->outer);
  fiber& f = fiber_of(*self);
  f.team.member = outer;
  is_counted_no_more(*static_cast<worker*>(self->counted));
  // Another thread may have taken it over meanwhile.
  if (outer != nullptr) {
    outer->on = self->on;
    return;
  }
  // Code that is no member may have something to give.
  this_worker()->reach.looks(this_worker()->owner.clock.now());
  end_relief(f);
}

bool takt_team_take(takt::abi::team_member* member) noexcept {
  const runtime_scope scope;
  member->fiber = this_worker()->owner.fibers.take();
  return member->fiber != nullptr;
}

void takt_team_begin(takt::abi::event* end, std::uint32_t count) noexcept {
  join_word* const word = ::new (static_cast<void*>(end->word)) join_word;
  word->begin(count, task_start(floating_point_environment(), 0));
}

void takt_team_start(takt::abi::event* end, takt::abi::team_member* member) noexcept {
  const runtime_scope scope;
  worker& w = *this_worker();
  fiber& f = fiber_of(*member);
  begin(f, *member, w, end);
  w.owner.hand_over(f, -1);
}

void takt_team_origin(takt::abi::team_origin* out) noexcept { *out = origin_at(*this_worker()->scheduler.current()); }

bool takt_team_linger(bool (*is_over)(void*), void* argument) noexcept {
  const runtime_scope scope;
  return is_over_before_sleep(is_over, argument);
}

void takt_team_again(takt::abi::team_member* self, const takt::abi::team_origin* from) noexcept {
  const runtime_scope scope;
  worker& w = *this_worker();
  self->origin = *from;
  begin_from(fiber_of(*self), *from);
  // It may have been left looking.
  if (w.sleep.has_nothing()) w.owner.policy->stop_looking(w, from->scope);
  set_environment_if_different(from->floating_point);
}

void takt_team_join(takt::abi::event* end) noexcept {
  const runtime_scope scope;
  join_word& join = word_of(*end);
  if (!is_over_soon(join)) leave_in_place(*this_worker(), join);
}

std::uint32_t takt_team_look_for_stuck() noexcept {
  runtime* const r = enter_call();
  if (r == nullptr) return 0;
  const std::uint32_t count = r->look_for_stuck();
  process::end_call();
  return count;
}

bool takt_team_relieve() noexcept {
  const runtime_scope scope;
  worker& w = *this_worker();
  fiber* const f = w.owner.take_stuck(w);
  if (f == nullptr) return false;
  takt::abi::event done;
  takt_event_begin(&done);
  // One that has it already has not come to it.
  end_relief(*f);
  f->team.relief = &done;
  w.scheduler.teams().waiting().put(*f, w.owner.threading);
  // Whatever lies on this stack: the thread has nothing else to do.
  leave_for(w, word_of(done));
  return true;
}

void takt_team_yield() noexcept {
  const runtime_scope scope;
  worker& w = *this_worker();
  if (!w.scheduler.teams().any_waiting() && !w.owner.any_ready()) return;
  // Others go on as any fiber does, where they can.
  const fiber& f = *w.scheduler.current();
  if (f.team.member == nullptr && (!w.seat.is_held() || must_stay(w, f))) return;
  // Ended before it is waited for: the worker goes on with it at once, unless it puts it behind the others.
  w.scheduler.teams().yield();
  takt::abi::event now;
  takt_event_begin(&now);
  (void)word_of(now).finish();
  leave_in_place(w, word_of(now));
}

void takt_event_begin(takt::abi::event* what) noexcept {
  join_word* const word = ::new (static_cast<void*>(what->word)) join_word;
  word->begin(1, {});
}

void takt_event_wait(takt::abi::event* what) noexcept {
  const runtime_scope scope;
  join_word& join = word_of(*what);
  if (!join.children_done()) leave_in_place(*this_worker(), join);
}

void takt_event_end(takt::abi::event* what) noexcept {
  const runtime_scope scope;
  // EDGE join.waiter
  if (join_word& join = word_of(*what); join.finish()) {
    fiber& f = *join.waiter();
    runtime& r = f.team.member != nullptr ? static_cast<const worker*>(f.team.member->on)->owner : *process::current();
    if (fiber* const ready = resume(&f, r); ready != nullptr) r.hand_over(*ready, -1);
  }
}
}
