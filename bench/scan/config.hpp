// scan: all sums of the first elements of an array of 64-bit integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct scan_problem {
  static constexpr problem_info info{.name = "scan",
                                     .about = "prefix sums of 64-bit integers",
                                     .form = kind::forks,
                                     .size_unit = "elements",
                                     .size_default = 50'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000};
  using input = std::vector<std::uint64_t>;
  using answer = std::vector<std::uint64_t>;

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(12);
    for (auto& x : in) {
      x = random.next();
    }
    return in;
  }
  static void reset(const input& in, answer& out) { out.assign(in.size(), 0); }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

}  // namespace takt::bench
