// A scheduler that promotes the newest frame breaks the bound on the span: what bounds_test measures can fail.
#include <takt/lab.hpp>

#include "bounds/check.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

namespace {

using namespace takt_bounds;

TEST(newest_first, breaks_the_bound_on_the_span) {
  const bounds b = check(make_ladder(512, 20, 50), 1, 0, takt::lab::beat);
  std::printf("the ladder: %.3f of the bound on work, %.3f of the bound on span\n", b.work, b.span);
  EXPECT_LE(b.work, 1.0);
  EXPECT_GT(b.span, 1.0);
}

TEST(newest_first, is_seen_in_random_programs) {
  unsigned broken = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const bounds b = check(make_program(seed, 500), 1, 0, takt::lab::beat);
    EXPECT_LE(b.work, 1.0) << "seed " << seed;
    if (b.span > 1.0) ++broken;
  }
  std::printf("%u of 100 random programs break it, too\n", broken);
  EXPECT_GT(broken, 0u);
}

}  // namespace
