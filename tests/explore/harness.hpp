// Explores the schedules of a program in a process of its own, which a bug may crash; replays and shortens the one that
// failed.
#pragma once

#include "explore/explorer.hpp"
#include "explore/programs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace takt_explore {

struct outcome {
  result how = result::held;
  std::uint64_t seed = 0;       ///< of the schedule that failed
  std::uint64_t schedules = 0;  ///< that were run, that one included
  std::uint64_t points = 0;     ///< at which the threads could have been changed
  std::uint64_t witnessed = 0;  ///< times that the program came to what it was made for
  double seconds = 0;
  std::string message;
  std::vector<decision> decisions;
};

/// Explores `count` schedules of `p` from seed `first` on; stops at the first one that fails.
outcome explore(const program& p, std::uint64_t first, std::uint64_t count,
                const takt::sync::planted_bug* bug = nullptr);

/// Takes decisions out of a failed schedule as long as it fails in the same way.
outcome shorten(const program& p, outcome failed, const takt::sync::planted_bug* bug = nullptr);

/// Runs the schedule once more and prints who runs when.
void show(const program& p, const outcome& failed, const takt::sync::planted_bug* bug = nullptr);

}  // namespace takt_explore
