// All tuned numbers of the runtime, but for those of platforms. docs/numbers.md says of each what it is in, what goes
// wrong when it is half or twice as large, and where that was measured. Numbers that compiled code contains are in
// abi/takt/abi.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace takt::cost {

// --- beats and polls: src/promotion
/// Polls aimed at in a beat. A beat that waits for what is on offer is seldom needed.
inline constexpr std::uint64_t k_polls_per_lazy_beat = 2;
/// What takes so many beats without a look at the clock is long: its worker is silent, and the poll after it late. So
/// long is the first nap of the sleeper that looks after silent workers.
inline constexpr std::uint64_t k_silent_beats = 2;

/// A stolen task was worth it if it took at least so small a share of a beat, two microseconds by default.
inline constexpr std::uint64_t k_worth_share = 16;
/// While somebody looks for work and finds none here, so small a share of a beat does for one, and polls are as many
/// times more frequent: about four times what a promotion costs.
inline constexpr std::uint64_t k_early_share = 8;
/// Tasks that a seat has room for before it has to allocate more: so many a signal handler can promote. A power of two.
inline constexpr std::size_t k_handler_room = 256;

// --- code that runs free: forks in src/cost/band.hpp, loops in src/cost/grants.hpp
/// What was learned of it holds for so many polls: that loops are short, and that the band hid something long.
inline constexpr std::uint32_t k_learned_polls = 64;
/// Frames pushed between two polls: the band moves up above so many.
inline constexpr std::int64_t k_many_frames = 64;
/// So many forks inside each other are in it: what can be lost to thieves at once.
inline constexpr std::uintptr_t k_free_levels = 32;
/// What is farther off than so many bytes is another computation.
inline constexpr std::uintptr_t k_near = 65536;

// --- seats and threads: src/worker
/// How long an idle worker looks for work: long enough to catch the next promotion, short enough not to be felt by
/// anybody else.
inline constexpr std::chrono::microseconds k_spin{60};
/// A member of a team that has waited for less than this looks out for as long the next time, as other OpenMP runtimes'
/// threads do: its wake-up, about 45 microseconds, delays the whole team.
inline constexpr std::chrono::microseconds k_brief_wait{1000};
/// Between two looks at the process's CPUs, each of which costs about 50 microseconds; and how many times as long as
/// the look itself at least.
inline constexpr std::chrono::milliseconds k_between_cpu_looks{100};
inline constexpr std::uint64_t k_cpu_look_share = 1000;
/// No thread is asked for so long after one was refused, no runtime after there was no memory for one.
inline constexpr std::chrono::milliseconds k_after_refusal{100};
/// The longest nap of the sleeper that looks after silent workers, in beats.
inline constexpr std::uint64_t k_longest_nap_beats = 64;

// --- places by plan: src/policy/adws.cpp
/// An idle worker looks within its steal range for so small a share of the time for which it looks at all.
inline constexpr std::uint64_t k_patience_share = 4;
/// Where a fork is divided may be off by so much of its smaller part, to lie at half or between two seats.
inline constexpr double k_near_share = 0.125;

// --- caches by bytes: src/policy/space_bounded.cpp. The paper's.
/// A task is tied to the innermost cache of which it uses at most so much.
inline constexpr double k_fitting_share = 0.5;
/// Code that is tied to a cache farther out has at most so much of a cache inside.
inline constexpr double k_strand_share = 0.2;

// --- fibers
/// Kept in the pool for each worker.
inline constexpr std::size_t k_fibers_per_worker = 4;
/// Looking at the memory of an idle stack takes a microsecond, or ten after a rest: once for so much that has run
/// there.
inline constexpr std::chrono::microseconds k_between_stack_looks{1000};

/// Of a limited address space the program has its budget, a part of so many of that more, and so much for each worker.
inline constexpr std::uint64_t k_beside_budget = 8;
inline constexpr std::uint64_t k_unreported_bytes = 128 << 10;
/// A task without a stack to leave goes on beyond the budget when for so many beats nobody else has run anything.
inline constexpr unsigned k_alone_beats = 4;

// --- loops: src/loop
/// A loop begins on others if it takes at least so small a share of a beat; if others have had a part of the last one,
/// so small a share of that.
inline constexpr std::uint64_t k_least_share = 4;
/// One in so many short loops is timed.
inline constexpr std::uint64_t k_timed_share = 16;
/// A leaf loop runs free when it takes less than this share of the time between polls, two microseconds by default; so
/// long are the strips in which others are claimed, which nobody can take back. One
/// in the middle of a nest may take all of it: it is over before a poll could make tasks of it.
inline constexpr std::uint64_t k_free_share = 8;
/// Such loops are free up to so many times the iterations of the one that was timed: they need not be alike.
inline constexpr std::uint64_t k_most_grown = 8;
/// Results of so many bytes take a considerable part of a beat to make and to combine.
inline constexpr std::uint64_t k_large_result = 16 << 10;

/// Who sleeps is not woken for loops that are known to take less than so many beats together: what it takes to wake it,
/// and to begin with nothing in the caches.
inline constexpr std::uint64_t k_wake_beats = 4;

// --- where loops are cut: src/policy, src/cost/chunks.hpp
/// Where it makes no odds, at multiples of so many iterations: a piece then walks its arrays from the start of a cache
/// line, as the whole loop does, and no vector lies across two.
inline constexpr std::uint64_t k_iterations_of_lines = 64;
/// Of so many iterations on, halves are cut there: what the cut is moved by is hardly anything of them. Of a loop of a
/// thousand rows it would be an eighth.
inline constexpr std::uint64_t k_least_half = 64 * k_iterations_of_lines;

}  // namespace takt::cost
