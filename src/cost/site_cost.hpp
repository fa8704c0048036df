// What the iterations of a loop cost, as its site knows it.
#pragma once

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

/// The cost after `iterations` took `ticks`: a moving average over the last `window` ticks and these. So the first ones
/// of a loop, which may be cheap, or take long as nothing of it is in a cache yet, say little of the others. A rise is
/// followed by a quarter of it at most, and by a factor of two: measurements err by what they include (the clock
/// itself, a suspended fiber, a descheduled thread), never by what they leave out. But what took more than `late`
/// should have had a poll in it, and is believed at once: most likely dear iterations follow cheap ones. A fall within a
/// loop is followed by a quarter at most: cheap ones among dear ones say little of the next.
inline std::uint32_t next_cost(std::uint32_t before, std::uint64_t ticks, std::uint64_t iterations, std::uint64_t late,
                               std::uint64_t window = 0) noexcept {
  constexpr std::uint64_t k_most_units = std::uint64_t{1} << 48;
  constexpr std::uint64_t k_parts = 256;  // of an iteration
  const std::uint64_t units = ticks * static_cast<std::uint64_t>(abi::k_units_per_tick);
  const auto cost = [](std::uint64_t of_one) {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(of_one, 1, k_most_cost));
  };
  const std::uint32_t seen = cost(units / iterations);
  if (before == abi::k_unknown_cost || (ticks > late && seen > before)) return seen;
  const std::uint64_t known = std::min(window * static_cast<std::uint64_t>(abi::k_units_per_tick), k_most_units);
  const std::uint64_t all = known + std::min(units, k_most_units);
  const std::uint32_t average =
      cost(all * k_parts / (known * k_parts / before + std::min(iterations, k_most_units) * k_parts));
  return seen < before ? std::clamp(average, window == 0 ? 1 : before * 3 / 4, before)
                       : std::min({average + 1, before + (seen - before) / 4 + 1, 2 * before, seen});
}

inline void learn_cost(abi::site& s, std::uint64_t ticks, std::uint64_t iterations, std::uint64_t late,
                       std::uint64_t window = 0) noexcept {
  if (nests(s)) return;
  __atomic_store_n(&s.unit_cost, next_cost(cost_of(s), ticks, iterations, late, window), __ATOMIC_RELAXED);
}

}  // namespace takt::cost
