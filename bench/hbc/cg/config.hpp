// Sparse products, scalar products and vector updates in turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "hbc/cg/program.h"
#include "hbc/inputs.hpp"

namespace takt::bench {

struct hbc_cg_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_cg", "conjugate gradients", "rows", 1'000'000, 20'000'000);
  struct input {
    csr matrix;
  };
  struct answer {
    std::vector<double> x;
    std::vector<double> z;
    std::vector<double> p;
    std::vector<double> q;
    std::vector<double> r;
    double zeta = 0.0;
  };

  // The paper's matrix is not synthetic, because its rows are to be uneven; these are those of a
  // graph. Every link counts in both directions, as -1 / sqrt(product of the two degrees); the
  // eigenvalues of that lie between -1 and 1, so with 1.1 on the diagonal the matrix is positive
  // definite, and conditioned well enough for answers to be compared.
  static input make(const request& wanted) {
    const csr links = both_directions(hbc_links_in(wanted, info));
    std::vector<double> scale(static_cast<std::size_t>(links.rows));
    for (std::size_t r = 0; r < scale.size(); ++r) {
      const std::int64_t degree = links.row_begin[r + 1] - links.row_begin[r];
      scale[r] = degree == 0 ? 0.0 : 1.0 / std::sqrt(static_cast<double>(degree));
    }
    input in;
    csr& matrix = in.matrix;
    matrix.rows = links.rows;
    matrix.cols = links.cols;
    matrix.col.reserve(links.col.size() + scale.size());
    matrix.value.reserve(links.col.size() + scale.size());
    for (std::size_t r = 0; r < scale.size(); ++r) {
      for (std::int64_t e = links.row_begin[r]; e < links.row_begin[r + 1]; ++e) {
        const std::int32_t col = links.col[static_cast<std::size_t>(e)];
        matrix.col.push_back(col);
        matrix.value.push_back(-scale[r] * scale[static_cast<std::size_t>(col)]);
      }
      matrix.col.push_back(static_cast<std::int32_t>(r));
      matrix.value.push_back(1.1);
      matrix.row_begin.push_back(matrix.entries());
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    for (auto* part : {&out.x, &out.z, &out.p, &out.q, &out.r}) {
      part->assign(static_cast<std::size_t>(in.matrix.rows), -1.0);
    }
    out.zeta = 0.0;
  }
  static hbc_cg arguments(const input& in, answer& out) {
    return {view_of(in.matrix), 1,            15,           0.0,       out.x.data(),
            out.z.data(),       out.p.data(), out.q.data(), out.r.data(), &out.zeta};
  }
  // Entries of x may be far below its largest one, and the sums behind them are not.
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    double largest = 0.0;
    for (const double x : expected.x) {
      largest = std::max(largest, std::fabs(x));
    }
    for (std::size_t i = 0; i < expected.x.size(); ++i) {
      if (!near(got.x[i], expected.x[i], largest)) {
        return false;
      }
    }
    return near(got.zeta, expected.zeta, std::fabs(expected.zeta));
  }
};

}  // namespace takt::bench
