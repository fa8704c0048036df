// idle: some parallel work, then a nap. What is reported is not a time but the CPU time that
// the whole process uses during the nap, which should be none.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include <sys/resource.h>

#include "harness/compare.hpp"
#include "harness/problem.hpp"

namespace takt::bench {

struct idle_problem {
  static constexpr problem_info info{.name = "idle",
                                     .about = "CPU time used while idle after parallel work",
                                     .form = kind::loops,
                                     .size_unit = "milliseconds",
                                     .size_default = 2000,
                                     .size_min = 1,
                                     .size_max = 600'000};
  struct input {
    std::chrono::milliseconds nap;
  };
  struct answer {
    double sum = 0.0;
    double idle_cpu = 0.0;
  };

  // Enough work for every worker to have been awake: some milliseconds when run serially.
  static constexpr std::int64_t k_rows = 500;
  static constexpr std::int64_t k_cols = 5000;
  static double term(std::int64_t row, std::int64_t col) {
    return 1.0 / static_cast<double>(1 + row + col);
  }

  static double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }

  static double cpu_used_by_nap(const input& in) {
    const double before = cpu_seconds();
    std::this_thread::sleep_for(in.nap);
    return cpu_seconds() - before;
  }

  static input make(const request& wanted) {
    return {std::chrono::milliseconds(size_of(wanted, info))};
  }
  static void reset(const input& /*in*/, answer& out) { out = {}; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return near(got.sum, expected.sum, expected.sum);
  }
  static double seconds(const input& /*in*/, const answer& out, double /*elapsed*/) {
    return out.idle_cpu;
  }
};

}  // namespace takt::bench
