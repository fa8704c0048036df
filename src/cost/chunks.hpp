// How long a claim of a leaf loop is.
#pragma once

#include "cost/numbers.hpp"
#include "cost/site_cost.hpp"

namespace takt::cost {

/// From the time between polls, for the end of a loop is to be shared, up to k_longest_chunk times that: each chunk's
/// end costs a hundredth of it.
inline std::uint64_t chunk_ticks(std::uint64_t ticks, std::uint64_t poll_ticks) noexcept {
  return std::clamp(ticks, poll_ticks, k_longest_chunk * poll_ticks);
}

/// How many of the `left` iterations, each `unit_cost`, are to run until the next look at the clock.
inline std::uint64_t chunk_by_time(std::uint64_t left, std::uint32_t unit_cost, std::uint64_t poll_ticks) noexcept {
  return iterations_in(chunk_ticks(estimate_ticks(left, unit_cost) / k_chunks_left, poll_ticks), unit_cost);
}

/// The most after a chunk of `ran` iterations that took `ticks` and was to take `target` ticks: this loop's iterations
/// may be much dearer than those that the site has seen so far.
inline std::uint64_t most_after(std::uint64_t ran, std::uint64_t ticks, std::uint64_t target) noexcept {
  const std::uint64_t times = target == 0 ? 0 : ticks / target;
  return times > 1 ? ran / times + 1 : 2 * ran;
}

/// `wanted` iterations from `at` on, at least one and at most the `left` ones, which are at least one. A long chunk
/// that is not the last ends with a cache line.
inline std::uint64_t cut_chunk(std::uint64_t at, std::uint64_t wanted, std::uint64_t left) noexcept {
  const std::uint64_t chunk = std::clamp<std::uint64_t>(wanted, 1, left);
  if (chunk == left || chunk < 4 * k_iterations_of_lines) return chunk;
  return chunk - (at + chunk) % k_iterations_of_lines;
}

}  // namespace takt::cost
