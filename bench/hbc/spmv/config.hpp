// spmv on kinds of matrices, a row of the table each but for the last two; both loops are parallel.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/compare.hpp"
#include "harness/random.hpp"
#include "hbc/inputs.hpp"
#include "hbc/spmv/program.h"

namespace takt::bench {

struct hbc_spmv_common {
  struct input {
    csr matrix;
    std::vector<double> x;
  };
  using answer = std::vector<double>;

  static constexpr std::int64_t k_rounds = 20;

  static input make_of(csr matrix) {
    input in{std::move(matrix), {}};
    random_source random(6);
    in.x.resize(static_cast<std::size_t>(in.matrix.cols));
    for (double& x : in.x) {
      x = 0.5 + random.unit();
    }
    return in;
  }
  static void reset(const input& in, answer& y) {
    y.assign(static_cast<std::size_t>(in.matrix.rows), -1.0);
  }
  static hbc_spmv arguments(const input& in, answer& y) {
    return {view_of(in.matrix), k_rounds, in.x.data(), y.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got, expected);
  }
};

struct hbc_spmv_arrowhead_problem : hbc_spmv_common {
  static constexpr problem_info info =
      hbc_info("hbc_spmv_arrowhead",
               "sparse matrix-vector product, one long row", "rows", 10'000'000, 100'000'000);
  static input make(const request& wanted) {
    return make_of(arrowhead_matrix(size_of(wanted, info)));
  }
};

struct hbc_spmv_powerlaw_problem : hbc_spmv_common {
  static constexpr problem_info info =
      hbc_info("hbc_spmv_powerlaw",
               "sparse matrix-vector product, Zipf's law", "rows", 1'500'000, 100'000'000);
  static input make(const request& wanted) {
    return make_of(power_law_matrix(size_of(wanted, info)));
  }
};

struct hbc_spmv_random_problem : hbc_spmv_common {
  static constexpr problem_info info =
      hbc_info("hbc_spmv_random",
               "sparse matrix-vector product, even rows", "rows", 200'000, 10'000'000);
  static input make(const request& wanted) {
    return make_of(hbc_random_matrix(size_of(wanted, info)));
  }
};

// No row of the table: most of their loops over entries have nothing to do, or next to nothing.
constexpr problem_info hbc_web_info(std::string_view name, std::string_view about) {
  problem_info of = hbc_info(name, about, "rows", 4'000'000, 100'000'000);
  of.group = {};
  return of;
}

struct hbc_spmv_web_problem : hbc_spmv_common {
  static constexpr problem_info info = hbc_web_info(
      "hbc_spmv_web", "sparse matrix-vector product, most rows empty, some long");
  static input make(const request& wanted) {
    return make_of(web_matrix(size_of(wanted, info), k_web_tail));
  }
};

struct hbc_spmv_web_out_problem : hbc_spmv_common {
  static constexpr problem_info info =
      hbc_web_info("hbc_spmv_web_out", "sparse matrix-vector product, most rows empty");
  static input make(const request& wanted) {
    return make_of(web_matrix(size_of(wanted, info), k_web_out_tail));
  }
};

}  // namespace takt::bench
