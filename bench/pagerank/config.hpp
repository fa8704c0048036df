// pagerank: ten rounds of PageRank on a graph given as a sparse matrix, an entry (i, j) being
// a link from i to j; both loop levels parallel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/compare.hpp"
#include "harness/matrices.hpp"
#include "harness/problem.hpp"

namespace takt::bench {

struct pagerank_problem {
  static constexpr problem_info info{.name = "pagerank",
                                     .about = "ten rounds of PageRank on a sparse graph",
                                     .form = kind::loops,
                                     .size_unit = "rows",
                                     .size_default = 1'000'000,
                                     .size_min = 1,
                                     .size_max = 100'000'000,
                                     .takes_matrix = true};
  // A fixed number of rounds, so that every system does the same work however it rounds.
  static constexpr int k_rounds = 10;
  static constexpr double k_damping = 0.85;

  struct input {
    // Row i holds the pages that link to i: each page then collects its own rank and no two
    // iterations write to the same place.
    csr links_in;
    // 1 / number of links out of a page; 0 for a page without any.
    std::vector<double> share;
  };
  struct answer {
    std::vector<double> rank;
    std::vector<double> next;
    std::vector<double> given;  // what each page passes along each of its links
  };

  static input make(const request& wanted) {
    csr links = make_matrix(wanted, size_of(wanted, info));
    if (links.rows != links.cols) {
      throw input_error("pagerank: the matrix of a graph must be square, this one has " +
                        std::to_string(links.rows) + " rows and " + std::to_string(links.cols) +
                        " columns");
    }
    input in;
    in.share.resize(static_cast<std::size_t>(links.rows));
    for (std::size_t i = 0; i < in.share.size(); ++i) {
      const std::int64_t out = links.row_begin[i + 1] - links.row_begin[i];
      in.share[i] = out == 0 ? 0.0 : 1.0 / static_cast<double>(out);
    }
    in.links_in = transpose(links);
    return in;
  }
  static void reset(const input& in, answer& out) {
    const auto n = in.share.size();
    out.rank.assign(n, n == 0 ? 0.0 : 1.0 / static_cast<double>(n));
    out.next.assign(n, -1.0);
    out.given.assign(n, -1.0);
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got.rank, expected.rank);
  }

  // What every page gets in a round, whoever links to it: the random jump, and an equal part
  // of the rank of pages that link nowhere.
  static double base_rank(double dangling, std::int64_t n) {
    return (1.0 - k_damping + k_damping * dangling) / static_cast<double>(n);
  }
};

}  // namespace takt::bench
