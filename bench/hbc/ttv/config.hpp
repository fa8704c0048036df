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
  static constexpr problem_info info{.name = "hbc_ttv",
                                     .about = "sparse tensor times vector",
                                     .form = kind::loops,
                                     .size_unit = "entries",
                                     .size_default = 8'000'000,
                                     .size_min = 1,
                                     .size_max = 500'000'000,
                                     .group = "hbc",
                                     .takes_file = true,
                                     .takes_whole_file = true};
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
