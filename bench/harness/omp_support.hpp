// The OpenMP forms of a loop and of a fork-join computation, shared by all problems.
#pragma once

#include <cstdint>
#include <utility>

#include <omp.h>

#include "harness/problem.hpp"

namespace takt::bench {

// fixed, dynamic and guided run the outermost loop in parallel and nothing else; nested
// annotates every level, which is what a takt program does.
enum class schedule { fixed, dynamic, guided, nested };

// The pragmas are written out because schedule(runtime) would put a dispatch call around
// every chunk of the static schedule too.
template <schedule S, class Body>
void omp_outer_loop(std::int64_t count, const Body& body_of) {
  if constexpr (S == schedule::fixed) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      body_of(i);
    }
  } else if constexpr (S == schedule::dynamic) {
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t i = 0; i < count; ++i) {
      body_of(i);
    }
  } else if constexpr (S == schedule::guided) {
#pragma omp parallel for schedule(guided)
    for (std::int64_t i = 0; i < count; ++i) {
      body_of(i);
    }
  } else {
#pragma omp parallel for
    for (std::int64_t i = 0; i < count; ++i) {
      body_of(i);
    }
  }
}

template <schedule S, class Map>
double omp_outer_sum(std::int64_t count, const Map& map) {
  double sum = 0.0;
  if constexpr (S == schedule::fixed) {
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i) {
      sum += map(i);
    }
  } else if constexpr (S == schedule::dynamic) {
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i) {
      sum += map(i);
    }
  } else if constexpr (S == schedule::guided) {
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i) {
      sum += map(i);
    }
  } else {
#pragma omp parallel for reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i) {
      sum += map(i);
    }
  }
  return sum;
}

// A loop inside another one: parallel in the nested form only.
template <schedule S, class Body>
void omp_inner_loop(std::int64_t count, const Body& body_of) {
  if constexpr (S == schedule::nested) {
#pragma omp parallel for
    for (std::int64_t i = 0; i < count; ++i) {
      body_of(i);
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      body_of(i);
    }
  }
}

template <schedule S, class Map>
double omp_inner_sum(std::int64_t first, std::int64_t last, const Map& map) {
  double sum = 0.0;
  if constexpr (S == schedule::nested) {
#pragma omp parallel for reduction(+ : sum)
    for (std::int64_t i = first; i < last; ++i) {
      sum += map(i);
    }
  } else {
    for (std::int64_t i = first; i < last; ++i) {
      sum += map(i);
    }
  }
  return sum;
}

// Starts a computation of nested tasks: one thread runs it, the others take its tasks.
template <class F>
void omp_root(const F& f) {
#pragma omp parallel
#pragma omp single
  f();
}

// Enrols a loop problem under all four schedules. `Body` is a captureless generic lambda
//   []<schedule S>(const input&, answer&) { ... }
template <class P>
class enrol_omp_loops {
 public:
  template <class Body>
  explicit enrol_omp_loops(Body)
      : fixed_("omp-static", &call<schedule::fixed, Body>),
        dynamic_("omp-dynamic", &call<schedule::dynamic, Body>),
        guided_("omp-guided", &call<schedule::guided, Body>),
        nested_("omp-nested", &call<schedule::nested, Body>) {}

 private:
  template <schedule S, class Body>
  static void call(const typename P::input& in, typename P::answer& out) {
    // One active level is the default of some runtimes, which would turn the inner loops of
    // the nested form into serial ones behind our back.
    omp_set_max_active_levels(S == schedule::nested ? 8 : 1);
    Body{}.template operator()<S>(in, out);
  }

  enrol<P> fixed_;
  enrol<P> dynamic_;
  enrol<P> guided_;
  enrol<P> nested_;
};

}  // namespace takt::bench
