// Counts the tasks of an OpenMP program with LLVM's runtime, which tells tools about them:
// explicit ones, and one per thread and parallel region.
#include <omp-tools.h>

#include "harness/preloaded_counts.hpp"
#include "harness/thread_counts.hpp"

namespace takt::bench {
namespace {

std::atomic<bool> the_program_has_tasks{false};
// Since when this thread has been working in a parallel region; 0 when it is not.
thread_local std::int64_t working_since = 0;

void begin_work() { working_since = now_ns(); }

void end_work() {
  if (working_since != 0) {
    my_slot().working_ns.fetch_add(now_ns() - working_since, std::memory_order_relaxed);
    working_since = 0;
  }
}

void on_task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t*, int flags, int,
                    const void*) {
  if ((flags & ompt_task_explicit) != 0) {
    the_program_has_tasks.store(true, std::memory_order_relaxed);
    count_task();
  }
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, unsigned,
                      unsigned, int flags) {
  if ((flags & ompt_task_initial) != 0) {
    return;
  }
  if (endpoint == ompt_scope_begin) {
    count_task();
    begin_work();
  } else {
    end_work();
  }
}

// The barrier at the end of a region and of its loops.
void on_wait(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
             const void*) {
  if (endpoint == ompt_scope_begin) {
    end_work();
  } else {
    begin_work();
  }
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  if (set == nullptr) {
    return 0;
  }
  set(ompt_callback_task_create, reinterpret_cast<ompt_callback_t>(&on_task_create));
  set(ompt_callback_implicit_task, reinterpret_cast<ompt_callback_t>(&on_implicit_task));
  set(ompt_callback_sync_region_wait, reinterpret_cast<ompt_callback_t>(&on_wait));
  return 1;
}

void finalize(ompt_data_t*) {}

}  // namespace
}  // namespace takt::bench

extern "C" {

ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t tool{&takt::bench::initialize, &takt::bench::finalize, {0}};
  return &tool;
}

void takt_bench_read_counts(takt_bench_counts* counts) {
  // Tasks run inside the barriers, where waiting and working cannot be told apart from here.
  const bool has_tasks = takt::bench::the_program_has_tasks.load(std::memory_order_relaxed);
  *counts = {takt::bench::tasks_of_all(), has_tasks ? -1.0 : takt::bench::working_s_of_all()};
}

}  // extern "C"
