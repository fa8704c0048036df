#include "harness/preloaded_counts.hpp"

#include <dlfcn.h>

namespace takt::bench {

run_totals preloaded_totals() {
  static const auto read =
      reinterpret_cast<takt_bench_read_counts_type>(dlsym(RTLD_DEFAULT, TAKT_BENCH_READ_COUNTS));
  if (read == nullptr) {
    return {};
  }
  takt_bench_counts counts{};
  read(&counts);
  run_totals result;
  result.tasks = counts.tasks;
  if (counts.working_s >= 0.0) {
    result.working_s = counts.working_s;
  }
  return result;
}

}  // namespace takt::bench
