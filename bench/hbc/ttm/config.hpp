// A sparse tensor times a matrix: four parallel loops inside one another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/random.hpp"
#include "hbc/inputs.hpp"
#include "hbc/ttm/program.h"

namespace takt::bench {

struct hbc_ttm_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_ttm", "sparse tensor times matrix", "entries", 30'000'000, 500'000'000);
  static constexpr std::int64_t k_rows = 16;

  struct input {
    sparse_tensor tensor;
    std::vector<double> matrix;
  };
  using answer = std::vector<double>;

  static input make(const request& wanted) {
    input in{tensor_of(wanted, info), {}};
    random_source random(14);
    in.matrix.resize(static_cast<std::size_t>(k_rows * in.tensor.modes[2]));
    for (double& x : in.matrix) {
      x = 0.5 + random.unit();
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    out.assign(static_cast<std::size_t>(in.tensor.fibres() * k_rows), -1.0);
  }
  static hbc_ttm arguments(const input& in, answer& out) {
    return {view_of(in.tensor), 4, k_rows, in.tensor.modes[2], in.matrix.data(), out.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got, expected);
  }
};

}  // namespace takt::bench
