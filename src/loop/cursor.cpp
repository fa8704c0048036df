// Loops under way: how many iterations are claimed at a time. See README.md beside this file.
#include "promotion/beat.hpp"
#include "cost/chunks.hpp"
#include "cost/claims.hpp"
#include "loop/loop.hpp"
#include "loop/other_chunks.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"

#include <takt/detail/loop.hpp>

#include <algorithm>

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
      w.loop.burst.add(w.beat.last_poll, ticks, r.spin_ticks, std::max(r.least_wake_ticks, r.beat_ticks));
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
    if (worth_it) spend_beat(w);
  } else if (worth_it && estimated_ticks >= cost::k_silent_beats * w.owner.beat_ticks) {
    // The loop follows a promotion closely: the beat may fall into an iteration that never polls.
    w.owner.ask_for_company(w.scheduler.current()->run.scope());
  }
  return false;
}

void watch_chunk(loop_cursor& c, const worker& w) noexcept {
  c.polls_seen = takt_hot.polls;
  // In this order: a cut of the credit that is not counted here is not in it either.
  c.cuts_seen = w.beat.cuts.load(sync::acquire);
  c.credit_seen = shown_credit();
}

bool learns_that_it_nests(const loop_cursor& c, const worker& w) noexcept {
  // EDGE credit.cut
  const bool changed = __atomic_load_n(&takt_hot.credit, __ATOMIC_ACQUIRE) != c.credit_seen;
  if ((!changed && takt_hot.polls == c.polls_seen) || w.beat.cuts.load(sync::relaxed) != c.cuts_seen) return false;
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

void set_chunk(loop_cursor& c, std::uint64_t wanted) {
  // Bounded by what is left, so that at + chunk cannot wrap around.
  c.chunk = cost::cut_chunk(c.at, wanted, c.frame.end > c.at ? c.frame.end - c.at : 1);
}

// What a chunk is to take.
std::uint64_t target_of(const worker& w) {
  return w.owner.rule.promotes() ? w.owner.poll_ticks : ~0ull;
}

void enter_leaf(worker& w, loop_cursor& c) {
  const std::uint32_t unit_cost = cost::cost_of(*c.where);
  std::uint64_t ticks = k_unknown_ticks;
  if (unit_cost == abi::k_unknown_cost) {
    c.phase = loop_phase::unknown;
    c.chunk = 1;
  } else {
    c.phase = loop_phase::leaf;
    set_chunk(c, w.owner.rule.promotes() ? cost::iterations_in(w.owner.poll_ticks, unit_cost) : ~0ull);
    // The one that is claimed is given away, too, if the loop is to be divided further.
    const std::uint64_t count = w.owner.policy->divides(w) ? c.frame.end - c.at : remaining(c.frame);
    ticks = cost::estimate_ticks(count, unit_cost);
  }
  if (!promote_at_begin(w, c.frame, ticks)) w.scheduler.current()->run.parted = false;
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
  poll_at(w, now);
  // Who looks for work does not wait for the next beat: most of all at the end of the loop, where no other part of it
  // is left to be taken. What one iteration took says little of what is left; and another worker may have seen it nest.
  if (const std::uint32_t unit = cost::cost_of(*c.where);
      (c.phase == loop_phase::leaf || ran > 1) && unit != abi::k_unknown_cost) {
    spread(w, {&c.frame, cost::estimate_ticks(remaining(c.frame), unit)});
  }
  if (ticks > target / 2) c.phase = loop_phase::leaf;
  set_chunk(c, cost::next_chunk(ran, ticks, target));
  start_chunk(c, w);
  return false;
}

// --- loops that nest ---------------------------------------------------------------------------------------------

void become_exposed(loop_cursor& c) {
  takt::detail::expose(c, c.at, polls());
  c.look = c.at + abi::k_between_looks;
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

void set_claims(loop_cursor& c, const cost::claims& next) {
  c.chunk = next.chunk;
  c.most = next.most;
}

void measure_claims(const worker& w, loop_cursor& c, std::uint64_t now) {
  const std::uint64_t ran = c.clock == 0 ? 0 : c.at - c.timed;
  if (ran != 0) set_claims(c, cost::measured_claims(c.chunk, ran, now - c.clock, w.owner.poll_ticks));
  c.clock = now;
  c.timed = c.at;
}

// No poll fell into the last ones.
void grow_claims(worker& w, loop_cursor& c) {
  if (c.chunk == 1 && c.clock == 0) {
    set_claims(c, w.loop.claims.after_first(c.where, polls()));
  } else if (c.chunk != 1 && c.chunk < abi::k_between_looks) {
    c.chunk *= 2;
  } else {
    const runtime_scope scope;
    measure_claims(w, c, w.owner.clock.now());
    w.loop.claims.remember(c.where, c.chunk, polls());
  }
}

// How many to claim at a time from here on: src/cost/claims.hpp has the ladder. Not inlined, so that who is only told
// that a loop is over does not save registers for it.
[[gnu::noinline]] void look_around(loop_cursor& c) {
  // What a nested loop charges tells when the clock is due; this loop's own part is small: one more read-modify-write
  // of the credit per iteration would be the longest chain of a short row.
  if (takt::detail::spend_constant<static_cast<std::int64_t>(abi::k_between_looks) * abi::k_iteration_units>()) {
    worker& w = *this_worker();
    const runtime_scope scope;
    poll(w, 0);
    measure_claims(w, c, w.reach.last_look.load(sync::relaxed));
    // The halves begin with it, if this poll makes tasks of the loop.
    if (c.chunk == c.most) w.loop.claims.remember(c.where, c.chunk, polls());
    promote_at_begin(w, c.frame, k_unknown_ticks);
    c.polls_seen = polls();
  } else if (polls() != c.polls_seen) {
    c.polls_seen = polls();
    c.clock = 0;
    set_claims(c, cost::claims_after_poll(c.chunk));
  } else if (c.chunk < c.most) {
    grow_claims(*this_worker(), c);
  }
  c.look = c.at + std::max(c.chunk, abi::k_between_looks);
}

}  // namespace

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_loop_mark(takt::abi::slot*) {}

void takt_loop_enter(loop_cursor* c, std::uintptr_t stack) noexcept {
  worker& w = *this_worker();
  const runtime_scope scope;
  if (w.beat.watch != 0) note_environment_of(c->pushed);
  c->look = 0;
  tell_hints(w);
  w.loop.begun = &c->frame;
  if (takt::cost::nests(*c->where)) {
    enter_exposed(w, *c, stack);
  } else if (!enters_otherwise(w, *c)) {
    enter_leaf(w, *c);
  }
  w.loop.begun = nullptr;
}

loop_chunk takt_loop_next(loop_cursor* c) noexcept {
  switch (c->phase) {
    case loop_phase::plain:
      c->chunk = c->frame.end - c->at;
      break;
    case loop_phase::exposed:
      if (c->at >= c->look) look_around(*c);
      break;
    case loop_phase::unknown:
    case loop_phase::leaf:
    default:
      if (c->at != c->timed) end_chunk(*c);
      break;
  }
  return takt::detail::claim_chunk(*c);
}
}
