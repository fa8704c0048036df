// Per-worker counters. The owner alone adds; anybody may read, and sees a recent value.
#pragma once

#include "worker/counter.hpp"
#include "worker/other_counters.hpp"

#include <array>
#include <cstddef>

namespace takt::core {

struct counters : other_counters {
  static constexpr std::size_t k_depths = 32;
  static constexpr std::size_t k_distances = 8;

  counter beats_due;
  counter beats_taken;
  counter polls;
  counter promotions_forks;
  counter promotions_loops;
  counter promotions_groups;
  std::array<counter, k_depths> promotions_by_depth;  ///< the last one holds all deeper ones
  counter tasks_handed;
  counter steals_tried;
  counter steals_done;
  std::array<counter, k_distances> steals_by_distance;  ///< the last one holds all farther ones
  counter suspensions;
  counter held;
  counter memory_waits;
  counter interrupts_sent;
  counter interrupts_used;
  counter working_ticks;
  counter idle_ticks;
  counter asleep_ticks;
};

}  // namespace takt::core
