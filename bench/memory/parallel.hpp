// The two constructs that the programs of this folder use, as each system has them: one source for all.
#pragma once

#include <cstddef>

#if defined(TAKT_BENCH_TAKT)
#include <takt/takt.hpp>
#elif defined(TAKT_BENCH_TBB)
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#endif

namespace bench {

/// f() and g(), side by side perhaps.
template <class F, class G>
void both(const F& f, const G& g) {
#if defined(TAKT_BENCH_TAKT)
  takt::fork_join(f, g);
#elif defined(TAKT_BENCH_TBB)
  tbb::parallel_invoke(f, g);
#elif defined(TAKT_BENCH_OMP)
#pragma omp task default(shared)
  g();
  f();
#pragma omp taskwait
#else
  f();
  g();
#endif
}

/// f(i) for each i below n, in any order.
template <class F>
void each(std::size_t n, const F& f) {
#if defined(TAKT_BENCH_TAKT)
  takt::parallel_for(std::size_t{0}, n, f);
#elif defined(TAKT_BENCH_TBB)
  tbb::parallel_for(std::size_t{0}, n, f);
#elif defined(TAKT_BENCH_OMP)
#pragma omp taskloop default(shared)
  for (std::size_t i = 0; i < n; ++i) f(i);
#else
  for (std::size_t i = 0; i < n; ++i) f(i);
#endif
}

/// Runs f() so that the above may be used in it, on `workers` threads; takt and OpenMP know how many.
template <class F>
void run(std::size_t workers, const F& f) {
#if defined(TAKT_BENCH_TBB)
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, workers);
  tbb::task_arena(static_cast<int>(workers)).execute(f);
#elif defined(TAKT_BENCH_OMP)
#pragma omp parallel num_threads(static_cast<int>(workers))
#pragma omp single
  f();
#else
  (void)workers;
  f();
#endif
}

}  // namespace bench
