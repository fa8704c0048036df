// loop100: a parallel loop of 100 trivial iterations, called again and again from serial code.
// Its time is that of one call; what it takes over the plain loop is the price of entering and
// leaving takt for nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/problem.hpp"

namespace takt::bench {

struct loop100_problem {
  static constexpr int k_iterations = 100;
  static constexpr problem_info info{.name = "loop100",
                                     .about = "a loop of 100 trivial iterations, per call",
                                     .form = kind::loops,
                                     .size_unit = "calls",
                                     .size_default = 100'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000,
                                     .per_call = true};
  struct input {
    std::int64_t calls;
  };
  using answer = std::array<std::int64_t, k_iterations>;

  static input make(const request& wanted) { return {size_of(wanted, info)}; }
  static void reset(const input& /*in*/, answer& out) { out.fill(0); }
  static bool same(const input& in, const answer& got, const answer& /*expected*/) {
    return std::all_of(got.begin(), got.end(), [&](std::int64_t v) { return v == in.calls; });
  }
  static double seconds(const input& in, const answer& /*out*/, double elapsed) {
    return elapsed / static_cast<double>(in.calls);
  }
};

}  // namespace takt::bench
