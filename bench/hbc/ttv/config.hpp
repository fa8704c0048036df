// A sparse tensor times a vector: slices, fibres and entries are all parallel loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/random.hpp"
#include "hbc/inputs.hpp"
#include "hbc/ttv/program.h"

namespace takt::bench {

struct hbc_ttv_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_ttv", "sparse tensor times vector", "entries", 40'000'000, 500'000'000);
  struct input {
    sparse_tensor tensor;
    std::vector<double> vector;
  };
  using answer = std::vector<double>;

  static input make(const request& wanted) {
    input in{tensor_of(wanted, info), {}};
    random_source random(13);
    in.vector.resize(static_cast<std::size_t>(in.tensor.modes[2]));
    for (double& x : in.vector) {
      x = 0.5 + random.unit();
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    out.assign(static_cast<std::size_t>(in.tensor.fibres()), -1.0);
  }
  static hbc_ttv arguments(const input& in, answer& out) {
    return {view_of(in.tensor), 20, in.vector.data(), out.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got, expected);
  }
};

}  // namespace takt::bench
