// Programs that spawn functions which nobody waits for one by one.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// From threads, calls and spawned functions, while two threads wait for all.
std::uint64_t spawns(explorer& on);
/// From a thread that waits for each by its own means, so somebody must come; another one makes calls meanwhile.
std::uint64_t spawns_alone(explorer& on);

}  // namespace takt_explore
