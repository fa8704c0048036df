// stencil: the mean of the four neighbours, over a square in tiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct stencil_problem {
  static constexpr problem_info info{.name = "stencil",
                                     .about = "sweeps of a 5-point stencil over a square, in tiles",
                                     .form = kind::loops,
                                     .size_unit = "side",
                                     .size_default = 2000,
                                     .size_min = 3,
                                     .size_max = 20'000};
  static constexpr int k_sweeps = 10;
  // Rows are read from end to end: where a tile ends within rows, memory delivers less.
  static constexpr std::int64_t k_tile_rows = 16;
  static constexpr std::int64_t k_tile_columns = 4096;

  struct input {
    std::int64_t side;
    std::vector<double> grid;
  };
  struct answer {
    std::vector<double> now;
    std::vector<double> next;
  };

  static input make(const request& wanted) {
    const std::int64_t side = size_of(wanted, info);
    return {side, random_doubles(side * side, 31)};
  }
  static void reset(const input& in, answer& out) {
    out.now = in.grid;
    out.next = in.grid;
  }
  // Each element is computed by itself, so there is no order that could change it.
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got.now == expected.now; }

  // Of one sweep the rows [row, last_row) and columns [column, last_column).
  static void sweep(std::int64_t side, const double* from, double* to, std::int64_t row, std::int64_t last_row,
                    std::int64_t column, std::int64_t last_column) {
    for (std::int64_t r = row; r < last_row; ++r) {
      const double* const above = from + (r - 1) * side;
      const double* const here = from + r * side;
      const double* const below = from + (r + 1) * side;
      double* const out = to + r * side;
#pragma GCC ivdep
      for (std::int64_t c = column; c < last_column; ++c) out[c] = 0.25 * (above[c] + below[c] + here[c - 1] + here[c + 1]);
    }
  }

  /// one(from, to) for each sweep.
  template <class Sweep>
  static void run(answer& out, Sweep one) {
    for (int k = 0; k < k_sweeps; ++k) {
      one(out.now.data(), out.next.data());
      std::swap(out.now, out.next);
    }
  }
};

}  // namespace takt::bench
