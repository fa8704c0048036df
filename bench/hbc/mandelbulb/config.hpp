// All three loops of mandelbulb are parallel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"
#include "hbc/inputs.hpp"
#include "hbc/mandelbulb/program.h"

namespace takt::bench {

struct hbc_mandelbulb_problem {
  static constexpr problem_info info =
      hbc_info("hbc_mandelbulb", "escape times over a cube", "side", 96, 1000);
  struct input {
    std::int64_t side;
  };
  using answer = std::vector<std::int32_t>;

  static input make(const request& wanted) { return {size_of(wanted, info)}; }
  static void reset(const input& in, answer& out) {
    out.assign(static_cast<std::size_t>(in.side * in.side * in.side), -1);
  }
  static hbc_mandelbulb arguments(const input& in, answer& out) {
    return {in.side, 100, out.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

}  // namespace takt::bench
