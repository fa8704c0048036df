// Claims sized by counting polls. See README.md.
#include "loop/polled.hpp"

#include "beat/beat.hpp"
#include "cost/site_cost.hpp"
#include "loop/loop.hpp"

#include <takt/detail/hot.hpp>

#include <algorithm>

namespace takt::core {

namespace {

constexpr std::int64_t k_units = polled_chunks::k_units;

// What this loop may run of the worker's chunk, whose rest is the credit.
void claim_rest(const worker& w, abi::loop_cursor& c) noexcept {
  const auto rest = static_cast<std::uint64_t>((std::max<std::int64_t>(credit_of(w), 1) + k_units - 1) / k_units);
  const std::uint64_t left = c.frame.end > c.at ? c.frame.end - c.at : 1;
  // A site that has never run is watched for one iteration: chunks are for loops that do not nest.
  c.chunk = std::min(cost::is_known(*c.where) ? rest : 1, left);
  c.timed = c.at;
  watch_chunk(c, w);
}

void poll_after_chunk(worker& w) noexcept {
  if (credit_of(w) <= 0) poll(w, 0);
}

}  // namespace

void set_polled_cost(abi::site& s) noexcept {
  if (cost::nests(s) || cost::cost_of(s) == k_units) return;
  __atomic_store_n(&s.unit_cost, static_cast<std::uint32_t>(k_units), __ATOMIC_RELAXED);
}

void enter_polled(worker& w, abi::loop_cursor& c) noexcept {
  if (w.owner.settings.trigger == trigger::eager) promote_at_begin(w, c.frame, k_unknown_ticks);
  // The loop before this one may have ended with its chunk, in place.
  poll_after_chunk(w);
  claim_rest(w, c);
}

bool end_polled(worker& w, abi::loop_cursor& c) noexcept {
  const bool nested = learns_that_it_nests(c, w);
  if (!nested) set_polled_cost(*c.where);
  (void)takt::detail::spend(static_cast<std::int64_t>(c.at - c.timed) * k_units);
  poll_after_chunk(w);
  claim_rest(w, c);
  return nested;
}

}  // namespace takt::core
