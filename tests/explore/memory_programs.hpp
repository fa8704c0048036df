// Programs that report memory, under hybrid, a budget, or both.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// Configures one of the ways to bound memory.
void choose_memory(explorer& on);
/// @returns 1 if all that was reported has been given back.
std::uint64_t nothing_is_held();

/// Each with a block while forks run.
std::uint64_t memory_in_loop(explorer& on);
std::uint64_t memory_in_forks(explorer& on);
/// Children of a group, some away from its home, one of which stays on its thread; and one that waits in place.
std::uint64_t memory_in_group(explorer& on);
/// Two calls, whose leftmosts do not wait for each other.
std::uint64_t memory_in_two_calls(explorer& on);

}  // namespace takt_explore
