// What is counted besides counters.hpp: nothing. (A build with TAKT_LAB has lab/seams/worker/other_counters.hpp in this
// header's place.)
#pragma once

#include "worker/counter.hpp"

#include <array>

namespace takt::core {

struct other_counters {};

struct other_count {
  const char* name;
  counter other_counters::* counts;
};
inline constexpr std::array<other_count, 0> k_other_counts{};

}  // namespace takt::core
