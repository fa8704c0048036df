// Loops: what the library's and the OpenMP programs' have in common. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

/// The estimate for a loop of a site that has never run, or that nests.
inline constexpr std::uint64_t k_unknown_ticks = ~0ull;

/// The phase of a converted loop that is known to be over soon, and whose iterations may take any time: nothing is
/// measured. Only the runtime knows it.
inline constexpr abi::loop_phase k_brief{17};

// --- cursor.cpp
/// A beat that is due, or the trigger, may turn the loop that was just pushed, or an older frame, into tasks.
/// @returns whether somebody looked for it.
bool promote_at_begin(worker& w, const abi::loop_frame& frame, std::uint64_t estimated_ticks) noexcept;
/// Remembers what a chunk starts from, so that its end can tell whether it nested.
void watch_chunk(abi::loop_cursor& c, const worker& w) noexcept;
/// Whether something in the chunk forked or looped. (One in which the credit was cut does not tell.) The site then
/// knows.
bool learns_that_it_nests(const abi::loop_cursor& c, const worker& w) noexcept;
/// What a chunk that has just ended took.
struct timed_chunk {
  std::uint64_t ran;    ///< iterations
  std::uint64_t ticks;  ///< 0 if it nested
  std::uint64_t now;
  bool nested;
};
timed_chunk time_chunk(worker& w, const abi::loop_cursor& c) noexcept;

// --- loop.cpp
/// Short loops of the site, whose cost has just been measured, run free for a while.
void grant_leaf_loops(worker& w, abi::site& s) noexcept;
/// Whether the time of the next loop that nests is to be learned: one in so many.
bool sample_nested(worker& w) noexcept;
/// A loop that nests took `ticks` for `count` iterations. If that is short, loops of so few run free for a while.
void learn_nested(worker& w, abi::site& s, std::uint64_t count, std::uint64_t ticks) noexcept;

}  // namespace takt::core
