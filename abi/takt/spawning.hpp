// What compiled code calls for functions that belong to no call.
#pragma once

#include <takt/group.hpp>

extern "C" {

/// Takes over `child`, as a group does. `priority`: a takt::priority. @returns false when the caller is to run it at
/// once.
TAKT_EXPORT bool takt_spawn(takt::abi::group_child* child, std::uint32_t priority);
/// Returns when nothing is left that was spawned.
TAKT_EXPORT void takt_wait_for_spawned();
}
