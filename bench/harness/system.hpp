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

// Tasks that were created since the process started; nothing where there is no parallelism.
std::optional<std::uint64_t> tasks_created();

}  // namespace takt::bench
