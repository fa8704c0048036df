// heat2d: a stencil of five points over a square grid, from one array to the other and back (ADWS paper, section 6.2).
// The rows of a step are one loop, where the paper divides the grid in four.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/problem.hpp"

namespace takt::bench {

struct heat2d_problem {
  static constexpr problem_info info{.name = "heat2d",
                                     .about = "ten steps of a five-point stencil over a grid",
                                     .form = kind::forks,
                                     .size_unit = "rows",
                                     .size_default = 1000,
                                     .size_min = 3,
                                     .size_max = 1 << 15,
                                     .group = "locality"};
  static constexpr int k_steps = 10;

  struct input {
    std::size_t rows;
    // 256 bytes behind each row: rows whose distance is a power of two would fall upon each other.
    std::size_t stride() const { return rows + 32; }
  };
  struct answer {
    std::vector<double> grid;
    std::vector<double> other;  // the second array
  };

  static input make(const request& wanted) { return {static_cast<std::size_t>(size_of(wanted, info))}; }
  // One edge is hot.
  static void reset(const input& in, answer& a) {
    a.grid.assign(in.rows * in.stride(), 0);
    for (std::size_t j = 0; j < in.rows; ++j) {
      a.grid[j] = 100;
    }
    a.other = a.grid;
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got.grid == expected.grid; }
};

}  // namespace takt::bench
