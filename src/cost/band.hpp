// The band of the stack in which forks, and loops that nest, run free (src/promotion/README.md).
#pragma once

#include "cost/numbers.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::cost {

/// Bytes of stack that a fork takes inside `levels` others, all of which take `used` bytes.
inline std::uintptr_t bytes_of_level(std::uintptr_t used, std::uintptr_t levels) noexcept {
  return std::min(used / (levels + 1), k_near / k_free_levels);
}

/// Where the band begins next: the address below which it is, 0 for none. `top` is where it began; `frames` have been
/// pushed since the last poll, the last of them at `stack`, and take `level` bytes each. What stands on its edge takes
/// a 64th of the time between polls; where forks have become longer, signals end it.
inline std::uintptr_t next_top(std::uintptr_t top, std::uintptr_t stack, std::uintptr_t level,
                               std::int64_t frames) noexcept {
  const std::uintptr_t below = stack - sizeof(void*);
  // A poll from below: what runs there may be long, and is to be seen from here on. Who asks right above the band and
  // polls in the version that pushes does so from one level further down.
  if (top == 0 || below + level < top || below > top + k_near) return frames > k_many_frames ? below : 0;
  // Never raised to the frame that has polled: there are polls above the band.
  return frames > k_many_frames ? std::max(top, std::min(top + level, below)) : top;
}

}  // namespace takt::cost
