// The problems of bench/baggage: the eight of the paper, section 5.1, at its sizes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct baggage_fib {
  static constexpr problem_info info{.name = "baggage_fib",
                                     .about = "naive Fibonacci numbers",
                                     .form = kind::forks,
                                     .size_unit = "n",
                                     .size_default = 40,
                                     .size_min = 1,
                                     .size_max = 60,
                                     .group = "baggage"};
  using input = std::int64_t;
  using answer = long;
  static input make(const request& wanted) { return size_of(wanted, info); }
  static void reset(const input& /*in*/, answer& out) { out = -1; }
  static bool same(const input& in, answer got, answer expected) {
    return got == expected && (in != 40 || got == 102'334'155);
  }
};

struct baggage_integrate {
  static constexpr problem_info info{.name = "baggage_integrate",
                                     .about = "adaptive integration of x^3 + x from 0",
                                     .form = kind::forks,
                                     .size_unit = "upper",
                                     .size_default = 10'000,
                                     .size_min = 1,
                                     .size_max = 20'000,
                                     .group = "baggage"};
  static constexpr double k_allowed = 1e-9;
  using input = double;
  using answer = double;
  static double f(double x) { return (x * x + 1.0) * x; }
  static input make(const request& wanted) { return static_cast<double>(size_of(wanted, info)); }
  static void reset(const input& /*in*/, answer& out) { out = -1.0; }
  static bool same(const input& in, answer got, answer expected) {
    const double exact = in * in * in * in / 4.0 + in * in / 2.0;
    return near(got, expected, expected) && std::fabs(got - exact) <= 1e-6 * exact;
  }
};

// Two meshes with a border, of which each step reads one and writes the other.
struct baggage_jacobi {
  static constexpr problem_info info{.name = "baggage_jacobi",
                                     .about = "100 steps of averaging the neighbours in a square mesh",
                                     .form = kind::forks,
                                     .size_unit = "side",
                                     .size_default = 1024,
                                     .size_min = 1,
                                     .size_max = 16'384,
                                     .group = "baggage"};
  static constexpr int k_steps = 100;
  using input = std::size_t;
  struct answer {
    std::vector<double> now;
    std::vector<double> next;
  };
  static input make(const request& wanted) { return static_cast<std::size_t>(size_of(wanted, info)); }
  static void reset(const input& in, answer& out) {
    out.now.assign((in + 2) * (in + 2), 0.0);
    std::fill_n(out.now.begin(), in + 2, 1.0);
    out.next = out.now;
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got.now == expected.now; }
};

struct baggage_matmul {
  static constexpr problem_info info{.name = "baggage_matmul",
                                     .about = "product of two square matrices, halved down to blocks of 16",
                                     .form = kind::forks,
                                     .size_unit = "side",
                                     .size_default = 1024,
                                     .size_min = 1,
                                     .size_max = 8192,
                                     .group = "baggage"};
  static constexpr std::size_t k_block = 16;
  struct input {
    std::size_t side;
    std::vector<double> a;
    std::vector<double> b;
  };
  using answer = std::vector<double>;
  static input make(const request& wanted) {
    const auto side = static_cast<std::size_t>(size_of(wanted, info));
    input in{side, std::vector<double>(side * side), std::vector<double>(side * side)};
    random_source random(3);
    for (double& x : in.a) x = random.unit();
    for (double& x : in.b) x = random.unit();
    return in;
  }
  static void reset(const input& in, answer& out) { out.assign(in.side * in.side, -1.0); }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got == expected; }
};

struct baggage_nqueens {
  static constexpr int k_largest = 16;
  static constexpr problem_info info{.name = "baggage_nqueens",
                                     .about = "all solutions of the n-queens puzzle",
                                     .form = kind::forks,
                                     .size_unit = "n",
                                     .size_default = 12,
                                     .size_min = 1,
                                     .size_max = k_largest,
                                     .group = "baggage"};
  using board = std::array<std::int8_t, k_largest>;
  using input = int;
  using answer = long;
  static input make(const request& wanted) { return static_cast<int>(size_of(wanted, info)); }
  static void reset(const input& /*in*/, answer& out) { out = -1; }
  static bool same(const input& in, answer got, answer expected) {
    return got == expected && (in != 12 || got == 14200);
  }
};

struct baggage_quicksort {
  static constexpr problem_info info{.name = "baggage_quicksort",
                                     .about = "32-bit numbers, sorted in place",
                                     .form = kind::forks,
                                     .size_unit = "numbers",
                                     .size_default = 100'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000,
                                     .group = "baggage"};
  // Fewer are sorted by insertion.
  static constexpr std::ptrdiff_t k_few = 16;
  using input = std::vector<std::int32_t>;
  using answer = std::vector<std::int32_t>;
  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(5);
    for (std::int32_t& x : in) x = static_cast<std::int32_t>(random.unit() * 2e9);
    return in;
  }
  static void reset(const input& in, answer& out) { out = in; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got == expected; }
};

// A matrix in blocks of 16 rows and columns, each block in one piece.
struct baggage_lu {
  static constexpr problem_info info{.name = "baggage_lu",
                                     .about = "LU decomposition without pivots, in blocks of 16; a power of two",
                                     .form = kind::forks,
                                     .size_unit = "side",
                                     .size_default = 1024,
                                     .size_min = 16,
                                     .size_max = 8192,
                                     .group = "baggage"};
  static constexpr std::size_t k_side = 16;
  using block = std::array<double, k_side * k_side>;
  struct input {
    std::size_t blocks;  // in a row
    std::vector<block> matrix;
  };
  using answer = std::vector<block>;
  static input make(const request& wanted) {
    const auto side = static_cast<std::size_t>(size_of(wanted, info));
    if (side % k_side != 0 || (side & (side - 1)) != 0) throw input_error("baggage_lu: the side is no power of two");
    const std::size_t blocks = side / k_side;
    input in{blocks, std::vector<block>(blocks * blocks)};
    random_source random(7);
    for (block& b : in.matrix) {
      for (double& x : b) x = random.unit();
    }
    // So that no pivot is small.
    for (std::size_t i = 0; i < side; ++i) {
      in.matrix[i / k_side * (blocks + 1)][i % k_side * (k_side + 1)] += static_cast<double>(side);
    }
    return in;
  }
  static void reset(const input& in, answer& out) { out = in.matrix; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got == expected; }
};

struct baggage_heat {
  static constexpr problem_info info{.name = "baggage_heat",
                                     .about = "heat in a mesh with a quarter as many rows, in leaves of 10 columns",
                                     .form = kind::forks,
                                     .size_unit = "columns",
                                     .size_default = 4096,
                                     .size_min = 4,
                                     .size_max = 65'536,
                                     .group = "baggage"};
  static constexpr int k_steps = 200;
  static constexpr std::size_t k_leaf = 10;
  using input = std::size_t;  // columns; each is in one piece
  static std::size_t rows(input in) { return in / 4; }
  struct answer {
    std::vector<double> now;
    std::vector<double> next;
  };
  static input make(const request& wanted) { return static_cast<std::size_t>(size_of(wanted, info)); }
  static void reset(const input& in, answer& out) {
    out.now.resize(in * rows(in));
    for (std::size_t i = 0; i < out.now.size(); ++i) out.now[i] = static_cast<double>(i % 97) / 97.0;
    out.next = out.now;
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got.now == expected.now; }
};

}  // namespace takt::bench
