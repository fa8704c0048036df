// two_leaves: one fork of two long serial leaves as the first parallel call of a process.
// Nothing polls inside a leaf, so a system that only gives work away at forks runs the leaves
// one after the other. With two workers the time should be half of the serial one.
//
// two_long_leaves: leaves of 100 ms, again and again in one process. Beside busy processes a system must not wait for a
// thread that has no CPU.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/problem.hpp"

namespace takt::bench {

struct leaves_problem {
  static constexpr problem_info info_of(std::string_view name, std::string_view about, std::int64_t steps, bool fresh) {
    return {.name = name,
            .about = about,
            .form = kind::forks,
            .size_unit = "steps",
            .size_default = steps,
            .size_min = 1,
            .size_max = 10'000'000'000,
            .fresh_process = fresh};
  }
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

  static void reset(const input& /*in*/, answer& out) { out = {0, 0}; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.left == expected.left && got.right == expected.right;
  }
};

struct two_leaves_problem : leaves_problem {
  static constexpr problem_info info =
      info_of("two_leaves", "one fork of two serial leaves, cold pool", 40'000'000, true);
  static input make(const request& wanted) { return {size_of(wanted, info)}; }
};

struct two_long_leaves_problem : leaves_problem {
  static constexpr problem_info info =
      info_of("two_long_leaves", "a fork of two serial leaves of 100 ms", 80'000'000, false);
  static input make(const request& wanted) { return {size_of(wanted, info)}; }
};

}  // namespace takt::bench
