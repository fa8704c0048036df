// The problems on oneTBB.
#pragma once

#include <string_view>

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "harness/tasks.hpp"
#include "pbbs/parallel/blocked.hpp"

namespace takt::bench::pbbs {

struct tbb_tasks {
  template <class F, class G>
  static void fork(F& f, G& g) {
    task_counters::add(1);
    tbb::task_group both;
    both.run([&g] { g(); });
    f();
    both.wait();
  }
  template <class Body>
  static void blocks(std::size_t n, const Body& body) {
    if (n == 0) {
      return;
    }
    task_counters::add(n - 1);
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, n, 1),
        [&body](const tbb::blocked_range<std::size_t>& some) {
          for (std::size_t b = some.begin(); b < some.end(); ++b) {
            body(b);
          }
        },
        tbb::simple_partitioner());
  }
};

struct tbb_parallel : blocked<tbb_tasks> {
  static constexpr std::string_view k_system = "tbb";

  template <class F>
  static void root(const F& f) {
    f();
  }
};

// What the problems call: each is compiled once for each system.
using parallel = tbb_parallel;

}  // namespace takt::bench::pbbs
