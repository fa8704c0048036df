// rrm: recursive repeated map (Simhadri et al.; ADWS paper, section 6.2). An array is mapped three times, divided in
// the ratio 1 : alpha, and so on in both parts, until they have less than 32 KiB.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/problem.hpp"

namespace takt::bench {

struct rrm_problem {
  static constexpr problem_info info{.name = "rrm",
                                     .about = "a map, three times, over an array and over its parts",
                                     .form = kind::forks,
                                     .size_unit = "numbers",
                                     .size_default = 1'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000,
                                     .group = "locality"};
  struct input {
    std::size_t count;
    double alpha;
  };
  using answer = std::vector<double>;

  // The leaf kernel of the map: numbers that are mapped at a time.
  static constexpr std::size_t k_block = 512;
  // Fewer numbers are not divided.
  static constexpr std::size_t k_smallest = 32 * 1024 / sizeof(double);

  // Where a part is divided: at a block, and both parts have one.
  static std::size_t left_of(std::size_t count, double alpha) {
    const auto blocks = static_cast<std::size_t>(static_cast<double>(count / k_block) / (1 + alpha) + 0.5);
    return std::clamp<std::size_t>(blocks, 1, count / k_block - 1) * k_block;
  }

  static input make(const request& wanted) {
    input in{static_cast<std::size_t>(size_of(wanted, info)), 1};
    // For the simulated machine alone: "alpha=4".
    constexpr std::string_view k_alpha = "alpha=";
    if (wanted.input.starts_with(k_alpha)) {
      const char* const end = wanted.input.data() + wanted.input.size();
      const auto [stop, error] = std::from_chars(wanted.input.data() + k_alpha.size(), end, in.alpha);
      if (error != std::errc{} || stop != end || !(in.alpha >= 1e-3 && in.alpha <= 1e3)) {
        throw input_error("rrm: " + wanted.input + ": alpha is no number from 0.001 to 1000");
      }
    }
    return in;
  }
  static void reset(const input& in, answer& a) {
    a.resize(in.count);
    for (std::size_t i = 0; i < in.count; ++i) {
      a[i] = 1 + static_cast<double>(i % 1000) / 1000;
    }
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got == expected; }
};

}  // namespace takt::bench
