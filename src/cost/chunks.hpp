// How long a claim of a leaf loop is.
#pragma once

#include "cost/numbers.hpp"
#include "cost/site_cost.hpp"

namespace takt::cost {

/// How long the next chunk is to be, after one of `ran` iterations that took `ticks` and was to take `target`: in
/// proportion, and at most twice as long, whatever the site has seen of other loops.
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

}  // namespace takt::cost
