// saxpy: y += a x, a leaf loop. It must still vectorise, and its chunks must not show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct saxpy_problem {
  static constexpr problem_info info{.name = "saxpy",
                                     .about = "y += a * x over two arrays of float",
                                     .form = kind::loops,
                                     .size_unit = "elements",
                                     .size_default = 10'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000,
                                     .calls = 10};
  struct input {
    float a;
    std::vector<float> x;
    std::vector<float> y;
  };
  using answer = std::vector<float>;

  static input make(const request& wanted) {
    input in;
    in.a = 0.75F;
    const auto n = static_cast<std::size_t>(size_of(wanted, info));
    random_source random(7);
    in.x.resize(n);
    in.y.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      in.x[i] = static_cast<float>(random.unit());
      in.y[i] = static_cast<float>(random.unit());
    }
    return in;
  }
  static void reset(const input& in, answer& y) { y = in.y; }
  // Each element is computed by itself, so there is no order that could change it.
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

}  // namespace takt::bench
