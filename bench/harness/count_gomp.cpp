// Counts the tasks of an OpenMP program of GCC: explicit ones, and one per thread and parallel
// region. A loop's iterations are no tasks, whatever its schedule.
#include <dlfcn.h>
#include <omp.h>

#include "harness/preloaded_counts.hpp"
#include "harness/thread_counts.hpp"

namespace takt::bench {
namespace {

std::atomic<bool> the_program_has_tasks{false};

// A parallel region. The threads of one that has only loops are out of work when they leave it.
struct region {
  void (*run)(void*);
  void* data;
};

void run_counted(void* argument) {
  const region& mine = *static_cast<const region*>(argument);
  count_task();
  const std::int64_t begin = now_ns();
  mine.run(mine.data);
  my_slot().working_ns.fetch_add(now_ns() - begin, std::memory_order_relaxed);
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void count_explicit(std::uint64_t tasks) {
  the_program_has_tasks.store(true, std::memory_order_relaxed);
  my_slot().tasks.fetch_add(tasks, std::memory_order_relaxed);
}

// As GOMP_taskloop cuts `n` iterations.
std::uint64_t tasks_of_loop(std::uint64_t n, unsigned flags, std::uint64_t num_tasks) {
  constexpr unsigned k_num_tasks_is_grain_size = 1U << 9;
  if (n == 0) {
    return 0;
  }
  if ((flags & k_num_tasks_is_grain_size) != 0 && num_tasks != 0) {
    num_tasks = n / num_tasks;
  } else if (num_tasks == 0) {
    num_tasks = static_cast<std::uint64_t>(omp_get_num_threads());
  }
  return num_tasks < 1 ? 1 : num_tasks < n ? num_tasks : n;
}

}  // namespace
}  // namespace takt::bench

// The entry points of libgomp, as libgomp_g.h declares them. The program and not libgomp calls
// them, so these come first.
extern "C" {

void GOMP_parallel(void (*run)(void*), void* data, unsigned threads, unsigned flags) {
  using type = void (*)(void (*)(void*), void*, unsigned, unsigned);
  static const auto real = takt::bench::real<type>("GOMP_parallel");
  takt::bench::region mine{run, data};
  real(takt::bench::run_counted, &mine, threads, flags);
}

#define TAKT_BENCH_COUNT_LOOP(name)                                                            \
  void name(void (*run)(void*), void* data, unsigned threads, long start, long end, long step, \
            long chunk, unsigned flags) {                                                      \
    using type =                                                                               \
        void (*)(void (*)(void*), void*, unsigned, long, long, long, long, unsigned);          \
    static const auto real = takt::bench::real<type>(#name);                                   \
    takt::bench::region mine{run, data};                                                       \
    real(takt::bench::run_counted, &mine, threads, start, end, step, chunk, flags);            \
  }
TAKT_BENCH_COUNT_LOOP(GOMP_parallel_loop_static)
TAKT_BENCH_COUNT_LOOP(GOMP_parallel_loop_dynamic)
TAKT_BENCH_COUNT_LOOP(GOMP_parallel_loop_guided)
TAKT_BENCH_COUNT_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
TAKT_BENCH_COUNT_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
#undef TAKT_BENCH_COUNT_LOOP

void GOMP_task(void (*run)(void*), void* data, void (*copy)(void*, void*), long size, long align,
               bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  using type = void (*)(void (*)(void*), void*, void (*)(void*, void*), long, long, bool,
                        unsigned, void**, int, void*);
  static const auto real = takt::bench::real<type>("GOMP_task");
  takt::bench::count_explicit(1);
  real(run, data, copy, size, align, if_clause, flags, depend, priority, detach);
}

#define TAKT_BENCH_COUNT_TASKLOOP(name, integer)                                               \
  void name(void (*run)(void*), void* data, void (*copy)(void*, void*), long size, long align, \
            unsigned flags, unsigned long num_tasks, int priority, integer start, integer end, \
            integer step) {                                                                    \
    using type = void (*)(void (*)(void*), void*, void (*)(void*, void*), long, long,          \
                          unsigned, unsigned long, int, integer, integer, integer);            \
    static const auto real = takt::bench::real<type>(#name);                                   \
    constexpr unsigned k_up = 1U << 8;                                                         \
    const bool up = (flags & k_up) != 0;                                                       \
    const integer low = up ? start : end;                                                      \
    const integer high = up ? end : start;                                                     \
    const auto stride = static_cast<std::uint64_t>(up ? step : -step);                         \
    const auto span = static_cast<std::uint64_t>(high - low);                                  \
    takt::bench::count_explicit(takt::bench::tasks_of_loop(                                    \
        low < high ? (span + stride - 1) / stride : 0, flags, num_tasks));                     \
    real(run, data, copy, size, align, flags, num_tasks, priority, start, end, step);          \
  }
TAKT_BENCH_COUNT_TASKLOOP(GOMP_taskloop, long)
TAKT_BENCH_COUNT_TASKLOOP(GOMP_taskloop_ull, unsigned long long)
#undef TAKT_BENCH_COUNT_TASKLOOP

void takt_bench_read_counts(takt_bench_counts* counts) {
  // Inside a region with tasks, waiting and working cannot be told apart from here.
  const bool has_tasks = takt::bench::the_program_has_tasks.load(std::memory_order_relaxed);
  *counts = {takt::bench::tasks_of_all(), has_tasks ? -1.0 : takt::bench::working_s_of_all()};
}

}  // extern "C"
