// Loops under way: how many iterations are claimed at a time. See README.md beside this file.
#include "promotion/beat.hpp"
#include "cost/chunks.hpp"
#include "loop/loop.hpp"
#include "loop/other_chunks.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"

#include <takt/detail/loop.hpp>

#include <algorithm>
#include <utility>

namespace takt::core {

namespace {

using abi::loop_chunk;
using abi::loop_cursor;
using abi::loop_frame;
using abi::loop_phase;
using takt::detail::polls;

std::uint64_t remaining(const loop_frame& frame) { return frame.end > frame.next ? frame.end - frame.next : 0; }

// A loop that begins, alone or with those that it follows closely: who is woken has a part of those that come after.
bool is_worth_a_beat(worker& w, std::uint64_t ticks) noexcept {
  runtime& r = w.owner;
  const std::uint64_t together =
      w.loop.burst.add(w.beat.polled_at(), ticks, r.spin_ticks, std::max(r.least_wake_ticks, r.beat_ticks));
  if (ticks >= r.least_wake_ticks && ticks >= r.beat_ticks) return true;
  if (r.worker_count() == 1) return ticks >= r.beat_ticks;
  return together >= r.beat_ticks && (together >= r.least_wake_ticks || !r.would_wake(w));
}

}  // namespace

bool promote_at_begin(worker& w, const loop_frame& frame, std::uint64_t estimated_ticks) noexcept {
  if (remaining(frame) == 0) return false;
  if (!leaves_it_to_beats(w)) return false;
  if (spread(w, {&frame, estimated_ticks < k_unknown_ticks ? estimated_ticks : 0})) return true;
  const bool worth_it = is_worth_a_beat(w, estimated_ticks);
  if (may_promote(w)) {
    // What is known to be worth it without a beat has been given away.
    if (worth_it && (estimated_ticks == k_unknown_ticks || !is_early(w))) spend_beat(w);
  } else if (worth_it && estimated_ticks >= cost::k_silent_beats * w.owner.beat_ticks) {
    // The loop follows a promotion closely: the beat may fall into an iteration that never polls.
    w.owner.ask_for_company(w.scheduler.current()->run.scope());
  }
  return false;
}

void watch_chunk(loop_cursor& c, const worker& w) noexcept {
  c.polls_seen = takt_hot.polls;
  // In this order: a cut of the credit that is not counted here is not in it either.
  c.cuts_seen = w.beat.times_cut();
  c.credit_seen = shown_credit();
}

bool learns_that_it_nests(const loop_cursor& c, const worker& w) noexcept {
  // EDGE credit.cut
  const bool changed = __atomic_load_n(&takt_hot.credit, __ATOMIC_ACQUIRE) != c.credit_seen;
  if ((!changed && takt_hot.polls == c.polls_seen) || w.beat.times_cut_hint() != c.cuts_seen) return false;
  cost::learn_that_it_nests(*c.where);
  return true;
}

timed_chunk time_chunk(worker& w, const loop_cursor& c) noexcept {
  const std::uint64_t ran = c.at - c.timed;
  const bool nested = learns_that_it_nests(c, w);
  note_credit(w);
  w.owner.simulator.note(takt::platform::action::iterations, ran);
  const std::uint64_t now = w.owner.clock.now();
  return {ran, nested ? 0 : w.owner.simulator.took(ran, now - c.clock), now, nested};
}

namespace {

// --- leaf loops --------------------------------------------------------------------------------------------------

// What the runtime takes in front of it is not the chunk's.
void start_chunk(loop_cursor& c, const worker& w) {
  c.clock = w.owner.clock.now();
  c.timed = c.at;
  watch_chunk(c, w);
}

// The next look is after `wanted` iterations, which are claimed `strip` at a time.
void set_look(loop_cursor& c, std::uint64_t wanted, std::uint64_t strip) {
  // Bounded by what is left, so that nothing wraps around.
  const std::uint64_t left = c.frame.end > c.at ? c.frame.end - c.at : 1;
  c.look = c.at + std::clamp<std::uint64_t>(wanted, 1, left);
  c.chunk = std::min({strip, c.most, left});
}

// The same; so many run in the time between two polls.
void set_look(loop_cursor& c, std::uint64_t wanted) { set_look(c, wanted, cost::strip_of(wanted)); }

// A strip; one of many iterations ends with a cache line, as those that follow it then do.
loop_chunk claim_strip(loop_cursor& c) {
  const std::uint64_t begin = c.at;
  // The end only comes nearer: what is over stays over.
  const std::uint64_t end = c.frame.end;
  if (begin >= end) return {begin, begin};
  c.at = takt::detail::claim(c.frame, begin, cost::cut_chunk(begin, c.chunk, end - begin));
  return {begin, c.at};
}

// How long it is to be to the next look.
std::uint64_t target_of(const worker& w) {
  return w.owner.rule.promotes() ? poll_target(w) : ~0ull;
}

void enter_leaf(worker& w, loop_cursor& c) {
  const std::uint32_t unit_cost = cost::cost_of(*c.where);
  std::uint64_t ticks = k_unknown_ticks;
  if (unit_cost == abi::k_unknown_cost) {
    c.phase = loop_phase::unknown;
    set_look(c, 1);
  } else {
    c.phase = loop_phase::leaf;
    // Others were cheap, and these may be dear: the first look is after one strip, and later ones are farther off.
    const std::uint64_t known = w.owner.rule.promotes() ? cost::iterations_in(w.owner.poll_ticks, unit_cost) : ~0ull;
    set_look(c, std::min(cost::strip_of(known), c.most));
    // The one that is claimed is given away, too, if the loop is to be divided further.
    const std::uint64_t count = w.owner.policy->divides(w) ? c.frame.end - c.at : remaining(c.frame);
    ticks = cost::estimate_ticks(count, unit_cost);
  }
  if (!promote_at_begin(w, c.frame, ticks)) w.scheduler.current()->run.set_parted(false);
  start_chunk(c, w);
}

// @returns whether the chunk nested.
bool end_timed(worker& w, loop_cursor& c) {
  const auto [ran, ticks, now, nested] = time_chunk(w, c);
  if (nested) {
    poll_at(w, now);
    return true;
  }
  const std::uint64_t target = target_of(w);
  const std::uint64_t until_poll = w.owner.poll_ticks;
  cost::learn_cost(*c.where, ticks, ran, 2 * until_poll, c.phase == loop_phase::unknown ? 0 : until_poll);
  grant_leaf_loops(w, *c.where);
  // The chunk's time is known, so nothing is to be learned about the price of credit.
  poll_at(w, now, &c.frame);
  // Who looks for work does not wait for the next beat: most of all at the end of the loop, where no other part of it
  // is left to be taken. What one iteration took says little of what is left; and another worker may have seen it nest.
  if (const std::uint32_t unit = cost::cost_of(*c.where);
      (c.phase == loop_phase::leaf || ran > 1) && unit != abi::k_unknown_cost) {
    spread(w, {&c.frame, cost::estimate_ticks(remaining(c.frame), unit)});
  }
  if (ticks > target / 2) c.phase = loop_phase::leaf;
  const std::uint64_t known = w.owner.rule.promotes() ? cost::iterations_in(target, cost::cost_of(*c.where)) : ~0ull;
  set_look(c, std::min(cost::next_chunk(ran, ticks, target), known));
  start_chunk(c, w);
  return false;
}

// --- loops that nest ---------------------------------------------------------------------------------------------

void become_exposed(loop_cursor& c) {
  takt::detail::expose(c, c.at, polls());
  set_look(c, abi::k_between_looks, 1);
}

void enter_exposed(worker& w, loop_cursor& c, std::uintptr_t stack) {
  if (credit_of(w) < 0) {
    if (stack != 0) {
      poll_pushed(w, 0, *c.where, stack);
    } else {
      poll(w, 0);
    }
    promote_at_begin(w, c.frame, k_unknown_ticks);
  }
  become_exposed(c);
}

// After the chunk of a loop that is not known to nest.
[[gnu::noinline]] void end_chunk(loop_cursor& c) {
  worker& w = *this_worker();
  const runtime_scope scope;
  bool nested = false;
  if (!ends_otherwise(w, c, nested)) nested = end_timed(w, c);
  if (nested) become_exposed(c);
}

// It is `now`. @returns whether it is known since when iterations have run; `wanted` of them are to run to the next look.
bool measure(const worker& w, loop_cursor& c, std::uint64_t now, std::uint64_t& wanted) {
  const std::uint64_t ran = c.at - c.timed;
  const std::uint64_t since = std::exchange(c.clock, now);
  if (since == 0 || ran == 0) return false;
  wanted = cost::next_chunk(ran, now - since, poll_target(w));
  return true;
}

// It is in the frame of the function that runs the loop.
std::uintptr_t stack_of(const loop_cursor& c) { return reinterpret_cast<std::uintptr_t>(&c); }

// Not inlined, so that who is only told that a loop is over does not save registers for it.
[[gnu::noinline]] void look_around(loop_cursor& c) {
  std::uint64_t wanted = std::max(2 * (c.at - c.timed), abi::k_between_looks);
  bool is_known = false;
  // What a nested loop charges tells when the clock is due; this loop's own part is small: one more read-modify-write
  // of the credit per iteration would be the longest chain of a short row.
  if (takt::detail::spend_constant<static_cast<std::int64_t>(abi::k_between_looks) * abi::k_iteration_units>()) {
    worker& w = *this_worker();
    const runtime_scope scope;
    poll_between(w, 0, stack_of(c));
    is_known = measure(w, c, w.reach.looked_at(), wanted);
    promote_at_begin(w, c.frame, k_unknown_ticks);
    c.polls_seen = polls();
  } else if (polls() != c.polls_seen) {
    // Iterations poll themselves: they are not short.
    c.polls_seen = polls();
    c.clock = 0;
    wanted = abi::k_between_looks;
  } else if (wanted > abi::k_between_looks) {
    worker& w = *this_worker();
    const runtime_scope scope;
    const std::uint64_t now = w.owner.clock.now();
    is_known = measure(w, c, now, wanted);
    // The credit may be the price of other code.
    if (now - w.reach.looked_at() >= poll_target(w)) {
      poll_between_at(w, now, stack_of(c));
      promote_at_begin(w, c.frame, k_unknown_ticks);
      c.polls_seen = polls();
    }
  }
  c.timed = c.at;
  set_look(c, std::max(wanted, abi::k_between_looks), is_known ? cost::strip_of(wanted) : 1);
}

// A brief loop has been charged as a whole; from here on its iterations are noted as they run.
void note_brief(worker& w, const loop_cursor& c) {
  const std::uint32_t unit_cost = cost::cost_of(*c.where);
  const std::uint64_t left = c.frame.end > c.at ? c.frame.end - c.at : 0;
  if (unit_cost != abi::k_unknown_cost) w.beat.was_charged(static_cast<std::int64_t>(left * unit_cost));
  note_credit(w);
}

// A loop that was known to be over soon. It is like any other if a poll is due, or it has been told to look.
[[gnu::noinline]] void look_at_brief(loop_cursor& c) {
  worker& w = *this_worker();
  const runtime_scope scope;
  const std::uint64_t now = w.owner.clock.now();
  if (credit_of(w) >= 0 && now - w.reach.looked_at() < w.owner.poll_ticks) {
    set_look(c, abi::k_between_looks, 1);
    return;
  }
  note_brief(w, c);
  poll_at(w, now);
  if (cost::nests(*c.where)) {
    become_exposed(c);
    return;
  }
  c.phase = loop_phase::unknown;
  set_look(c, 1);
  promote_at_begin(w, c.frame, k_unknown_ticks);
  start_chunk(c, w);
}

// Whether a look is due: that was known before; or the credit is used up, or somebody has cut it.
bool is_due(const loop_cursor& c) {
  return c.at >= c.look || (takt::detail::is_overdrawn() && credit_of(*this_worker()) < 0);
}

}  // namespace

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_loop_mark(takt::abi::slot*) {}

void takt_loop_enter(loop_cursor* c, std::uintptr_t stack) noexcept {
  worker& w = *this_worker();
  const runtime_scope scope;
  if (w.beat.is_watched()) note_environment_of(c->pushed);
  c->look = 0;
  tell_hints(w);
  if (c->phase == k_brief) note_brief(w, *c);
  w.loop.begun = &c->frame;
  if (takt::cost::nests(*c->where)) {
    enter_exposed(w, *c, stack);
  } else if (!enters_otherwise(w, *c)) {
    enter_leaf(w, *c);
  }
  w.loop.begun = nullptr;
}

loop_chunk takt_loop_next(loop_cursor* c) noexcept {
  if (c->phase == k_brief) {
    if (c->at < c->frame.end && is_due(*c)) look_at_brief(*c);
    return claim_strip(*c);
  }
  switch (c->phase) {
    case loop_phase::plain:
      c->chunk = c->frame.end - c->at;
      return takt::detail::claim_chunk(*c);
    case loop_phase::exposed:
      if (is_due(*c)) look_around(*c);
      return claim_strip(*c);
    case loop_phase::unknown:
    case loop_phase::leaf:
      // What comes last is timed, too.
      if (c->at != c->timed && (c->at >= c->frame.end || is_due(*c))) end_chunk(*c);
      return claim_strip(*c);
    default:
      if (c->at != c->timed) end_chunk(*c);
      return takt::detail::claim_chunk(*c);
  }
}
}
