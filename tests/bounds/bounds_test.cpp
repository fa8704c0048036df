// The bounds on work and span (Heartbeat paper, theorems 1 and 2), over random programs in virtual time: the shipped
// scheduler keeps them. newest_test.cpp has one that does not.
#include "bounds/check.hpp"
#include "bounds/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

using namespace takt_bounds;

constexpr std::uint64_t k_beats[] = {1, 2, 5, 10, 20, 50, 100};

TEST(bounds, hold_for_random_programs) {
  double work_most = 0, span_most = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const std::uint64_t beat = k_beats[seed % std::size(k_beats)];
    const bounds b = check(make_program(seed, 500), beat);
    EXPECT_LE(b.work, 1.0) << "seed " << seed << ", N = " << beat << " tau";
    EXPECT_LE(b.span, 1.0) << "seed " << seed << ", N = " << beat << " tau";
    work_most = std::max(work_most, b.work);
    span_most = std::max(span_most, b.span);
  }
  std::printf("at most %.3f of the bound on work and %.3f of the bound on span\n", work_most, span_most);
}

TEST(bounds, hold_for_the_ladder) {
  for (const std::uint64_t beat : {1u, 4u, 20u}) {
    const bounds b = check(make_ladder(64, 20, 100), beat);
    EXPECT_LE(b.work, 1.0);
    EXPECT_LE(b.span, 1.0);
  }
}

TEST(virtual_time, is_the_same_each_time) {
  const node program = make_program(7, 500);
  const measured first = run(program, 8, 5, k_tau);
  const measured second = run(program, 8, 5, k_tau);
  EXPECT_EQ(first.time, second.time);
  EXPECT_EQ(first.promotions, second.promotions);
  EXPECT_LT(first.time, work(program));
}

}  // namespace
