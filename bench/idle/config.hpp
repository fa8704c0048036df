// idle: some parallel work, then a nap. What is reported is not a time but the CPU time that
// the whole process uses during the nap, which should be none.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include <time.h>

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

  // Of all threads, each by its own clock: those of the process leave out what a thread that is
  // running has used since it was last looked at, and count it later.
  static double cpu_seconds() {
    double sum = 0.0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      const auto thread = static_cast<clockid_t>(std::stol(task.path().filename().string()));
      timespec used{};
      // How the kernel numbers the clock of a thread's time in user and system mode.
      if (clock_gettime(~thread * 8 + 6, &used) == 0) {
        sum += static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
      }
    }
    return sum;
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
