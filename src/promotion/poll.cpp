// Beats by polling on credit. See README.md beside this file.
#include "promotion/beat.hpp"
#include "cost/band.hpp"
#include "cost/credit.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"
#include "observe/trace.hpp"
#include "stop/stop.hpp"

#include <algorithm>

namespace takt::core {

void note_credit(worker& w) noexcept {
  const std::int64_t used =
      w.beat.credit_noted - shown_credit() + static_cast<std::int64_t>(w.loop.take_ticks()) * abi::k_units_per_tick;
  if (used > 0) w.owner.simulator.note(platform::action::credit, static_cast<std::uint64_t>(used));
  w.beat.credit_noted = shown_credit();
}

void look_at_next(worker& w) noexcept {
  if (w.owner.policy->divides(w)) poll_at_next(w);
}

void poll_at_next(worker& w) noexcept {
  note_credit(w);
  show_credit(-w.beat.watch);
  w.beat.credit_noted = -w.beat.watch;
  w.beat.refilled = false;
  store_free_top(0);
}

// The next early promotion waits for part of a beat. The next beat does not wait for early ones.
static void begin_early(worker& w, std::uint64_t now) noexcept {
  w.beat.early_from = now + w.owner.beat_ticks / cost::k_early_share;
}

// It is N of the program's own work: what a promotion took does not count.
static void begin_beat(worker& w, std::uint64_t now) noexcept {
  w.beat.last_promotion = now;
  w.beat.kept = false;
  begin_early(w, now);
}

bool spread(worker& w, known_loop leaf) noexcept {
  if (!w.owner.rule.looks_at_thieves() || !spread_known(w, leaf)) return false;
  // A beat that is due is spent with it.
  is_early(w) ? begin_beat(w, w.owner.clock.now()) : count_beat(w);
  look_at_next(w);
  return true;
}

void leave_free_band(worker& w) noexcept {
  if (free_top() == 0) return;
  store_free_top(0);
  w.beat.band_rest = cost::k_learned_polls;
}

void start_beats(worker& w, std::uint64_t now, bool stolen) noexcept {
  w.beat.last_poll = now;
  begin_beat(w, now);
  if (stolen) w.beat.early_from = now;
  w.beat.rule.begin_task(now);
  beats_go_on(w);
}

bool promote_at_beat(worker& w, bool in_signal_handler, std::uint32_t environment) noexcept {
  if (!promote_oldest(w, in_signal_handler, environment)) return false;
  if (!w.owner.rule.looks_at_thieves() || w.beat.done_by_others.load(sync::relaxed) == 0) return true;
  const std::uint32_t wanted = 2 * w.beat.done_by_others.exchange(0, sync::relaxed);
  std::uint32_t n = 1;
  while (n < wanted && promote_oldest(w, in_signal_handler, environment)) ++n;
  // For what comes next: a group has one child at its first poll. More than there are workers would go to nobody.
  if (n < wanted) w.beat.done_by_others.store(std::min((wanted - n) / 2, w.owner.worker_count()), sync::relaxed);
  return true;
}

bool spend_beat(worker& w) noexcept {
  if (is_early(w)) {
    if (!promote_oldest(w)) return false;
    begin_early(w, w.owner.clock.now());
  } else {
    if (!promote_at_beat(w, false, floating_point_environment())) return false;
    count_beat(w);
  }
  look_at_next(w);
  return true;
}

void count_due_beat(worker& w) noexcept {
  w.stats.beats_due.add();
  trace::note(w, trace::kind::beat);
}

void count_beat(worker& w) noexcept {
  if (!takes_a_beat(w)) return;
  // With N = 0 every poll is a beat, also a second one at the same time.
  if (!w.beat.kept) count_due_beat(w);
  begin_beat(w, w.owner.clock.now());
  w.stats.beats_taken.add();
}

namespace {

// Forks push frames without a look at what is left of the latent stack: they must poll before it can be full, so the
// credit pays for no more frames than have room. @returns whether it is as wanted.
bool set_credit(worker& w, std::int64_t wanted) noexcept {
  const std::int64_t most =
      std::max<std::int64_t>(w.scheduler.current()->frames.room(takt_hot.head), 0) * abi::k_fork_units;
  const std::int64_t credit = std::min(wanted, most);
  show_credit(credit - w.beat.watch);
  w.beat.credit_noted = credit - w.beat.watch;
  return credit == wanted;
}

bool is_oldest_latent(const abi::loop_frame& frame) noexcept {
  const abi::slot* const s = takt_hot.split;
  return s < takt_hot.head && s->run == &takt_loop_mark &&
         *reinterpret_cast<abi::loop_frame* const*>(s->payload) == &frame;
}

// What every look at the clock does once the refill is settled.
void spend_due_beat(worker& w, std::uint64_t now, const abi::loop_frame* leaf) noexcept {
  w.beat.last_poll = now;
  w.beat.refilled = set_credit(w, w.beat.refill);
  if (w.owner.rule.counts_beats() && is_beat_due(w, now) && !w.beat.kept) {
    // A beat that finds nothing to promote is kept, as one token.
    w.beat.kept = true;
    count_due_beat(w);
  }
  const bool goes_by_what_is_left = leaf != nullptr && is_early(w) && is_oldest_latent(*leaf);
  if (!goes_by_what_is_left && may_promote(w)) spend_beat(w);
}

// What does not depend on beats. @returns false when that was all.
bool begin_poll(worker& w, std::uint64_t now) noexcept {
  w.stats.polls.add();
  ++takt_hot.polls;
  // Kept by poll_pushed and poll_between alone: where anything else polls, there is more than forks and tasks.
  store_free_top(0);
  w.reach.looks(now);
  look_at_environment(w);
  if (w.beat.granted.over(now)) end_free_loops(w);
  if (w.beat.rule.sets_refill()) w.beat.refill = w.beat.rule.refill_after_poll(now, w.owner.beat_ticks);
  if (!w.seat.is_held()) w.owner.attach(w);
  if (w.reach.is_signal_sent()) take_signal_back(w);
  w.owner.policy->serve(w, false);
  w.beat.wanted = w.owner.rule.looks_at_thieves() && w.owner.more_look_than(w, 0);
  if (leaves_it_to_beats(w)) return true;
  set_credit(w, credit_without_beats(w));
  return false;
}

}  // namespace

void poll(worker& w, std::int64_t charge) noexcept {
  show_credit(shown_credit() + charge);
  note_credit(w);
  const std::uint64_t now = w.owner.clock.now();
  if (!begin_poll(w, now)) return;
  if (w.beat.refilled && !w.beat.rule.sets_refill()) {
    w.beat.refill = cost::next_refill(w.beat.refill, now - w.beat.last_poll, w.beat.refill - credit_of(w),
        poll_target(w));
  }
  spend_due_beat(w, now, nullptr);
}

void poll_at(worker& w, std::uint64_t now, const abi::loop_frame* leaf) noexcept {
  if (begin_poll(w, now)) spend_due_beat(w, now, leaf);
}

namespace {

// Whether forks may run free at all.
bool may_run_free(const worker& w) noexcept {
  return reaches_free_code(w) && w.owner.poll_ticks != 0 && !w.beat.rule.sets_refill() &&
         !must_poll(*w.scheduler.current(), abi::stop_reach::all);
}

// What a fork takes of the stack, by what those take that a function with that stack pointer stands in.
std::uintptr_t level_at(const worker& w, std::uintptr_t stack) noexcept {
  return cost::bytes_of_level(reinterpret_cast<std::uintptr_t>(w.scheduler.current()->stack.memory.middle) - stack,
                              static_cast<std::uintptr_t>(w.scheduler.current()->frames.index(takt_hot.head)));
}

}  // namespace

// After a poll between two pieces of work of a function with that stack pointer: what was short below it still is.
static void keep_band(worker& w, std::uintptr_t top, std::uintptr_t stack) noexcept {
  if (top != 0 && may_run_free(w)) store_free_top(cost::next_top(top, stack, level_at(w, stack), 0));
}

void poll_between(worker& w, std::int64_t charge, std::uintptr_t stack) noexcept {
  const std::uintptr_t top = free_top();
  poll(w, charge);
  keep_band(w, top, stack);
}

void poll_between_at(worker& w, std::uint64_t now, std::uintptr_t stack) noexcept {
  const std::uintptr_t top = free_top();
  poll_at(w, now);
  keep_band(w, top, stack);
}

void poll_pushed(worker& w, std::int64_t charge, abi::site& where, std::uintptr_t stack) noexcept {
  const std::uintptr_t top = free_top();
  const std::int64_t spent = w.beat.refill - credit_of(w) - charge;
  poll(w, charge);
  if (!may_run_free(w)) return;
  if (w.beat.band_rest != 0) {
    --w.beat.band_rest;
    return;
  }
  const std::int64_t frames = spent / abi::k_fork_units;
  const std::uintptr_t level = level_at(w, stack);
  if (frames > cost::k_many_frames) __atomic_store_n(&where.free_band, cost::k_free_levels * level, __ATOMIC_RELAXED);
  store_free_top(cost::next_top(top, stack, level, frames));
}

}  // namespace takt::core

namespace {

using namespace takt::core;
using takt::abi::fork_way;

// Whether a site is known to take less than a beat: not worth a token.
bool shorter_than_beat(const worker& w, std::uint64_t span_ticks) { return span_ticks < w.owner.beat_ticks; }

}  // namespace

extern "C" {

std::uint64_t takt_clock() noexcept { return takt::platform::current().now(); }

fork_way takt_fork_poll(takt::abi::site* where, std::int64_t units, std::uintptr_t stack) {
  worker* w = this_worker();
  if (w == nullptr) {
    show_credit(0);
    return fork_way::outside;
  }
  const runtime_scope scope;
  if (w->beat.watch != 0) {
    note_environment_of(takt_hot.head);
    if (credit_of(*w) >= 0) return fork_way::charged;
  }
  poll_pushed(*w, units, *where, stack);
  if (!w->scheduler.current()->frames.has_room(takt_hot.head)) return fork_way::plain;
  if (w->beat.watch != 0) note_environment_of(takt_hot.head);
  // Unlike a loop, the fork is not charged again.
  w->owner.simulator.note(takt::platform::action::credit, static_cast<std::uint64_t>(units));
  return fork_way::inside;
}

void takt_fork_pushed(takt::abi::site* where) {
  worker* w = this_worker();
  const runtime_scope scope;
  tell_hints(*w);
  const std::uint64_t span = __atomic_load_n(&where->span_ticks, __ATOMIC_RELAXED);
  if (!leaves_it_to_beats(*w)) return;
  if (spread(*w, {})) return;
  if (may_promote(*w)) {
    if (!shorter_than_beat(*w, span)) {
      if (spend_beat(*w)) return;
    }
    return;
  }
  if (span < takt::cost::k_silent_beats * w->owner.beat_ticks) return;
  // A fork that may be long follows a promotion closely: its beat may fall into a leaf that never polls. Somebody must
  // be awake then to send a signal. Where signals are wanted and this thread blocks them, the beat is spent before it
  // is due.
  const bool none_arrives = w->owner.settings.interrupts && !w->reach.heard();
  if (none_arrives && w->owner.rule.looks_at_thieves() && !offers_task(*w)) {
    spend_beat(*w);
  } else {
    w->owner.ask_for_company(w->scheduler.current()->run.scope());
  }
}

void takt_fork_done(takt::abi::site* where, std::uint64_t begun) {
  const std::uint64_t took = takt_clock() - begun;
  const std::uint64_t before = __atomic_load_n(&where->span_ticks, __ATOMIC_RELAXED);
  const std::uint64_t after = before == ~0ull ? took : before - before / 4 + took / 4;
  __atomic_store_n(&where->span_ticks, after, __ATOMIC_RELAXED);
}
}
