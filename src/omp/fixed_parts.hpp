// TAKT_DETERMINISTIC=1: loops that reduce are divided by the number of their iterations alone. See README.md, "The same
// bits each time".
#pragma once

#include <takt/omp.hpp>

#include "cost/numbers.hpp"
#include "settings/settings.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// A loop has at most so many parts, enough for as many workers, and a part at least as many iterations of straight code:
/// less than a beat, and more than what a slice costs.
inline constexpr std::uint64_t k_fixed_parts = 512;
/// Parts of a loop whose results are large.
inline constexpr std::uint64_t k_large_parts = 16;

inline bool has_fixed_parts(const abi::omp_loop& what) noexcept {
  return what.partial_count != 0 && settings::is_deterministic();
}

/// Where the iterations of a slice, [at, end), become two slices; `end`: they are one part.
inline std::uint64_t middle_of_parts(const abi::omp_frame& frame) noexcept {
  const bool is_long = (frame.what->traits & abi::k_one_by_one) != 0;
  const std::uint64_t most = frame.partial_bytes >= cost::k_large_result ? k_large_parts : k_fixed_parts;
  std::uint64_t part = std::max(is_long ? 1 : k_fixed_parts, (frame.count - 1) / most + 1);
  if (const std::uint64_t together = frame.cursor.together; together > 1) {
    if (together >= frame.count) return frame.cursor.frame.end;
    part = ((part - 1) / together + 1) * together;
  }
  const std::uint64_t left = frame.cursor.frame.end - frame.cursor.at;
  if (left <= part) return frame.cursor.frame.end;
  return frame.cursor.at + ((left - 1) / part + 2) / 2 * part;
}

}  // namespace takt::core
