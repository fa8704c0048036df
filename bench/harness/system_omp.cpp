#include <omp.h>

#include "harness/system.hpp"
#include "harness/tasks.hpp"

namespace takt::bench {

std::string_view system_name() { return "omp"; }

std::string runtime_name() {
#if defined(__clang__)
  constexpr const char* k_runtime = "libomp, OpenMP ";
#else
  constexpr const char* k_runtime = "libgomp, OpenMP ";
#endif
  return k_runtime + std::to_string(_OPENMP);
}

void use_workers(unsigned workers) {
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(workers));
}

std::optional<std::uint64_t> tasks_created() { return task_counters::total(); }

}  // namespace takt::bench
