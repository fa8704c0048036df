// Claims sized by counting polls. See lab/README.md.
#include "loop/other_chunks.hpp"

#include "promotion/beat.hpp"
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

// A site's loops are leaf loops: it learns nothing else.
static void set_polled_cost(abi::site& s) noexcept {
  if (cost::nests(s) || cost::cost_of(s) == k_units) return;
  __atomic_store_n(&s.unit_cost, static_cast<std::uint32_t>(k_units), __ATOMIC_RELAXED);
}

// Loops run in place that end before their worker's chunk does.
bool asks_otherwise(abi::site& where, std::int64_t units, abi::omp_way& answer) noexcept {
  if (!chunks_by_polls()) return false;
  (void)takt::detail::spend(-units);
  // What it has learned otherwise, with another setting.
  if (takt::detail::relaxed(where.unit_cost) != abi::k_unknown_cost) set_polled_cost(where);
  answer = takt::detail::head() != nullptr ? abi::omp_way::framed : abi::omp_way::outside;
  return true;
}

bool enters_otherwise(worker& w, abi::loop_cursor& c) noexcept {
  if (c.phase != k_polled_phase) return false;
  if (w.owner.rule.promotes_all()) promote_at_begin(w, c.frame, k_unknown_ticks);
  // The loop before this one may have ended with its chunk, in place.
  poll_after_chunk(w);
  claim_rest(w, c);
  return true;
}

bool ends_otherwise(worker& w, abi::loop_cursor& c, bool& nested) noexcept {
  if (c.phase != k_polled_phase) return false;
  nested = learns_that_it_nests(c, w);
  if (!nested) set_polled_cost(*c.where);
  (void)takt::detail::spend(static_cast<std::int64_t>(c.at - c.timed) * k_units);
  poll_after_chunk(w);
  claim_rest(w, c);
  return true;
}

}  // namespace takt::core
