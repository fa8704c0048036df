// minspanningforest: the spanning forest of least weight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"
#include "pbbs/generate/graphs.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

constexpr problem_info minspanningforest_info(std::string_view name, std::string_view about,
                                              std::int64_t size) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "vertices",
          .size_default = size,
          .size_min = 1,
          .size_max = 100'000'000,
          .group = "pbbs",
          .takes_file = name == "minspanningforest_rmat",
          .counts_tasks = true};
}

struct weighted_graph {
  graph plain;
  std::vector<std::uint32_t> weight;  // of each edge
};

inline weighted_graph weighted(graph&& plain) {
  random_source random(131);
  weighted_graph g{std::move(plain), {}};
  g.weight.resize(g.plain.edges.size());
  for (std::uint32_t& w : g.weight) {
    w = random.below(1'000'000'000);
  }
  return g;
}

struct minspanningforest_problem {
  using input = weighted_graph;
  using answer = array<std::uint32_t>;  // numbers of edges

  static void reset(const input& /*in*/, answer& out) { out = {}; }
  static bool same(const input& in, const answer& got, const answer& expected) {
    return is_spanning_forest(in.plain, got) && weight_of(in, got) == weight_of(in, expected);
  }

 private:
  static std::uint64_t weight_of(const input& in, const answer& some) {
    std::uint64_t sum = 0;
    for (const std::uint32_t i : some) {
      sum += in.weight[i];
    }
    return sum;
  }
};

struct minspanningforest_cube : minspanningforest_problem {
  static constexpr problem_info info = minspanningforest_info(
      "minspanningforest_cube", "minimum spanning forest of a 3d grid", 1'000'000);
  static input make(const request& wanted) {
    return weighted(cube_grid(static_cast<std::size_t>(size_of(wanted, info))));
  }
};

struct minspanningforest_rmat : minspanningforest_problem {
  static constexpr problem_info info = minspanningforest_info(
      "minspanningforest_rmat", "minimum spanning forest of an R-MAT graph", 500'000);
  static input make(const request& wanted) {
    const auto n = static_cast<std::size_t>(size_of(wanted, info));
    return weighted(wanted.input.empty() ? rmat(n) : graph_of(wanted.input));
  }
};

// An edge and its weight in one word, which orders edges by weight and then by number.
inline std::uint64_t weighed(std::uint32_t weight, std::size_t number) {
  return std::uint64_t{weight} << 32 | number;
}

// How many of the lightest edges to look at first: the rest mostly joins what is joined already.
inline std::size_t light_edges(std::size_t vertices) { return vertices + vertices / 3; }

}  // namespace takt::bench::pbbs
