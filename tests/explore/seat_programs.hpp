// Programs in which seats change hands, and parts that so many workers may run.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// Children that go on when all of them are in takt::blocking, with fewer workers than that.
std::uint64_t all_block(explorer& on);
/// The same twice, with one worker: threads that stood in may end meanwhile.
std::uint64_t block_again(explorer& on);
/// Iterations that want one lock, some of them in takt::blocking. 0 if one goes on on another thread.
std::uint64_t blocked_by_a_lock(explorer& on);
/// Parts with limits beside and inside of each other, in two calls. 0 if there are more workers in one.
std::uint64_t parts(explorer& on);
/// One part for two workers, with loops whose halves two others want at a time. 0 as above.
std::uint64_t crowded_part(explorer& on);
/// Code that asks for its number, in more calls than workers. 0 if two have the same at a time.
std::uint64_t numbers(explorer& on);

}  // namespace takt_explore
