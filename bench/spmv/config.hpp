// spmv: y = A x for a sparse matrix in compressed rows, both loop levels parallel. The
// matrices differ in how uneven their rows are.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/compare.hpp"
#include "harness/matrices.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct spmv_problem {
  static constexpr problem_info info{.name = "spmv",
                                     .about = "sparse matrix-vector product",
                                     .form = kind::loops,
                                     .size_unit = "rows",
                                     .size_default = 1'000'000,
                                     .size_min = 1,
                                     .size_max = 100'000'000,
                                     .takes_matrix = true,
                                     .calls = 10};
  struct input {
    csr matrix;
    std::vector<double> x;
    // What the terms of each row add up to without their signs: how much rounding to allow.
    std::vector<double> scale;
  };
  using answer = std::vector<double>;

  static input make(const request& wanted) {
    input in;
    in.matrix = make_matrix(wanted, size_of(wanted, info));
    in.x.resize(static_cast<std::size_t>(in.matrix.cols));
    random_source random(6);
    for (double& x : in.x) {
      x = 0.5 + random.unit();
    }
    in.scale.assign(static_cast<std::size_t>(in.matrix.rows), 0.0);
    const csr_view a(in.matrix);
    for (std::int64_t r = 0; r < a.rows; ++r) {
      for (std::int64_t k = a.row_begin[r]; k < a.row_begin[r + 1]; ++k) {
        const double x = in.x[static_cast<std::size_t>(a.col[k])];
        in.scale[static_cast<std::size_t>(r)] += std::fabs(a.value[k] * x);
      }
    }
    return in;
  }
  static void reset(const input& in, answer& y) {
    y.assign(static_cast<std::size_t>(in.matrix.rows), -1.0);
  }
  static bool same(const input& in, const answer& got, const answer& expected) {
    for (std::size_t r = 0; r < expected.size(); ++r) {
      if (!near(got[r], expected[r], in.scale[r])) {
        return false;
      }
    }
    return got.size() == expected.size();
  }
};

}  // namespace takt::bench
