// What a runner needs to know about the system it is built for; one file each defines it.
#pragma once

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

}  // namespace takt::bench
