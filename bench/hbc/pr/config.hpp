// PageRank, all vertices in every round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "hbc/inputs.hpp"
#include "hbc/pr/program.h"

namespace takt::bench {

struct hbc_pr_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_pr", "PageRank", "vertices", 2'500'000, 100'000'000);
  static constexpr std::int64_t k_rounds = 10;

  using input = counted_links;
  struct answer {
    std::vector<double> rank;
    std::vector<double> given;
    std::vector<double> change;
  };

  static input make(const request& wanted) {
    return hbc_counted_links(wanted, info);
  }
  static void reset(const input& in, answer& out) {
    const auto n = static_cast<std::size_t>(in.links_in.rows);
    out.rank.assign(n, -1.0);
    out.given.assign(n, -1.0);
    out.change.assign(static_cast<std::size_t>(k_rounds), -1.0);
  }
  static hbc_pr arguments(const input& in, answer& out) {
    return {graph_view_of(in.links_in), k_rounds,         0.85,
            in.links_out.data(),        out.rank.data(),  out.given.data(),
            out.change.data()};
  }
  // A change is a sum of differences of numbers of which all add up to at most 1.
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    for (std::size_t round = 0; round < expected.change.size(); ++round) {
      if (!near(got.change[round], expected.change[round], 1.0)) {
        return false;
      }
    }
    return all_near(got.rank, expected.rank);
  }
};

}  // namespace takt::bench
