// A program's run in virtual time.
#pragma once

#include <takt/config.hpp>

#include "bounds/program.hpp"

#include <cstdint>

namespace takt_bounds {

struct measured {
  std::uint64_t time = 0;        ///< of the whole call, in ticks
  std::uint64_t promotions = 0;  ///< frames that were made tasks
  std::uint64_t steals = 0;
};

/// Runs the program on `workers` virtual workers with a beat of `beat_us` microseconds, of 1,000 ticks each. A
/// promotion takes `tau` ticks; all else that the scheduler does, nothing. The same arguments give the same result.
measured run(const node& program, unsigned workers, std::uint64_t beat_us, std::uint64_t tau,
             takt::trigger trigger = takt::trigger::lazy);

}  // namespace takt_bounds
