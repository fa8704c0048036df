// OpenMP: a task for one of two branches, and plain calls below as many forks inside each other as are worth their
// tasks.
#pragma once

#include "harness/omp_support.hpp"

#define TAKT_BAGGAGE_RECURSIVE

namespace takt::bench::par::inline over_omp_cut_off {

inline constexpr const char* k_system = "omp-cut-off";
// Tuned by hand: one rule for all eight programs. Below ten forks inside each other forks are plain calls.
inline constexpr int k_most_forks = 10;

// Forks around what this thread runs.
inline constinit thread_local int forks_around = 0;

// A thread that waits runs other tasks: each leaves the number as it was.
template <class F>
void run_inside(int forks, const F& f) {
  const int before = forks_around;
  forks_around = forks;
  f();
  forks_around = before;
}

template <class F>
void root(const F& f) {
  omp_root(f);
}

template <class F, class G>
void both(const F& f, const G& g) {
  if (forks_around >= k_most_forks) {
    f();
    g();
    return;
  }
  const int inside = forks_around + 1;
#pragma omp task shared(g) firstprivate(inside)
  run_inside(inside, g);
  run_inside(inside, f);
#pragma omp taskwait
}

template <class F, class G>
auto sum(const F& f, const G& g) {
  if (forks_around >= k_most_forks) {
    const auto a = f();
    return a + g();
  }
  decltype(g()) a{};
  decltype(g()) b{};
  both([&] { a = f(); }, [&] { b = g(); });
  return a + b;
}

}  // namespace takt::bench::par::inline over_omp_cut_off
