// two_leaves: one fork of two long serial leaves as the first parallel call of a process.
// Nothing polls inside a leaf, so a system that only gives work away at forks runs the leaves
// one after the other. With two workers the time should be half of the serial one.
#pragma once

#include <cstdint>

#include "harness/problem.hpp"

namespace takt::bench {

struct two_leaves_problem {
  static constexpr problem_info info{.name = "two_leaves",
                                     .about = "one fork of two serial leaves, cold pool",
                                     .form = kind::forks,
                                     .size_unit = "steps",
                                     .size_default = 40'000'000,
                                     .size_min = 1,
                                     .size_max = 10'000'000'000,
                                     .fresh_process = true};
  struct input {
    std::int64_t steps;
  };
  struct answer {
    std::uint64_t left;
    std::uint64_t right;
  };

  // A chain of dependent multiplications: no memory, no call. The empty asm makes every step a
  // step: Clang would otherwise fold eight of them into one.
  [[gnu::noinline]] static std::uint64_t leaf(std::uint64_t seed, std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      asm volatile("" : "+r"(seed));
    }
    return seed;
  }

  static input make(const request& wanted) { return {size_of(wanted, info)}; }
  static void reset(const input& /*in*/, answer& out) { out = {0, 0}; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.left == expected.left && got.right == expected.right;
  }
};

}  // namespace takt::bench
