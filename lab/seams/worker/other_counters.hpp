// What hybrid, asyncdf and the sources of beats count, in place of src/worker/other_counters.hpp.
#pragma once

#include "worker/counter.hpp"

#include <array>

namespace takt::core {

struct other_counters {
  counter memory_sleeps;    ///< a task has slept before it allocated, or was put back
  counter memory_rounds;    ///< looks for work while one slept
  counter memory_wakes;     ///< sleepers that were woken as their rounds were over
  counter beats_delivered;  ///< by timer or ping
  counter beats_missed;     ///< due, and the next one came before
  counter beats_late_5us, beats_late_20us, beats_late_100us;  ///< delivered later than that
};

struct other_count {
  const char* name;
  counter other_counters::* counts;
};
inline constexpr std::array<other_count, 8> k_other_counts{{{"memory_sleeps", &other_counters::memory_sleeps},
                                                            {"memory_rounds", &other_counters::memory_rounds},
                                                            {"memory_wakes", &other_counters::memory_wakes},
                                                            {"beats_delivered", &other_counters::beats_delivered},
                                                            {"beats_missed", &other_counters::beats_missed},
                                                            {"beats_late_5us", &other_counters::beats_late_5us},
                                                            {"beats_late_20us", &other_counters::beats_late_20us},
                                                            {"beats_late_100us", &other_counters::beats_late_100us}}};

struct late_count {
  std::uint64_t ns;
  counter other_counters::* counts;
};
inline constexpr late_count k_late_counts[] = {{5'000, &other_counters::beats_late_5us},
                                               {20'000, &other_counters::beats_late_20us},
                                               {100'000, &other_counters::beats_late_100us}};

}  // namespace takt::core
