// The problems on OpenMP tasks.
#pragma once

#include <string_view>

#include <omp.h>

#include "harness/tasks.hpp"
#include "pbbs/parallel/blocked.hpp"

namespace takt::bench::pbbs {

struct omp_tasks {
  template <class F, class G>
  static void fork(F& f, G& g) {
    task_counters::add(1);
#pragma omp task default(none) shared(g)
    g();
    f();
#pragma omp taskwait
  }
  template <class Body>
  static void blocks(std::size_t n, const Body& body) {
    if (n != 0) {
      task_counters::add(n - 1);
      divide(0, n, body);
    }
  }

 private:
  // By halves: a single producer would be what everybody waits for.
  template <class Body>
  static void divide(std::size_t begin, std::size_t end, const Body& body) {
    while (end - begin > 1) {
      const std::size_t middle = begin + (end - begin) / 2;
#pragma omp task default(none) firstprivate(middle, end) shared(body)
      divide(middle, end, body);
      end = middle;
    }
    body(begin);
#pragma omp taskwait
  }
};

struct omp_parallel : blocked<omp_tasks> {
  static constexpr std::string_view k_system = "omp";

  // One team for all of a run: its threads take the tasks of the one that runs `f`.
  template <class F>
  static void root(const F& f) {
#pragma omp parallel default(none) shared(f)
#pragma omp single
    f();
  }
};

// What the problems call: each is compiled once for each system.
using parallel = omp_parallel;

}  // namespace takt::bench::pbbs
