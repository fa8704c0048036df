// What the iterations of a loop cost, as its site knows it.
#pragma once

#include "cost/numbers.hpp"

#include <takt/abi.hpp>

#include <algorithm>
#include <cstdint>

namespace takt::cost {

inline constexpr std::uint32_t k_most_cost = abi::k_unknown_cost - 1;
static_assert(k_most_cost <= ~0u / 2, "it is doubled");

inline std::uint32_t cost_of(const abi::site& s) noexcept { return __atomic_load_n(&s.unit_cost, __ATOMIC_RELAXED); }
inline bool is_known(const abi::site& s) noexcept { return cost_of(s) != abi::k_unknown_cost; }
inline bool nests(const abi::site& s) noexcept { return __atomic_load_n(&s.nested, __ATOMIC_RELAXED) != 0; }

inline std::uint64_t free_below(const abi::site& s) noexcept {
  return __atomic_load_n(&s.free_below, __ATOMIC_RELAXED);
}
inline void set_free_below(abi::site& s, std::uint64_t below) noexcept {
  __atomic_store_n(&s.free_below, below, __ATOMIC_RELAXED);
  __atomic_store_n(&s.free_past, below == 0 ? ~0ull : 0 - below, __ATOMIC_RELAXED);
}

/// No credit covers its loops, and none is free.
inline void take_off_fast_path(abi::site& s) noexcept {
  __atomic_store_n(&s.unit_cost, abi::k_unknown_cost, __ATOMIC_RELAXED);
  set_free_below(s, 0);
}
inline void learn_that_it_nests(abi::site& s) noexcept {
  __atomic_store_n(&s.nested, 1u, __ATOMIC_RELAXED);
  take_off_fast_path(s);
}

/// Ticks of `count` iterations; saturates.
inline std::uint64_t estimate_ticks(std::uint64_t count, std::uint32_t unit_cost) noexcept {
  std::uint64_t units;
  if (__builtin_mul_overflow(count, std::uint64_t{unit_cost}, &units)) return ~0ull;
  return units / static_cast<std::uint64_t>(abi::k_units_per_tick);
}

/// Iterations that run in `ticks`.
inline std::uint64_t iterations_in(std::uint64_t ticks, std::uint32_t unit_cost) noexcept {
  return ticks * static_cast<std::uint64_t>(abi::k_units_per_tick) / unit_cost;
}

/// The cost after `iterations` took `ticks`: a moving average. A rise is followed by a quarter of it and at most by a
/// factor of two: measurements err by what they include (the clock itself, a suspended fiber, a descheduled thread),
/// never by what they leave out. But what took more than `late` should have had a poll in it, and is believed at once:
/// most likely dear iterations follow cheap ones. A fall is followed at once if `enough` ticks were measured, by a part
/// of it if fewer, k_least_counted at least: a few iterations that are cheap say little of the others.
inline std::uint32_t next_cost(std::uint32_t before, std::uint64_t ticks, std::uint64_t iterations, std::uint64_t late,
                               std::uint64_t enough = 0) noexcept {
  const std::uint64_t units = ticks * static_cast<std::uint64_t>(abi::k_units_per_tick) / iterations;
  const auto seen = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(units, 1, k_most_cost));
  if (before == abi::k_unknown_cost) return seen;
  if (seen < before) {
    if (ticks >= enough) return seen;
    const std::uint64_t counted = std::max(ticks, enough / k_least_counted);
    return before - static_cast<std::uint32_t>(((before - seen) * counted + enough - 1) / enough);
  }
  return ticks > late ? seen : std::min({before + (seen - before) / 4 + 1, 2 * before, k_most_cost});
}

inline void learn_cost(abi::site& s, std::uint64_t ticks, std::uint64_t iterations, std::uint64_t late,
                       std::uint64_t enough = 0) noexcept {
  if (nests(s)) return;
  __atomic_store_n(&s.unit_cost, next_cost(cost_of(s), ticks, iterations, late, enough), __ATOMIC_RELAXED);
}

}  // namespace takt::cost
