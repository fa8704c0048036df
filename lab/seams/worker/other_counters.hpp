// What hybrid and asyncdf count, in place of src/worker/other_counters.hpp.
#pragma once

#include "worker/counter.hpp"

#include <array>

namespace takt::core {

struct other_counters {
  counter memory_sleeps;  ///< a task has slept before it allocated, or was put back
  counter memory_rounds;  ///< looks for work while one slept
  counter memory_wakes;   ///< sleepers that were woken as their rounds were over
};

struct other_count {
  const char* name;
  counter other_counters::* counts;
};
inline constexpr std::array<other_count, 3> k_other_counts{{{"memory_sleeps", &other_counters::memory_sleeps},
                                                            {"memory_rounds", &other_counters::memory_rounds},
                                                            {"memory_wakes", &other_counters::memory_wakes}}};

}  // namespace takt::core
