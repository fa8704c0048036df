// Programs with teams, as runtimes of other models make them (src/team).
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// A team whose members wait for each other, with as many threads as there are. Memory may be short.
std::uint64_t team(explorer& on);
/// Two threads, each with a team that stays for the next region, as omp-runtime/regions.cpp keeps it.
std::uint64_t kept_teams(explorer& on);
/// Two threads with such teams, whose members spin until the others have come: a thread that looks for members which
/// have none gives them one, as omp-runtime/crowd.cpp does.
std::uint64_t crowded_teams(explorer& on);

}  // namespace takt_explore
