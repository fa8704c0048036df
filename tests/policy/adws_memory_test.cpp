// What a policy keeps of divided constructs does not grow with how many there have been, whoever divides and whoever joins.
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <malloc.h>

#include <atomic>
#include <string>

namespace {

// Every loop is divided. Its parts are joined on whichever worker was last, and more workers than CPUs see to it that this
// is often another one.
void divide_often(int rounds) {
  std::atomic<int> ran{0};
  for (int r = 0; r < rounds; ++r) {
    takt::parallel_for(0, 16, [&ran](int) { takt::fork_join([&ran] { ++ran; }, [] {}); });
  }
  ASSERT_EQ(ran.load(), 16 * rounds);
}

std::size_t bytes_in_use() { return static_cast<std::size_t>(mallinfo2().uordblks); }

TEST(adws_memory, does_not_grow) {
  if (TAKT_TEST_SANITIZER) GTEST_SKIP() << "a sanitizer's allocator does not say what is in use";
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(5)));
  divide_often(500);
  const std::size_t before = bytes_in_use();
  divide_often(20'000);
  const std::size_t after = bytes_in_use();
  // A record is a hundred bytes: one lost in each round would be two million.
  EXPECT_LT(after, before + 50'000) << after - before << " more";
  RecordProperty("growth", std::to_string(after - before));
}

}  // namespace
