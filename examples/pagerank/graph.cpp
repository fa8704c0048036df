#include "graph.hpp"

#include <algorithm>
#include <numeric>

namespace pagerank {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Where each row begins when every edge goes to the row of the node it points at.
std::vector<std::int64_t> row_starts(std::int32_t nodes, std::span<const edge> edges) {
  std::vector<std::int64_t> begin(at(nodes) + 1, 0);
  for (const edge& e : edges) {
    ++begin[at(e.to) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  return begin;
}

}  // namespace

graph build_graph(std::int32_t nodes, std::span<const edge> edges) {
  graph g;
  const std::vector<std::int64_t> begin = row_starts(nodes, edges);
  std::vector<std::int64_t> free_place = begin;
  g.source.resize(edges.size());
  for (const edge& e : edges) {
    g.source[at(free_place[at(e.to)]++)] = e.from;
  }

  // Sorted rows make duplicates adjacent, and read the ranks in the order of memory.
  g.row_begin.assign(at(nodes) + 1, 0);
  auto kept = g.source.begin();
  std::vector<std::int32_t> out_degree(at(nodes), 0);
  for (std::int32_t v = 0; v < nodes; ++v) {
    const auto first = g.source.begin() + begin[at(v)];
    const auto last = g.source.begin() + begin[at(v) + 1];
    std::sort(first, last);
    const auto row_end = std::unique(first, last);
    for (auto source = first; source != row_end; ++source) {
      ++out_degree[at(*source)];
    }
    kept = std::copy(first, row_end, kept);
    g.row_begin[at(v) + 1] = kept - g.source.begin();
  }
  g.source.erase(kept, g.source.end());

  g.inverse_out_degree.resize(at(nodes));
  std::transform(out_degree.begin(), out_degree.end(), g.inverse_out_degree.begin(),
                 [](std::int32_t degree) { return degree == 0 ? 0.0 : 1.0 / degree; });
  return g;
}

row_lengths measure_rows(const graph& g) {
  std::vector<std::int64_t> lengths(at(g.nodes()));
  for (std::int32_t v = 0; v < g.nodes(); ++v) {
    lengths[at(v)] = g.row_length(v);
  }
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return {.longest = *std::max_element(lengths.begin(), lengths.end()),
          .median = *middle,
          .mean = static_cast<double>(g.edges()) / g.nodes()};
}

}  // namespace pagerank
