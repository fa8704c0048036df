// The peers that takt-bench-paired has in one process.
#include <omp.h>
#include <tbb/global_control.h>

#include "harness/system.hpp"

namespace takt::bench {

void use_workers(unsigned workers) {
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(workers));
  // For the life of the process, which asks once.
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
}

}  // namespace takt::bench
