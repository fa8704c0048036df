// How much may run between two looks at the clock.
#pragma once

#include <takt/abi.hpp>

#include <algorithm>
#include <cstdint>

namespace takt::cost {

inline constexpr std::int64_t k_least_refill = abi::k_fork_units;
/// Less than one iteration of a loop that has never run, or nests, costs.
inline constexpr std::int64_t k_most_refill = abi::k_unknown_cost - 1;

/// The credit for the time until the next poll, after one that came `elapsed` ticks after the last and found `spent`
/// units gone: what was spent per tick lately, times the `target` ticks between polls; 0 for no target. It at most
/// doubles, half the way at a time, and follows a fall at once: too many polls cost a little, too few make a beat late.
inline std::int64_t next_refill(std::int64_t refill, std::uint64_t elapsed, std::int64_t spent,
                                std::uint64_t target) noexcept {
  if (target == 0) return 0;
  const double rate =
      static_cast<double>(std::max<std::int64_t>(spent, 1)) / static_cast<double>(std::max<std::uint64_t>(elapsed, 1));
  const double wanted = rate * static_cast<double>(target);
  auto next = static_cast<std::int64_t>(std::min(wanted, static_cast<double>(2 * refill)));
  if (next > refill) next = (next + refill) / 2;
  return std::clamp(next, k_least_refill, k_most_refill);
}

}  // namespace takt::cost
