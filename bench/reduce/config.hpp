// reduce: sum of an array of double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct reduce_problem {
  static constexpr problem_info info{.name = "reduce",
                                     .about = "sum of an array of double",
                                     .form = kind::forks,
                                     .size_unit = "elements",
                                     .size_default = 50'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000};
  using input = std::vector<double>;
  using answer = double;

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(12);
    for (auto& x : in) {
      x = random.unit();
    }
    return in;
  }
  static void reset(const input& /*in*/, answer& out) { out = 0; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return near(got, expected, expected);
  }
};

}  // namespace takt::bench
