// matmul: cache-oblivious multiplication of square matrices (ADWS paper, section 6.2).
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct matmul_problem {
  static constexpr problem_info info{.name = "matmul",
                                     .about = "a product of square matrices, halved down to 64 x 64",
                                     .form = kind::forks,
                                     .size_unit = "rows",
                                     .size_default = 512,
                                     .size_min = 64,
                                     .size_max = 1 << 15,
                                     .group = "locality"};
  // The leaf kernel multiplies matrices of so many rows.
  static constexpr std::size_t k_tile = 64;
  // Floats behind each row, 128 bytes: rows whose distance is a power of two would fall upon each other.
  static constexpr std::size_t k_padding = 32;

  struct input {
    std::size_t rows;
    std::vector<float> a;
    std::vector<float> b;
    std::size_t stride() const { return rows + k_padding; }
  };
  using answer = std::vector<float>;

  static input make(const request& wanted) {
    input in{static_cast<std::size_t>(size_of(wanted, info)), {}, {}};
    if (!std::has_single_bit(in.rows)) {
      throw input_error("matmul: rows must be a power of two");
    }
    random_source random(14);
    for (std::vector<float>* m : {&in.a, &in.b}) {
      m->resize(in.rows * in.stride());
      for (float& x : *m) {
        x = static_cast<float>(random.unit());
      }
    }
    return in;
  }
  static void reset(const input& in, answer& c) { c.assign(in.a.size(), 0); }
  // Each element is summed up in the same order.
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got == expected; }
};

}  // namespace takt::bench
