// When a loop looks around next, and how many iterations it claims at a time until then.
#pragma once

#include "cost/numbers.hpp"
#include "cost/site_cost.hpp"

namespace takt::cost {

/// After how many iterations the next look is to be, as `ran` took `ticks` and were to take `target`: in proportion, and
/// at most twice as many, whatever the site has seen of other loops.
inline std::uint64_t next_chunk(std::uint64_t ran, std::uint64_t ticks, std::uint64_t target) noexcept {
  if (2 * ticks < target) return 2 * ran;
  std::uint64_t product;
  // More than a machine runs between two polls.
  if (__builtin_mul_overflow(ran, target, &product)) return ran;
  return product / std::max<std::uint64_t>(ticks, 1);
}

/// `wanted` iterations from `at` on, at least one and at most the `left` ones, which are at least one. A long chunk
/// that is not the last ends with a cache line.
inline std::uint64_t cut_chunk(std::uint64_t at, std::uint64_t wanted, std::uint64_t left) noexcept {
  const std::uint64_t chunk = std::clamp<std::uint64_t>(wanted, 1, left);
  if (chunk == left || chunk < 4 * k_iterations_of_lines) return chunk;
  return chunk - (at + chunk) % k_iterations_of_lines;
}

/// How many iterations are claimed at a time, which nobody can take back, where the next look is after `until_look`:
/// a small part of them, at least one, and whole cache lines of many.
inline std::uint64_t strip_of(std::uint64_t until_look) noexcept {
  const std::uint64_t strip = until_look / k_free_share;
  return strip < 4 * k_iterations_of_lines ? std::max<std::uint64_t>(strip, 1) : strip - strip % k_iterations_of_lines;
}

}  // namespace takt::cost
