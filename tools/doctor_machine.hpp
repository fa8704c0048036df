// What the doctor finds out about the machine, without any parallel run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/threads/cpu_count.hpp"

namespace takt::tools {

struct cache_facts {
  unsigned level;
  char kind;  // 'd' data, 'i' instructions, 'u' both
  std::size_t bytes;
  unsigned count;
  unsigned cpus;  // that share one
};

struct topology_facts {
  unsigned packages;
  unsigned numa_nodes;
  unsigned cores;
  unsigned cpus;
  std::vector<cache_facts> caches;  // smallest first
};

struct clock_facts {
  std::string source;  // "tsc" or "steady_clock"
  bool invariant;      // ticks at one rate on every CPU, whatever the frequency
  double ticks_per_us;
  double read_ns;
};

struct machine_facts {
  unsigned online_cpus;
  platform::cpu_limits limits;
  std::optional<topology_facts> topology;  // nothing: hwloc could not read it
  clock_facts clock;
};

// Takes about 50 ms, nearly all of it to compare two clocks.
machine_facts examine_machine();

}  // namespace takt::tools
