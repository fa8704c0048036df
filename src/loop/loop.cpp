// Loops: when to run plainly, how long a chunk is, what a site has learned. See README.md beside this file.
#include "beat/beat.hpp"
#include "loop/loop.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"

#include <takt/detail/hot.hpp>

#include <algorithm>
#include <iterator>

namespace takt::core {

namespace {

using abi::loop_entry;
using abi::loop_frame;
using abi::site;

// One in so many short loops is timed.
constexpr std::uint64_t k_timed_share = 16;
constexpr std::uint64_t k_few_iterations = 64;
// A leaf loop is free when it takes less than this share of the time between polls, two microseconds by default. One in
// the middle of a nest may take all of the time between polls: it is over before a poll could make tasks of it.
constexpr std::uint64_t k_free_share = 8;
// Such loops are free up to so many times the iterations of the one that was timed: they need not be alike.
constexpr std::uint64_t k_most_grown = 8;
// A chunk of a leaf loop takes so small a share of what is left of the loop, at least the time between polls and at
// most twice that, a beat.
constexpr std::uint64_t k_chunks_left = 64;
constexpr std::uint64_t k_longest_chunk = 2;
// Claims of a loop that nests grow while they take less than this share of the time between polls.
constexpr std::uint64_t k_claim_share = 4;
constexpr std::uint64_t k_most_claimed = 256;
// A cost that has become wrong meanwhile is seen by nobody for so many times the time between polls.
constexpr std::uint64_t k_free_polls = 60;
constexpr std::uint32_t k_most_cost = abi::k_unknown_cost - 1;
// The estimate for a loop that nests. Not ~0: the length of its iterations is not unknown.
constexpr std::uint64_t k_nested_ticks = ~0ull - 1;

std::uint32_t cost_of(const site& s) { return __atomic_load_n(&s.unit_cost, __ATOMIC_RELAXED); }
bool known_nested(const site& s) { return __atomic_load_n(&s.nested, __ATOMIC_RELAXED) != 0; }

void set_free_below(site& s, std::uint64_t below) {
  __atomic_store_n(&s.free_below, below, __ATOMIC_RELAXED);
  __atomic_store_n(&s.free_past, below == 0 ? ~0ull : 0 - below, __ATOMIC_RELAXED);
}

void take_off_fast_path(site& s) {
  __atomic_store_n(&s.unit_cost, abi::k_unknown_cost, __ATOMIC_RELAXED);
  set_free_below(s, 0);
}

/// Estimated ticks of `count` iterations; saturates.
std::uint64_t estimate_ticks(std::uint64_t count, std::uint32_t unit_cost) {
  std::uint64_t units;
  if (__builtin_mul_overflow(count, std::uint64_t{unit_cost}, &units)) return ~0ull;
  return units / static_cast<std::uint64_t>(abi::k_units_per_tick);
}

// Moving average. A fall is followed faster than a rise, which is at most a factor of two at a time: measurements err
// by what they include (the clock itself, a suspended fiber, a descheduled thread), never by what they leave out. But
// what took more than `late` should have had a poll in it, and is believed at once: most likely dear iterations follow
// cheap ones, and if not, the next fall is as quick.
void learn_cost(site& s, std::uint64_t ticks, std::uint64_t iterations, std::uint64_t late) {
  if (known_nested(s)) return;
  const std::uint64_t units = ticks * static_cast<std::uint64_t>(abi::k_units_per_tick) / iterations;
  const auto seen = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(units, 1, k_most_cost));
  const std::uint32_t before = cost_of(s);
  std::uint32_t after = seen;
  if (before != abi::k_unknown_cost && seen < before && seen > before / 2) after = before - (before - seen) / 2;
  if (before != abi::k_unknown_cost && seen > before && ticks <= late) {
    after = std::min(before + (seen - before) / 4 + 1, 2 * before);
  }
  __atomic_store_n(&s.unit_cost, std::min(after, k_most_cost), __ATOMIC_RELAXED);
}

std::uint64_t most_free_ticks(const worker& w) { return w.owner.poll_ticks / k_free_share; }

std::uint64_t free_below_of(const site& s) { return __atomic_load_n(&s.free_below, __ATOMIC_RELAXED); }

void grant(worker& w, site& s, std::uint64_t below) {
  if (!reaches_free_code(w)) return;
  if (below < 2 || free_below_of(s) != 0 || w.free_count == worker::k_most_free) return;
  // Code that may be unloaded unnoticed is charged: the grant could not be taken back.
  const void* const loaded_as = w.owner.os.loaded_as(&s);
  if (loaded_as == nullptr) return;
  if (w.free_count == 0) w.free_until = w.last_poll + k_free_polls * w.owner.poll_ticks;
  w.free_sites[w.free_count++] = {&s, loaded_as, below};
  set_free_below(s, below);
}

// This worker's grant, which it takes back; null if there is none.
worker::free_site* granted(worker& w, const site& s) {
  worker::free_site* const end = w.free_sites + w.free_count;
  worker::free_site* const found =
      std::find_if(w.free_sites, end, [&s](const worker::free_site& f) { return f.where == &s; });
  return found != end ? found : nullptr;
}

// A library that has been unloaded since took its sites with it. Another one may lie there now: what is not as the
// grant has left it is not touched.
void take_back(worker& w, const worker::free_site& f) {
  if (w.owner.os.loaded_as(f.where) == f.loaded_as && free_below_of(*f.where) == f.below) set_free_below(*f.where, 0);
}

void grant_free_loops(worker& w, site& s) {
  if (known_nested(s)) return;
  grant(w, s, most_free_ticks(w) * static_cast<std::uint64_t>(abi::k_units_per_tick) / cost_of(s));
}

// Remembers what a chunk starts from, so that its end can tell whether it nested.
void watch_chunk(loop_frame& frame, const worker& w) {
  frame.polls_seen = takt_hot.polls;
  // In this order: a cut of the credit that is not counted here is not in it either.
  frame.signals_seen = w.cuts.load(sync::acquire);
  frame.credit_seen = shown_credit();
}

// And how long it took.
void start_chunk(loop_frame& frame, const worker& w, std::uint64_t now) {
  frame.last_clock = now;
  watch_chunk(frame, w);
}

// Whether something in the chunk forked or looped. (A chunk in which the credit was cut does not tell.)
bool chunk_nested(const loop_frame& frame, const worker& w) {
  // EDGE credit.cut
  const bool changed = __atomic_load_n(&takt_hot.credit, __ATOMIC_ACQUIRE) != frame.credit_seen;
  return (changed || takt_hot.polls != frame.polls_seen) && w.cuts.load(sync::relaxed) == frame.signals_seen;
}

void learn_that_it_nests(loop_frame& frame) {
  frame.nested = 1;
  __atomic_store_n(&frame.where->nested, 1u, __ATOMIC_RELAXED);
  take_off_fast_path(*frame.where);
}

std::uint64_t remaining(const loop_frame& frame) { return frame.end > frame.next ? frame.end - frame.next : 0; }

// From the time between polls, for the end of a loop is to be shared, up to k_longest_chunk times that: each chunk's
// end costs a hundredth of it.
std::uint64_t chunk_ticks(const worker& w, std::uint64_t ticks) {
  return std::clamp(ticks, w.owner.poll_ticks, k_longest_chunk * w.owner.poll_ticks);
}

// A leaf loop claims what runs until the next poll, at most `most`, from iteration `at` on.
void set_chunk(loop_frame& frame, const worker& w, std::uint64_t at, std::uint64_t most) {
  // Bounded by what is left, so that at + chunk cannot wrap around.
  const std::uint64_t left = frame.end > at ? frame.end - at : 1;
  const std::uint32_t cost = cost_of(*frame.where);
  const std::uint64_t target = chunk_ticks(w, estimate_ticks(left, cost) / k_chunks_left);
  std::uint64_t chunk = w.owner.settings.trigger == trigger::never
                            ? most
                            : target * static_cast<std::uint64_t>(abi::k_units_per_tick) / cost;
  chunk = std::min(chunk, most);
  chunk = std::clamp<std::uint64_t>(chunk, 1, left);
  frame.chunk = chunk == left ? left : cut_at_lines(at, at + chunk) - at;
}

// A beat that is due, or the trigger, may turn the loop that was just pushed, or an older frame, into tasks.
void promote_at_begin(worker& w, const loop_frame& frame, std::uint64_t estimated_ticks) {
  if (remaining(frame) == 0) return;
  switch (w.owner.settings.trigger) {
    case trigger::never:
      return;
    case trigger::eager:
      while (promote_oldest(w)) {
      }
      return;
    case trigger::beat:
    case trigger::lazy:
    case trigger::request:
      break;
  }
  if (may_promote(w)) {
    if (estimated_ticks >= w.owner.beat_ticks) spend_beat(w);
  } else if (estimated_ticks >= 2 * w.owner.beat_ticks &&
             (remaining(frame) < k_few_iterations || estimated_ticks == ~0ull)) {
    // Iterations that are few or of unknown length follow a promotion closely: the beat may fall into one that never
    // polls.
    w.owner.ask_for_company(w.current->scope);
  }
}

worker::site_claim& claim_of_site(worker& w, const site* where) {
  return w.claims[reinterpret_cast<std::uintptr_t>(where) / sizeof(site) % std::size(w.claims)];
}

// How many iterations a loop that nests is to claim at a time after its first ones, which claimed one each: as many as
// the loop of this site before it, a quarter for each poll since. The clock is not read for a loop of a few hundred
// iterations then.
std::uint64_t remembered_claim(worker& w, loop_frame& frame) {
  const worker::site_claim& last = claim_of_site(w, frame.where);
  const std::uint64_t polls = takt_hot.polls - last.polls;
  constexpr std::uint64_t k_first = 2;
  if (last.where != frame.where || polls > 2 || last.chunk >> 2 * polls <= k_first) return k_first;
  // What was measured since the last poll need not be measured again.
  if (polls == 0) frame.chunk = last.chunk;
  return last.chunk >> 2 * polls;
}

// How many iterations a loop that nests is to claim at a time, by how long those since the last look took.
std::uint64_t measured_claim(const worker& w, loop_frame& frame, std::uint64_t at, std::uint64_t chunk,
                             std::uint64_t now) {
  const bool is_first = frame.last_clock == 0;
  const std::uint64_t ticks = now - frame.last_clock;
  const std::uint64_t ran = is_first ? 0 : at - frame.timed;
  frame.last_clock = now;
  frame.timed = at;
  if (ran == 0) return chunk;
  const std::uint64_t target = w.owner.poll_ticks / k_claim_share;
  const std::uint64_t claim_ticks = ticks / ran * chunk;
  if (claim_ticks < target && chunk < k_most_claimed) {
    frame.chunk = k_most_claimed;
    return std::min(2 * chunk, k_most_claimed);
  }
  if (claim_ticks > 2 * target) chunk = std::max<std::uint64_t>(chunk / 2, 1);
  frame.chunk = chunk;
  return chunk;
}

}  // namespace

bool sample_nested(worker& w) noexcept {
  return reaches_free_code(w) && w.owner.settings.chunking == chunking::time && w.owner.poll_ticks != 0 &&
         ++w.nested_loops % k_timed_share == 0;
}

void learn_nested(worker& w, site& s, std::uint64_t count, std::uint64_t ticks) noexcept {
  const std::uint64_t most = w.owner.poll_ticks;
  if (ticks == 0 || ticks >= most) return;
  const std::uint64_t below = std::min(most / ticks, k_most_grown) * count + 1;
  if (free_below_of(s) == 0) {
    grant(w, s, below);
  } else if (worker::free_site* const mine = below > free_below_of(s) ? granted(w, s) : nullptr; mine != nullptr) {
    mine->below = below;
    set_free_below(s, below);
  }
}

namespace {

// What this loop may run of the worker's chunk, whose rest is the credit.
void set_polled_chunk(const worker& w, loop_frame& frame, std::uint64_t left) {
  constexpr std::int64_t k_units = polled_chunks::k_units;
  const auto rest = static_cast<std::uint64_t>((std::max<std::int64_t>(credit_of(w), 1) + k_units - 1) / k_units);
  // A site that has never run is watched for one iteration: chunks are for loops that do not nest.
  frame.chunk = std::min(cost_of(*frame.where) == abi::k_unknown_cost ? 1 : rest, left);
}

void poll_after_chunk(worker& w) {
  if (credit_of(w) > 0) return;
  const runtime_scope scope;
  poll(w, 0);
}

}  // namespace

void begin_polled(loop_frame& frame, std::uint64_t left) noexcept {
  worker* w = this_worker();
  frame.nested = 0;
  if (w->owner.settings.trigger == trigger::eager) {
    const runtime_scope scope;
    promote_at_begin(*w, frame, ~0ull);
  }
  // The loop before this one may have ended with its chunk, in place.
  poll_after_chunk(*w);
  set_polled_chunk(*w, frame, left);
  watch_chunk(frame, *w);
}

void end_polled(loop_frame& frame, std::uint64_t ran, std::uint64_t left) noexcept {
  worker* w = this_worker();
  if (chunk_nested(frame, *w)) {
    learn_that_it_nests(frame);
  } else {
    set_polled_cost(*frame.where);
  }
  (void)takt::detail::spend(static_cast<std::int64_t>(ran) * polled_chunks::k_units);
  poll_after_chunk(*w);
  set_polled_chunk(*w, frame, left);
  watch_chunk(frame, *w);
}

void set_polled_cost(site& s) noexcept {
  if (known_nested(s)) return;
  if (cost_of(s) != polled_chunks::k_units) __atomic_store_n(&s.unit_cost, polled_chunks::k_units, __ATOMIC_RELAXED);
}

void end_free_loops(worker& w) noexcept {
  if (w.free_count == 0) return;
  // The next ones of each kind are timed, so that what is still short is soon free again.
  w.short_loops = k_timed_share - 1;
  w.nested_loops = k_timed_share - 1;
  for (; w.free_count != 0; --w.free_count) {
    take_back(w, w.free_sites[w.free_count - 1]);
  }
}

}  // namespace takt::core

using namespace takt::core;
using takt::trigger;

extern "C" {

void takt_loop_mark(takt::abi::slot*) {}

loop_entry takt_loop_poll(site* where, std::uint64_t count, std::int64_t units) {
  worker* w = this_worker();
  const std::uint32_t cost = cost_of(*where);
  const bool unknown = cost == takt::abi::k_unknown_cost;
  const bool nested = known_nested(*where);
  if (w == nullptr) {
    show_credit(0);
    // Known to be shorter than what entering a parallel call could gain.
    if (unknown || nested || estimate_ticks(count, cost) >= process::short_call_ticks.load(takt::sync::relaxed)) return loop_entry::outside;
    return ++takt_hot.polls % k_timed_share == 0 ? loop_entry::timed : loop_entry::plain;
  }
  const runtime_scope scope;
  // Only looked in, with credit to spare.
  if (w->watch != 0 && credit_of(*w) >= 0 && !unknown && !nested) return loop_entry::plain;
  const trigger t = w->owner.settings.trigger;
  const std::uint64_t until_poll = w->owner.poll_ticks;
  if (promotes_at_polls(t) && !unknown && !nested) {
    // Credit is priced by what is charged most, often forks; a loop that is dear in it may still be short. Such loops
    // have an account of their own, in time, and are neither polled at nor timed each time.
    w->loop_ticks += estimate_ticks(count, cost);
    if (w->loop_ticks < until_poll) {
      // One unit stays charged: a loop around this one sees by it that it nests.
      show_credit(shown_credit() + units - 1);
      return ++w->short_loops % k_timed_share == 0 ? loop_entry::timed : loop_entry::plain;
    }
  }
  poll(*w, units);
  // A thread that has not seen yet that the site nests may have taught it a cost.
  if (nested) take_off_fast_path(*where);
  if (unknown || nested) return loop_entry::framed;
  if (t == trigger::never) {
    show_credit(shown_credit() - units);
    return loop_entry::plain;
  }
  if (t == trigger::eager || estimate_ticks(count, cost) > until_poll) return loop_entry::framed;
  // Short enough to end before the next poll is due. It may overdraw the credit: the next construct then polls, and
  // the refill follows.
  show_credit(shown_credit() - units);
  return loop_entry::timed;
}

void takt_loop_timed(site* where, std::uint64_t count, std::uint64_t ticks) {
  const std::uint64_t took = takt::platform::current().took(count, ticks);
  worker* w = this_worker();
  learn_cost(*where, took, count, w == nullptr ? ~0ull : 2 * w->owner.poll_ticks);
  if (w == nullptr) return;
  const runtime_scope scope;
  grant_free_loops(*w, *where);
}

void takt_loop_begin(loop_frame* frame) {
  worker* w = this_worker();
  const runtime_scope scope;
  const std::uint32_t cost = cost_of(*frame->where);
  const bool unknown = cost == takt::abi::k_unknown_cost;
  frame->nested = 0;
  if (w->watch != 0) note_environment_of(takt_hot.head - 1);
  // A site that has never run measures its first iteration, and watches whether it nests.
  if (unknown) {
    frame->chunk = 1;
  } else {
    set_chunk(*frame, *w, frame->next - 1, ~0ull);
  }
  tell_hints(*w);
  promote_at_begin(*w, *frame, unknown ? ~0ull : estimate_ticks(remaining(*frame), cost));
  start_chunk(*frame, *w, w->owner.os.now());
}

void takt_loop_chunk(loop_frame* frame, std::uint64_t ran) {
  worker* w = this_worker();
  const runtime_scope scope;
  if (chunk_nested(*frame, *w)) learn_that_it_nests(*frame);
  note_credit(*w);
  w->owner.os.note(takt::platform::action::iterations, ran);
  const std::uint64_t now = w->owner.os.now();
  const std::uint64_t ticks = w->owner.os.took(ran, now - frame->last_clock);
  const std::uint32_t cost = cost_of(*frame->where);
  const std::uint64_t target = chunk_ticks(*w, cost == takt::abi::k_unknown_cost ? 0 : estimate_ticks(ran, cost));
  learn_cost(*frame->where, ticks, ran, 2 * target);
  grant_free_loops(*w, *frame->where);
  // The chunk's time is known, so nothing is to be learned about the price of credit.
  poll_at(*w, now);
  // This loop's iterations may be much dearer than those that the site has seen so far.
  const bool was_long = target != 0 && ticks / target > 1 && w->owner.settings.trigger != trigger::never;
  set_chunk(*frame, *w, frame->next, was_long ? ran / (ticks / target) + 1 : 2 * ran);
  start_chunk(*frame, *w, now);
}

std::uint64_t takt_loop_claims(loop_frame* frame, std::uint64_t at, std::uint64_t chunk) {
  worker* w = this_worker();
  const runtime_scope scope;
  if (chunk == 1 && frame->last_clock == 0) return remembered_claim(*w, *frame);
  const std::uint64_t next = measured_claim(*w, *frame, at, chunk, w->owner.os.now());
  claim_of_site(*w, frame->where) = {frame->where, next, takt_hot.polls};
  return next;
}

std::uint64_t takt_loop_due(loop_frame* frame, std::uint64_t at, std::uint64_t chunk) {
  worker* w = this_worker();
  const runtime_scope scope;
  poll(*w, 0);
  const std::uint64_t next = measured_claim(*w, *frame, at, chunk, w->last_look.load(takt::sync::relaxed));
  // The halves begin with it, if this poll makes tasks of the loop.
  if (next == frame->chunk) claim_of_site(*w, frame->where) = {frame->where, next, takt_hot.polls};
  promote_at_begin(*w, *frame, k_nested_ticks);
  return next;
}

void takt_loop_pushed(loop_frame* frame, site* where, std::uintptr_t stack) {
  worker* w = this_worker();
  const runtime_scope scope;
  if (w->watch != 0) {
    note_environment_of(takt_hot.head - 1);
    if (credit_of(*w) >= 0) return;
  }
  tell_hints(*w);
  poll_pushed(*w, 0, *where, stack);
  promote_at_begin(*w, *frame, k_nested_ticks);
}
}
