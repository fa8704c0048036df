// What a runner needs to know about the system it is built for; one file each defines it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::bench {

// "serial", "takt", "tbb" or "omp"; an OpenMP runner holds several systems (omp-static, ...).
std::string_view system_name();

// The runtime and its version, for the report.
std::string runtime_name();

// Called once, before anything parallel runs. Must not start a thread: the first parallel
// call of a run is part of what is measured.
void use_workers(unsigned workers);

// What use_workers() was told.
inline unsigned the_workers = 1;

// Programs with runners of their own, because another compiler than the runner's makes them.
struct suite {
  const char* name = "";  // "": the programs that all other runners hold
  const char* compiler = "";
  const char* compiler_version = "";
};
inline suite the_suite;

// What the runtime has counted since the process started; empty for what it cannot tell.
struct run_totals {
  std::optional<std::uint64_t> tasks;   // created; a promoted loop of takt makes two
  std::optional<std::uint64_t> steals;
  std::optional<double> working_s;      // running tasks, summed over the workers
};

// Not called before the first run: asking must not be what starts the runtime.
run_totals totals();

}  // namespace takt::bench
