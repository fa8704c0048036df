// moments: mean and variance of an array of double, by a body that keeps what it has seen (Welford's recurrence), and that
// splits and joins (Chan, Golub and LeVeque's rule).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct moments_problem {
  static constexpr problem_info info{.name = "moments",
                                     .about = "mean and variance of an array of double",
                                     .form = kind::forks,
                                     .size_unit = "elements",
                                     .size_default = 10'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000};
  using input = std::vector<double>;
  struct answer {
    double mean;
    double variance;
  };

  struct seen {
    double count = 0;
    double mean = 0;
    double squares = 0;

    void add(double x) {
      count += 1;
      const double off = x - mean;
      mean += off / count;
      squares += off * (x - mean);
    }
    void append(const seen& right) {
      if (right.count == 0) return;
      const double all = count + right.count;
      const double off = right.mean - mean;
      squares += right.squares + off * off * (count * right.count / all);
      mean += off * (right.count / all);
      count = all;
    }
    answer result() const { return {mean, squares / count}; }
  };

  static input make(const request& wanted) {
    return random_doubles(size_of(wanted, info), 33, 1);
  }
  static void reset(const input& /*in*/, answer& out) { out = {}; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return near(got.mean, expected.mean, expected.mean) && near(got.variance, expected.variance, 1);
  }
};

}  // namespace takt::bench
