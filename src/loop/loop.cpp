// Loops that begin: where each runs, and what its site has learned. See README.md beside this file.
#include "loop/loop.hpp"

#include "promotion/beat.hpp"
#include "cost/site_cost.hpp"
#include "worker/kept.hpp"

#include <algorithm>

namespace takt::core {

void grant_leaf_loops(worker& w, abi::site& s) noexcept {
  if (cost::nests(s)) return;
  grant_free_loops(w, s, cost::leaf_is_free_below(cost::cost_of(s), w.owner.poll_ticks));
}

bool sample_nested(worker& w) noexcept {
  return reaches_free_code(w) && !w.beat.sets_refill() && w.owner.poll_ticks != 0 &&
         ++w.loop.nested_count % cost::k_timed_share == 0;
}

void learn_nested(worker& w, abi::site& s, std::uint64_t count, std::uint64_t ticks) noexcept {
  grant_free_loops(w, s, cost::nest_is_free_below(count, ticks, w.owner.poll_ticks));
}

}  // namespace takt::core

using namespace takt::core;
using takt::abi::loop_way;
using takt::abi::site;

extern "C" {

loop_way takt_loop_poll(site* where, std::uint64_t count, std::int64_t units) {
  worker* w = this_worker();
  const std::uint32_t unit_cost = takt::cost::cost_of(*where);
  const bool unknown = unit_cost == takt::abi::k_unknown_cost;
  const bool nested = takt::cost::nests(*where);
  if (w == nullptr) {
    show_credit(0);
    // Known to be shorter than what entering a parallel call could gain.
    const std::uint64_t ticks = takt::cost::estimate_ticks(count, unit_cost);
    if (unknown || nested || is_worth_a_call(ticks)) return loop_way::outside;
    // One that is long enough to be felt if it takes longer than is known is timed each time.
    const bool is_timed = ++takt_hot.polls % takt::cost::k_timed_share == 0 || !is_much_too_short_for_a_call(ticks);
    return is_timed ? loop_way::timed : loop_way::plain;
  }
  const runtime_scope scope;
  // Only looked in, with credit to spare.
  if (w->beat.is_watched() && credit_of(*w) >= 0 && !unknown && !nested) return loop_way::plain;
  const promotion_rule& rule = w->owner.rule;
  const std::uint64_t until_poll = w->owner.poll_ticks;
  if (rule.promotes_at_polls() && !unknown && !nested && credit_of(*w) + units > 0) {
    // Credit is priced by what is charged most, often forks; a loop that is dear in it may still be short. Such loops
    // have an account of their own, in time, and are neither polled at nor timed each time.
    const std::uint64_t with_this = w->loop.ticks + takt::cost::estimate_ticks(count, unit_cost);
    if (with_this < until_poll) {
      w->loop.ticks = with_this;
      // One unit stays charged: a loop around this one sees by it that it nests.
      show_credit(shown_credit() + units - 1);
      return ++w->loop.short_count % takt::cost::k_timed_share == 0 ? loop_way::timed : loop_way::plain;
    }
  }
  poll(*w, units);
  // A thread that has not seen yet that the site nests may have taught it a cost.
  if (nested) takt::cost::take_off_fast_path(*where);
  if (unknown || nested) return loop_way::framed;
  if (!rule.promotes()) {
    show_credit(shown_credit() - units);
    return loop_way::plain;
  }
  if (rule.promotes_all() || takt::cost::estimate_ticks(count, unit_cost) > until_poll) return loop_way::framed;
  // Short enough to end before the next poll is due. It may use up the credit: the next construct then polls, and the
  // refill follows.
  show_credit(std::max(credit_of(*w) - units, std::int64_t{0}) - w->beat.taken_off());
  return loop_way::timed;
}

void takt_loop_timed(site* where, std::uint64_t count, std::uint64_t ticks) {
  const std::uint64_t took = takt::platform::current().took(count, ticks);
  worker* w = this_worker();
  takt::cost::learn_cost(*where, took, count, w == nullptr ? ~0ull : 2 * w->owner.poll_ticks);
  if (w == nullptr) return;
  const runtime_scope scope;
  grant_leaf_loops(*w, *where);
}
}
