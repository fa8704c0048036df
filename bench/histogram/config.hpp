// histogram: how often each of 1024 numbers occurs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct histogram_problem {
  static constexpr problem_info info{.name = "histogram",
                                     .about = "counts of 1024 numbers",
                                     .form = kind::forks,
                                     .size_unit = "elements",
                                     .size_default = 50'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000};
  static constexpr std::size_t k_buckets = 1024;
  using input = std::vector<std::uint32_t>;
  using answer = std::vector<std::size_t>;

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(12);
    for (auto& x : in) {
      x = random.below(k_buckets);
    }
    return in;
  }
  static void reset(const input& /*in*/, answer& out) { out.clear(); }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

}  // namespace takt::bench
