// Counts the tasks that a oneTBB program spawns: the headers call this spawn() instead of the
// library's.
#include <dlfcn.h>
#include <tbb/task_group.h>

#include "harness/preloaded_counts.hpp"
#include "harness/thread_counts.hpp"

namespace tbb::detail::r1 {

void spawn(d1::task& task, d1::task_group_context& context) {
  using spawn_type = void (*)(d1::task&, d1::task_group_context&);
  static const auto real = reinterpret_cast<spawn_type>(
      dlsym(RTLD_NEXT, "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE"));
  takt::bench::count_task();
  real(task, context);
}

}  // namespace tbb::detail::r1

extern "C" void takt_bench_read_counts(takt_bench_counts* counts) {
  // When a worker of oneTBB is out of work cannot be seen from outside.
  *counts = {takt::bench::tasks_of_all(), -1.0};
}
