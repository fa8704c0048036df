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
  static constexpr problem_info info =
      hbc_file_info("hbc_pr_delta", "PageRank of changes", "vertices", 2'500'000, 100'000'000);
  using input = counted_links;
  struct answer {
    std::vector<double> rank;
    std::vector<double> delta;
    std::vector<double> given;
  };

  static input make(const request& wanted) {
    return hbc_counted_links(wanted, info);
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
