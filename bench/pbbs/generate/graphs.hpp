// Graphs of the Heartbeat paper's appendix A, as lists of edges, and graphs from files.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"
#include "io/matrix_market.hpp"

namespace takt::bench::pbbs {

struct edge {
  std::uint32_t u;
  std::uint32_t v;
};

// Undirected; an edge may be there twice, and may be a loop.
struct graph {
  std::size_t vertices = 0;
  std::vector<edge> edges;
};

// A cube of about `vertices` vertices whose opposite sides are joined: three edges to a vertex, in
// random order, or nearly every edge would join a vertex to the first one's tree.
inline graph cube_grid(std::size_t vertices) {
  auto side = static_cast<std::size_t>(std::cbrt(static_cast<double>(vertices)) + 0.5);
  side = side < 1 ? 1 : side;
  graph g{side * side * side, {}};
  g.edges.reserve(3 * g.vertices);
  for (std::size_t x = 0; x < side; ++x) {
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t z = 0; z < side; ++z) {
        const auto at = [side](std::size_t a, std::size_t b, std::size_t c) {
          return static_cast<std::uint32_t>((a % side * side + b % side) * side + c % side);
        };
        g.edges.push_back({at(x, y, z), at(x + 1, y, z)});
        g.edges.push_back({at(x, y, z), at(x, y + 1, z)});
        g.edges.push_back({at(x, y, z), at(x, y, z + 1)});
      }
    }
  }
  random_source random(122);
  for (std::size_t left = g.edges.size(); left > 1; --left) {
    std::swap(g.edges[left - 1], g.edges[random.next() % left]);
  }
  return g;
}

// R-MAT with a = 0.5, b = c = 0.1, d = 0.3 (Chakrabarti, Zhan and Faloutsos, R-MAT: a recursive
// model for graph mining, SDM 2004); `vertices` is rounded up to a power of two, eight edges each.
inline graph rmat(std::size_t vertices) {
  random_source random(121);
  const int bits = static_cast<int>(std::bit_width(vertices - 1));
  graph g{std::size_t{1} << bits, {}};
  g.edges.resize(8 * g.vertices);
  for (edge& e : g.edges) {
    e = {0, 0};
    for (int b = 0; b < bits; ++b) {
      const double r = random.unit();
      e.u = 2 * e.u + (r >= 0.6 ? 1 : 0);
      e.v = 2 * e.v + ((r >= 0.5 && r < 0.6) || r >= 0.7 ? 1 : 0);
    }
  }
  return g;
}

// The entries of a Matrix Market file, but for the diagonal, as edges.
inline graph graph_of(const std::string& path) {
  try {
    const csr matrix = read_matrix_market(path);
    graph g{static_cast<std::size_t>(std::max(matrix.rows, matrix.cols)), {}};
    g.edges.reserve(matrix.col.size());
    for (std::int64_t r = 0; r < matrix.rows; ++r) {
      for (std::int64_t k = matrix.row_begin[r]; k < matrix.row_begin[r + 1]; ++k) {
        if (matrix.col[k] != r) {
          g.edges.push_back(
              {static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(matrix.col[k])});
        }
      }
    }
    return g;
  } catch (const matrix_error& error) {
    throw input_error(error.what());
  }
}

// The sets that edges join, with halved paths and the smaller vertex on top.
class components {
 public:
  explicit components(std::size_t vertices) : parent_(vertices) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t find(std::uint32_t v) {
    while (parent_[v] != v) {
      parent_[v] = parent_[parent_[v]];
      v = parent_[v];
    }
    return v;
  }
  // Whether the edge joined two sets.
  bool join(const edge& e) {
    const std::uint32_t u = find(e.u);
    const std::uint32_t v = find(e.v);
    if (u == v) {
      return false;
    }
    parent_[std::max(u, v)] = std::min(u, v);
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// Whether `chosen`, numbers of edges, has no cycle and joins whatever the edges of `g` join.
template <class Chosen>
bool is_spanning_forest(const graph& g, const Chosen& chosen) {
  components forest(g.vertices);
  for (const std::uint32_t i : chosen) {
    if (i >= g.edges.size() || !forest.join(g.edges[i])) {
      return false;
    }
  }
  for (const edge& e : g.edges) {
    if (forest.join(e)) {
      return false;
    }
  }
  return true;
}

}  // namespace takt::bench::pbbs
