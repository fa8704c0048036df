// Every system that was built, against PageRank's own properties and the serial program.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <numeric>
#include <ostream>
#include <random>
#include <string>

#include "measure.hpp"
#include "systems.hpp"

namespace pagerank {

// Found by GoogleTest through the namespace of `system`.
void PrintTo(const system& s, std::ostream* out) { *out << s.name; }

namespace {

constexpr int k_iterations = 5;

// One node named by all others, many named by nobody, and some that name nobody.
graph uneven_graph(std::int32_t nodes) {
  std::mt19937 random(12345);
  std::vector<edge> edges;
  for (std::int32_t v = 1; v < nodes; ++v) {
    if (v % 7 == 0) {
      continue;
    }
    edges.push_back({v, 0});
    edges.push_back({v, static_cast<std::int32_t>(random() % static_cast<unsigned>(v))});
  }
  return build_graph(nodes, edges);
}

std::vector<system> built_systems() {
  std::vector<system> built(systems().begin(), systems().end());
  std::erase_if(built, [](const system& s) { return s.run == nullptr; });
  return built;
}

class solvers : public testing::TestWithParam<system> {
 protected:
  solver solve() const { return GetParam().run; }

  state ranks_after(const graph& g, int iterations) const {
    state s;
    s.reset(g);
    solve()(g, iterations, 2, s);
    return s;
  }
};

TEST_P(solvers, ranks_add_up_to_one) {
  const state s = ranks_after(uneven_graph(500), k_iterations);
  EXPECT_NEAR(std::accumulate(s.rank.begin(), s.rank.end(), 0.0), 1.0, 1e-12);
}

TEST_P(solvers, agrees_with_the_serial_program) {
  const graph g = uneven_graph(500);
  state expected;
  expected.reset(g);
  run_serial(g, k_iterations, 1, expected);
  EXPECT_LE(largest_difference(ranks_after(g, k_iterations).rank, expected.rank), k_agreement);
}

// Worked out by hand: 0 -> 1, 0 -> 2, 1 -> 2, and 2 dangles. One step from 1/3 each.
TEST_P(solvers, one_step_by_hand) {
  const std::vector<edge> edges{{0, 1}, {0, 2}, {1, 2}};
  const graph g = build_graph(3, edges);
  state s;
  s.reset(g);
  const double change = solve()(g, 1, 2, s);
  const double base = (0.15 + 0.85 / 3) / 3;
  EXPECT_NEAR(s.rank[0], base, 1e-15);
  EXPECT_NEAR(s.rank[1], base + 0.85 / 6, 1e-15);
  EXPECT_NEAR(s.rank[2], base + 0.85 / 2, 1e-15);
  double expected_change = 0.0;
  for (const double rank : s.rank) {
    expected_change += std::abs(rank - 1.0 / 3);
  }
  EXPECT_NEAR(change, expected_change, 1e-15);
}

TEST_P(solvers, a_graph_without_edges_keeps_its_ranks) {
  const state s = ranks_after(build_graph(4, {}), 3);
  EXPECT_EQ(s.rank, (std::vector<double>(4, 0.25)));
}

INSTANTIATE_TEST_SUITE_P(all, solvers, testing::ValuesIn(built_systems()),
                         [](const testing::TestParamInfo<system>& tested) {
                           std::string name(tested.param.name);
                           std::erase_if(name, [](unsigned char c) { return !std::isalnum(c); });
                           return name;
                         });

TEST(measuring, a_nan_is_a_difference) {
  const std::vector<double> good{0.5, 0.5};
  const std::vector<double> bad{std::nan(""), 0.5};
  EXPECT_EQ(largest_difference(good, good), 0.0);
  EXPECT_GT(largest_difference(good, bad), k_agreement);
}

TEST(measuring, the_median_is_not_the_mean) {
  EXPECT_EQ(median({9.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({4.0}), 4.0);
}

}  // namespace
}  // namespace pagerank
