// quicksort: the partition is parallel, too, from one array to another; the pivot is the median of the first three
// (ADWS paper, section 6.2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct quicksort_problem {
  static constexpr problem_info info{.name = "quicksort",
                                     .about = "doubles, partitioned in parallel from one array to another",
                                     .form = kind::forks,
                                     .size_unit = "numbers",
                                     .size_default = 1'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000,
                                     .group = "locality"};
  using input = std::vector<double>;
  struct answer {
    std::vector<double> numbers;
    std::vector<double> other;  // the second array
  };

  // The leaf kernel: so few are sorted by std::sort.
  static constexpr std::size_t k_leaf = 1024;

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(11);
    std::generate(in.begin(), in.end(), [&] { return random.unit(); });
    return in;
  }
  static void reset(const input& in, answer& a) {
    a.numbers = in;
    a.other.resize(in.size());
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.numbers == expected.numbers;
  }
};

}  // namespace takt::bench
