// A directed graph stored by its reversed edges, which is what PageRank reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pagerank {

struct edge {
  std::int32_t from;
  std::int32_t to;

  friend bool operator==(const edge&, const edge&) = default;
};

// Row v of `source` lists the nodes that point at v. One node may be named by a third of all the
// others while most are named once or never: the rows are as uneven as input gets.
struct graph {
  std::vector<std::int64_t> row_begin{0};  // one more than there are nodes
  std::vector<std::int32_t> source;
  std::vector<double> inverse_out_degree;  // 0 marks a dangling node: it names nobody

  [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(inverse_out_degree.size()); }
  [[nodiscard]] std::int64_t edges() const { return row_begin.back(); }
  [[nodiscard]] std::int64_t row_length(std::int32_t node) const {
    return row_begin[static_cast<std::size_t>(node) + 1] - row_begin[static_cast<std::size_t>(node)];
  }
};

// Every end of every edge must be in [0, nodes). An edge given twice counts once: a package that
// both recommends and suggests another does not vote for it twice. O(nodes + edges log edges).
graph build_graph(std::int32_t nodes, std::span<const edge> edges);

struct row_lengths {
  std::int64_t longest;
  std::int64_t median;
  double mean;
};

// At least one node.
row_lengths measure_rows(const graph& g);

}  // namespace pagerank
