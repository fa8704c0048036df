// fork_empty: a fork of two empty branches, again and again inside a computation. Its time is
// that of one fork.
#pragma once

#include <cstdint>

#include "harness/problem.hpp"

namespace takt::bench {

struct fork_empty_problem {
  static constexpr problem_info info{.name = "fork_empty",
                                     .about = "a fork of two empty branches, per fork",
                                     .form = kind::forks,
                                     .size_unit = "forks",
                                     .size_default = 10'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000,
                                     .per_call = true};
  struct input {
    std::int64_t forks;
  };
  // How many forks were made: there is nothing else that empty branches could get wrong.
  using answer = std::int64_t;

  // Keeps a loop of nothing a loop. It tells the compiler that memory may have changed and
  // costs no instruction.
  static void keep() { asm volatile("" ::: "memory"); }

  static input make(const request& wanted) { return {size_of(wanted, info)}; }
  static void reset(const input& /*in*/, answer& out) { out = 0; }
  static bool same(const input& in, answer got, answer /*expected*/) { return got == in.forks; }
  static double seconds(const input& in, const answer& /*out*/, double elapsed) {
    return elapsed / static_cast<double>(in.forks);
  }
};

}  // namespace takt::bench
