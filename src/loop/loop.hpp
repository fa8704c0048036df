// Loops: what the library's and the OpenMP programs' have in common. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

/// Where it makes no odds, loops are cut at multiples of so many iterations: a piece then walks its arrays from the
/// start of a cache line, as the whole loop does, and no vector lies across two.
inline constexpr std::uint64_t k_iterations_of_lines = 64;
inline std::uint64_t cut_at_lines(std::uint64_t begin, std::uint64_t end) noexcept {
  return end - begin < 4 * k_iterations_of_lines ? end : end - end % k_iterations_of_lines;
}

/// Whether the time of the next loop that nests is to be learned: one in so many.
bool sample_nested(worker& w) noexcept;
/// A site's loops are leaf loops, and chunks are sized by polls.
void set_polled_cost(abi::site& s) noexcept;
/// The slot of such a loop has been pushed: sets the first chunk. `left`: iterations of the loop.
void begin_polled(abi::loop_frame& frame, std::uint64_t left) noexcept;
/// It has run `ran` of them in a chunk, and `left` are left: polls if they end the worker's chunk, sets the next one
/// and `nested`.
void end_polled(abi::loop_frame& frame, std::uint64_t ran, std::uint64_t left) noexcept;
/// A loop that nests took `ticks` for `count` iterations. If that is short, loops of so few run free for a while.
void learn_nested(worker& w, abi::site& s, std::uint64_t count, std::uint64_t ticks) noexcept;

}  // namespace takt::core
