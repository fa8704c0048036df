// Per-worker counters. The owner alone adds; anybody may read, and sees a recent value.
#pragma once

#include "sync/atomic.hpp"

#include <array>
#include <cstdint>

namespace takt::core {

class counter {
 public:
  void add(std::uint64_t n = 1) { value_.store(value_.load(sync::relaxed) + n, sync::relaxed); }
  std::uint64_t get() const { return value_.load(sync::relaxed); }

 private:
  sync::tally<std::uint64_t> value_{0};
};

struct counters {
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
  counter memory_sleeps;
  counter memory_rounds;
  counter memory_wakes;
  counter memory_waits;
  counter interrupts_sent;
  counter interrupts_used;
  counter working_ticks;
  counter idle_ticks;
  counter asleep_ticks;
};

}  // namespace takt::core
