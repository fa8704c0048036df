// filter: the even ones of random numbers, copied in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct filter_problem {
  static constexpr problem_info info{.name = "filter",
                                     .about = "the even ones of random numbers",
                                     .form = kind::forks,
                                     .size_unit = "elements",
                                     .size_default = 50'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000};
  using input = std::vector<std::uint64_t>;
  struct answer {
    std::vector<std::uint64_t> kept;
    std::size_t count;
  };

  static bool is_wanted(std::uint64_t x) { return x % 2 == 0; }

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(13);
    for (auto& x : in) {
      x = random.next();
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    out.kept.assign(in.size(), 1);
    out.count = 0;
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.count == expected.count && got.kept == expected.kept;
  }
};

}  // namespace takt::bench
