// The small programs whose schedules are explored.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>
#include <ostream>
#include <vector>

namespace takt_explore {

struct program {
  const char* name;
  /// Runs on virtual thread 0, inside configured settings. The answer must not depend on the schedule.
  std::uint64_t (*run)(explorer& on);
  std::uint64_t expected;
  /// What is to be made before the first schedule, and belongs to none.
  void (*prepare)() = nullptr;
  /// What it calls explorer::witness for, which must be seen in some schedule: the program would show nothing
  /// otherwise.
  const char* sees = nullptr;
};

/// For GoogleTest.
inline void PrintTo(const program& p, std::ostream* out) { *out << p.name; }

const std::vector<program>& programs();
const program* find_program(const char* name);

}  // namespace takt_explore
