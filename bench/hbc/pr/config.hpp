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
  static constexpr problem_info info{.name = "hbc_pr",
                                     .about = "PageRank",
                                     .form = kind::loops,
                                     .size_unit = "vertices",
                                     .size_default = 400'000,
                                     .size_min = 1,
                                     .size_max = 100'000'000,
                                     .group = "hbc",
                                     .takes_file = true,
                                     .takes_whole_file = true};
  static constexpr std::int64_t k_rounds = 10;

  struct input {
    csr links_in;
    std::vector<std::int32_t> links_out;
  };
  struct answer {
    std::vector<double> rank;
    std::vector<double> given;
    std::vector<double> change;
  };

  static input make(const request& wanted) {
    input in{hbc_links_in(wanted, info), {}};
    in.links_out = count_links_out(in.links_in);
    return in;
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
