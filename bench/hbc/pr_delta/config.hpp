// PageRank that hands on changes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "hbc/inputs.hpp"
#include "hbc/pr_delta/program.h"

namespace takt::bench {

struct hbc_pr_delta_problem {
  static constexpr problem_info info{.name = "hbc_pr_delta",
                                     .about = "PageRank of changes",
                                     .form = kind::loops,
                                     .size_unit = "vertices",
                                     .size_default = 400'000,
                                     .size_min = 1,
                                     .size_max = 100'000'000,
                                     .group = "hbc",
                                     .takes_file = true,
                                     .takes_whole_file = true};
  struct input {
    csr links_in;
    std::vector<std::int32_t> links_out;
  };
  struct answer {
    std::vector<double> rank;
    std::vector<double> delta;
    std::vector<double> given;
  };

  static input make(const request& wanted) {
    input in{hbc_links_in(wanted, info), {}};
    in.links_out = count_links_out(in.links_in);
    return in;
  }
  static void reset(const input& in, answer& out) {
    for (auto* part : {&out.rank, &out.delta, &out.given}) {
      part->assign(static_cast<std::size_t>(in.links_in.rows), -1.0);
    }
  }
  static hbc_pr_delta arguments(const input& in, answer& out) {
    return {graph_view_of(in.links_in), 10,
            0.85,                       0.01,
            in.links_out.data(),        out.rank.data(),
            out.delta.data(),           out.given.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got.rank, expected.rank);
  }
};

}  // namespace takt::bench
