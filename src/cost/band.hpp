// The band of the stack in which forks, and loops that nest, run free (src/beat/README.md).
#pragma once

#include <takt/abi.hpp>

#include "cost/numbers.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::cost {

/// Where the band is next: its lowest address, 0 for none. `floor` is where it was; `frames` have been pushed since the
/// last poll, the last of them at `stack`. `late`: that was long ago. What stands on its edge then takes a 16th to a
/// 64th of the time between polls.
inline std::uintptr_t next_floor(std::uintptr_t floor, std::uintptr_t stack, std::int64_t frames, bool late) noexcept {
  const std::uintptr_t below = stack - abi::k_free_band;
  // A poll from below its upper end: what runs there may be long, and is to be seen from here on.
  if (floor == 0 || below < floor || below > floor + k_near) return frames > k_many_frames ? below : 0;
  // Something in it was long.
  if (late) return floor - 4 * k_step;
  if (frames > k_many_frames) {
    const std::uintptr_t steps = frames > 16 * k_many_frames ? 4 : frames > 4 * k_many_frames ? 2 : 1;
    // Never as high as the frame that has polled: there are polls above the band.
    return std::min(floor + steps * k_step, below);
  }
  return frames < k_few_frames ? floor - k_step : floor;
}

}  // namespace takt::cost
