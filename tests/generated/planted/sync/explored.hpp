// In place of the explorer's: the mistakes of tests/explore/planted.cmake in programs that run on real atomics. The
// environment names the one that is made.
#pragma once

#include <cstdlib>
#include <cstring>

namespace takt::sync {

inline bool makes_mistake(const char* name) {
  static const char* const made = std::getenv("TAKT_MISTAKE");
  return made != nullptr && std::strcmp(made, name) == 0;
}

}  // namespace takt::sync
