// fib: the naive Fibonacci recursion, a fork at every call. Nothing but forks, so its time is
// the price of a fork.
#pragma once

#include "harness/problem.hpp"

namespace takt::bench {

struct fib_problem {
  static constexpr problem_info info{.name = "fib",
                                     .about = "naive Fibonacci numbers",
                                     .form = kind::forks,
                                     .size_unit = "n",
                                     .size_default = 40,
                                     .size_min = 1,
                                     .size_max = 60};
  struct input {
    long n;
  };
  using answer = long;

  static input make(const request& wanted) { return {size_of(wanted, info)}; }
  static void reset(const input& /*in*/, answer& out) { out = -1; }
  static bool same(const input& in, answer got, answer expected) {
    // The one value that needs no program to check it.
    return got == expected && (in.n != 40 || got == 102'334'155);
  }
};

}  // namespace takt::bench
