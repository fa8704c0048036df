// Both of mandelbrot's loops are parallel; rows through the set take longest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"
#include "hbc/inputs.hpp"
#include "hbc/mandelbrot/program.h"

namespace takt::bench {

struct hbc_mandelbrot_problem {
  static constexpr problem_info info =
      hbc_info("hbc_mandelbrot", "escape times over an image", "rows", 1000, 20'000);
  struct input {
    std::int64_t rows;
  };
  using answer = std::vector<std::int32_t>;

  static input make(const request& wanted) { return {size_of(wanted, info)}; }
  static void reset(const input& in, answer& out) {
    out.assign(static_cast<std::size_t>(2 * in.rows * in.rows), -1);
  }
  static hbc_mandelbrot arguments(const input& in, answer& out) {
    return {in.rows, 2 * in.rows, 1000, out.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

}  // namespace takt::bench
