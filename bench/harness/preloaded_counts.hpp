// What a library that is loaded before a runner counts: the tasks that oneTBB and OpenMP create.
// Nothing is counted in the runs that are timed; `takt bench` starts another process with the library.
#pragma once

#include <cstdint>

#include "harness/system.hpp"

// A C interface: the runner looks it up by name, and works without it.
struct takt_bench_counts {
  std::uint64_t tasks;
  double working_s;  // negative: not known
};
using takt_bench_read_counts_type = void (*)(takt_bench_counts*);
#define TAKT_BENCH_READ_COUNTS "takt_bench_read_counts"

namespace takt::bench {

// Empty without the library.
run_totals preloaded_totals();

}  // namespace takt::bench
