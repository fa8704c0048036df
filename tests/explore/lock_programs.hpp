// Programs that hold a lock across a join, under takt::stay: nothing that wants it begins on top of what holds it.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// Children of a group each hold it while a fork of theirs is joined, under another policy, or the same.
std::uint64_t policies_under_a_lock(explorer& on);
std::uint64_t forks_under_a_lock(explorer& on);
/// It is held while a group and a fork are waited for; children of an outer group want it.
std::uint64_t groups_under_a_lock(explorer& on);

}  // namespace takt_explore
