// spanningforest: edges that join what all edges join, without a cycle.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/problem.hpp"
#include "pbbs/generate/graphs.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

constexpr problem_info spanningforest_info(std::string_view name, std::string_view about,
                                           std::int64_t size) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "vertices",
          .size_default = size,
          .size_min = 1,
          .size_max = 100'000'000,
          .group = "pbbs",
          .takes_file = name == "spanningforest_rmat",
          .counts_tasks = true};
}

struct spanningforest_problem {
  using input = graph;
  using answer = array<std::uint32_t>;  // numbers of edges

  static void reset(const input& /*in*/, answer& out) { out = {}; }
  static bool right(const input& in, const answer& got) { return is_spanning_forest(in, got); }
};

struct spanningforest_cube : spanningforest_problem {
  static constexpr problem_info info =
      spanningforest_info("spanningforest_cube", "spanning forest of a 3d grid", 1'000'000);
  static input make(const request& wanted) {
    return cube_grid(static_cast<std::size_t>(size_of(wanted, info)));
  }
};

struct spanningforest_rmat : spanningforest_problem {
  static constexpr problem_info info =
      spanningforest_info("spanningforest_rmat", "spanning forest of an R-MAT graph", 2'000'000);
  static input make(const request& wanted) {
    const auto n = static_cast<std::size_t>(size_of(wanted, info));
    return wanted.input.empty() ? rmat(n) : graph_of(wanted.input);
  }
};

}  // namespace takt::bench::pbbs
