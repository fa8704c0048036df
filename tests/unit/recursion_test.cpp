// Depth: forks nested far beyond what any fixed-size structure of the runtime holds.
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace {

// ThreadSanitizer keeps a shadow call stack of 65,536 entries, several of which a level takes.
#if TAKT_TEST_SANITIZER
constexpr long k_levels = 5'000;
#else
constexpr long k_levels = 100'000;
#endif

// Reserved, not committed.
constexpr std::size_t k_stack_bytes = std::size_t{1} << 30;

long left_deep(long levels) {
  if (levels == 0) return 0;
  auto [below, here] = takt::fork_join([=] { return left_deep(levels - 1); }, [] { return 1L; });
  return below + here;
}

long right_deep(long levels) {
  if (levels == 0) return 0;
  auto [here, below] = takt::fork_join([] { return 1L; }, [=] { return right_deep(levels - 1); });
  return here + below;
}

long loop_deep(long levels) {
  if (levels == 0) return 0;
  return takt::parallel_reduce(
      0, 2, 0L, [=](int i) { return i == 0 ? loop_deep(levels - 1) : 1L; }, [](long a, long b) { return a + b; });
}

long group_deep(long levels) {
  if (levels == 0) return 0;
  long below = 0;
  takt::task_group group;
  group.run([&below, levels] { below = group_deep(levels - 1); });
  group.wait();
  return below + 1;
}

template <class Program>
void check(Program program, long levels) {
  for (takt::config c : {takt_test::by_default(1), takt_test::by_default(2), takt_test::beat_zero(2),
                         takt_test::eager(2), takt_test::settings(2, takt::trigger::never)}) {
    SCOPED_TRACE(takt_test::describe(c));
    c.stack_bytes = k_stack_bytes;
    takt::configure(c);
    EXPECT_EQ(program(levels), levels);
  }
}

TEST(recursion, of_left_branches) { check(left_deep, k_levels); }
TEST(recursion, of_right_branches) { check(right_deep, k_levels); }
TEST(recursion, of_loops) { check(loop_deep, k_levels / 4); }
TEST(recursion, of_groups) { check(group_deep, k_levels / 10); }

}  // namespace
