// OpenMP: a task for one of two branches.
#pragma once

#include "harness/omp_support.hpp"

#define TAKT_BAGGAGE_RECURSIVE

namespace takt::bench::par::inline over_omp {

inline constexpr const char* k_system = "omp";

template <class F>
void root(const F& f) {
  omp_root(f);
}

template <class F, class G>
void both(const F& f, const G& g) {
#pragma omp task shared(g)
  g();
  f();
#pragma omp taskwait
}

template <class F, class G>
auto sum(const F& f, const G& g) {
  decltype(g()) b{};
#pragma omp task shared(b, g)
  b = g();
  const auto a = f();
#pragma omp taskwait
  return a + b;
}

}  // namespace takt::bench::par::inline over_omp
