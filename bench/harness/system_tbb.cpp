#include <memory>

#include <tbb/global_control.h>
#include <tbb/version.h>

#include "harness/system.hpp"
#include "harness/tasks.hpp"

namespace takt::bench {

std::string_view system_name() { return "tbb"; }

std::string runtime_name() {
  return "oneTBB " + std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR);
}

void use_workers(unsigned workers) {
  // Kept for the life of the process: the limit is gone with the object.
  static std::unique_ptr<tbb::global_control> limit;
  limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                workers);
}

std::optional<std::uint64_t> tasks_created() { return task_counters::total(); }

}  // namespace takt::bench
