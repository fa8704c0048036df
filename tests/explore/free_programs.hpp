// Programs with free code: loops that their sites let run uncharged, and forks in the band of the stack.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// Short loops in long leaves. What a worker lets run free it takes back when a signal comes, and when it leaves the
/// fiber.
std::uint64_t free_loops(explorer& on);
std::uint64_t serial_free_loops();

/// A recursion whose forks are in the band from its middle on. A signal ends the band.
std::uint64_t free_forks(explorer& on);
std::uint64_t serial_free_forks();

/// The same, with leaves that add children to a group.
std::uint64_t groups_in_free_code(explorer& on);

}  // namespace takt_explore
