// Loops over the same data again and again, to compare with a static schedule on the same simulated machine: the first
// steps of Floyd and Warshall's algorithm, and saxpy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"

namespace takt::bench {

struct floyd_warshall_problem {
  static constexpr problem_info info{.name = "floyd_warshall",
                                     .about = "shortest paths over the first 16 of the nodes",
                                     .form = kind::loops,
                                     .size_unit = "nodes",
                                     .size_default = 512,
                                     .size_min = 16,
                                     .size_max = 1 << 13,
                                     .group = "locality"};
  static constexpr std::size_t k_steps = 16;
  struct input {
    std::size_t nodes;
  };
  using answer = std::vector<std::int32_t>;

  static input make(const request& wanted) { return {static_cast<std::size_t>(size_of(wanted, info))}; }
  static void reset(const input& in, answer& a) {
    a.resize(in.nodes * in.nodes);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<std::int32_t>(1 + i * 7919 % 1009);
    }
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got == expected; }
};

struct saxpy_problem {
  static constexpr problem_info info{.name = "saxpy",
                                     .about = "y += a * x, ten times",
                                     .form = kind::loops,
                                     .size_unit = "blocks of 64",
                                     .size_default = 16'384,
                                     .size_min = 1,
                                     .size_max = 1 << 22,
                                     .group = "locality"};
  static constexpr int k_passes = 10;
  static constexpr std::size_t k_block = 64;
  struct input {
    std::size_t blocks;
  };
  struct answer {
    std::vector<double> x;
    std::vector<double> y;
  };

  static input make(const request& wanted) { return {static_cast<std::size_t>(size_of(wanted, info))}; }
  static void reset(const input& in, answer& a) {
    a.x.assign(in.blocks * k_block, 0.5);
    a.y.assign(in.blocks * k_block, 1);
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got.y == expected.y; }
};

}  // namespace takt::bench
