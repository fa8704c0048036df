// Programs that stop.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// One branch asks for the end of the other one, which goes on until then.
std::uint64_t stops(explorer& on);
/// The same of the children of a group.
std::uint64_t cancels(explorer& on);
/// A search whose answer is with one worker while another one is in an inner search.
std::uint64_t stopped_searches(explorer& on);
std::uint64_t failed_searches(explorer& on);

}  // namespace takt_explore
