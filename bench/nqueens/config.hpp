// nqueens: counts all ways to place n queens, every placement of a row in parallel. The board
// is an array of columns, checked queen by queen: the form that other fork-join systems are
// measured with, so that their published numbers compare.
#pragma once

#include <array>
#include <cstdint>

#include "harness/problem.hpp"

namespace takt::bench {

struct nqueens_problem {
  static constexpr int k_largest = 16;
  static constexpr problem_info info{.name = "nqueens",
                                     .about = "all solutions of the n-queens puzzle",
                                     .form = kind::forks,
                                     .size_unit = "n",
                                     .size_default = 12,
                                     .size_min = 1,
                                     .size_max = k_largest};
  struct input {
    int n;
  };
  using answer = long;

  // Column of the queen in each row. Sixteen bytes, so a branch takes a copy of its own.
  using board = std::array<std::int8_t, k_largest>;

  static bool is_safe(const board& queens, int row, int col) {
    for (int r = 0; r < row; ++r) {
      const int distance = queens[static_cast<std::size_t>(r)] - col;
      if (distance == 0 || distance == row - r || distance == r - row) {
        return false;
      }
    }
    return true;
  }

  static input make(const request& wanted) { return {static_cast<int>(size_of(wanted, info))}; }
  static void reset(const input& /*in*/, answer& out) { out = -1; }
  static bool same(const input& in, answer got, answer expected) {
    constexpr std::array<long, k_largest + 1> k_known{
        1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
    return got == expected && got == k_known[static_cast<std::size_t>(in.n)];
  }
};

}  // namespace takt::bench
