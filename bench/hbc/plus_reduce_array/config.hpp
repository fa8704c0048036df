// One loop that does nothing but add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"
#include "hbc/inputs.hpp"
#include "hbc/plus_reduce_array/program.h"

namespace takt::bench {

struct hbc_plus_reduce_array_problem {
  static constexpr problem_info info =
      hbc_info("hbc_plus_reduce_array",
               "sum of an array, 40 times", "elements", 32'000'000, 1'000'000'000);
  using input = std::vector<double>;
  using answer = std::vector<double>;

  static input make(const request& wanted) {
    input elements(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(11);
    for (double& x : elements) {
      x = random.unit();
    }
    return elements;
  }
  static void reset(const input& /*in*/, answer& sums) { sums.assign(40, -1.0); }
  static hbc_plus_reduce_array arguments(const input& in, answer& sums) {
    return {static_cast<std::int64_t>(in.size()), static_cast<std::int64_t>(sums.size()),
            in.data(), sums.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got, expected);
  }
};

}  // namespace takt::bench
