#include "graph.hpp"

#include <gtest/gtest.h>

namespace pagerank {
namespace {

TEST(graph, rows_hold_the_sources_in_order) {
  const std::vector<edge> edges{{2, 0}, {1, 0}, {0, 2}, {2, 2}};
  const graph g = build_graph(4, edges);
  EXPECT_EQ(g.nodes(), 4);
  EXPECT_EQ(g.row_begin, (std::vector<std::int64_t>{0, 2, 2, 4, 4}));
  EXPECT_EQ(g.source, (std::vector<std::int32_t>{1, 2, 0, 2}));
}

TEST(graph, out_degrees_are_inverted_and_zero_for_dangling_nodes) {
  const std::vector<edge> edges{{2, 0}, {1, 0}, {0, 2}, {2, 2}};
  EXPECT_EQ(build_graph(4, edges).inverse_out_degree, (std::vector<double>{1.0, 1.0, 0.5, 0.0}));
}

// Were it counted in the out-degree but not in the row, ranks would no longer add up to 1.
TEST(graph, an_edge_given_twice_counts_once_on_both_sides) {
  const std::vector<edge> edges{{0, 1}, {0, 2}, {0, 1}, {1, 0}, {0, 1}};
  const graph g = build_graph(3, edges);
  EXPECT_EQ(g.row_begin, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(g.source, (std::vector<std::int32_t>{1, 0, 0}));
  EXPECT_EQ(g.inverse_out_degree, (std::vector<double>{0.5, 1.0, 0.0}));
}

TEST(graph, without_edges_every_node_dangles) {
  const graph g = build_graph(2, {});
  EXPECT_EQ(g.edges(), 0);
  EXPECT_EQ(g.row_begin, (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(g.inverse_out_degree, (std::vector<double>{0.0, 0.0}));
}

TEST(graph, measures_its_rows) {
  const std::vector<edge> edges{{0, 1}, {1, 1}, {2, 1}, {0, 2}};
  const row_lengths rows = measure_rows(build_graph(3, edges));
  EXPECT_EQ(rows.longest, 3);
  EXPECT_EQ(rows.median, 1);
  EXPECT_DOUBLE_EQ(rows.mean, 4.0 / 3.0);
}

}  // namespace
}  // namespace pagerank
