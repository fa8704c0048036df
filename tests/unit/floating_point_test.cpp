// The floating-point environment belongs to the computation: every task starts with that of the code which forked it,
// on whatever thread it runs.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <vector>

namespace {

using takt_test::fork_apart;
using takt_test::under_each_setting;

// Restores the mode of the testing thread whatever a test does.
class rounding {
 public:
  explicit rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~rounding() { std::fesetround(before_); }
  rounding(const rounding&) = delete;
  rounding& operator=(const rounding&) = delete;

 private:
  int before_;
};

// A result that depends on the mode, computed where the compiler cannot do it beforehand.
double third() {
  volatile double one = 1.0;
  volatile double three = 3.0;
  return one / three;
}

double third_rounded(int mode) {
  const rounding scope(mode);
  return third();
}

TEST(floating_point, the_modes_can_be_told_apart) {
  EXPECT_LT(third_rounded(FE_DOWNWARD), third_rounded(FE_UPWARD));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(floating_point, every_iteration_rounds_as_the_caller_does) {
  under_each_setting([] {
    // The second mode finds threads and stacks that have run with the first.
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
      const rounding scope(mode);
      std::atomic<int> wrong{0};
      takt::parallel_for(0, 500, [&wrong, mode](int i) {
        (void)takt_test::fib(i % 8);
        if (std::fegetround() != mode || third() != third_rounded(mode)) wrong.fetch_add(1);
      });
      EXPECT_EQ(wrong.load(), 0) << "mode " << mode;
      EXPECT_EQ(std::fegetround(), mode);
    }
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  });
}

TEST(floating_point, every_child_of_a_group_rounds_as_the_code_that_added_it) {
  under_each_setting([] {
    std::atomic<int> wrong{0};
    takt::fork_join(
        [&wrong] {
          const rounding scope(FE_UPWARD);
          takt::task_group group;
          for (int i = 0; i < 50; ++i) {
            group.run([&wrong] {
              if (std::fegetround() != FE_UPWARD) wrong.fetch_add(1);
            });
          }
          group.wait();
        },
        [&wrong] {
          (void)takt_test::fib(10);
          if (std::fegetround() != FE_TONEAREST) wrong.fetch_add(1);
        });
    EXPECT_EQ(wrong.load(), 0);
  });
}

TEST(floating_point, a_stolen_branch_rounds_as_the_caller_does) {
  takt::configure(takt_test::eager(2));
  const rounding scope(FE_UPWARD);
  const double expected = third();
  for (int round = 0; round < 50; ++round) {
    const auto compute = [] { return std::fegetround() == FE_UPWARD ? third() : 0.0; };
    const auto [left, right] = fork_apart(compute, compute);
    EXPECT_EQ(left, expected);
    EXPECT_EQ(right, expected);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  }
}

TEST(floating_point, set_inside_a_task_it_is_seen_by_what_that_forks) {
  under_each_setting([] {
    std::atomic<int> wrong{0};
    const auto check = [&wrong](int mode) {
      (void)takt_test::fib(6);
      if (std::fegetround() != mode) wrong.fetch_add(1);
    };
    takt::parallel_for(0, 20, [&](int i) {
      const int mode = i % 2 == 0 ? FE_UPWARD : FE_DOWNWARD;
      {
        const rounding scope(mode);
        takt::fork_join([&] { check(mode); }, [&] { check(mode); });
        takt::parallel_for(0, 10, [&](int) { check(mode); });
      }
      check(FE_TONEAREST);
    });
    EXPECT_EQ(wrong.load(), 0);
  });
}

TEST(floating_point, set_for_a_while_it_is_not_seen_by_older_branches) {
  // A leaf changes the mode for itself while a fork above it has yet to be promoted.
  under_each_setting([] {
    std::atomic<int> wrong{0};
    for (int round = 0; round < 20; ++round) {
      takt::fork_join(
          [] {
            const rounding scope(FE_UPWARD);
            EXPECT_EQ(takt_test::fib(12), 144);
          },
          [&wrong] {
            if (std::fegetround() != FE_TONEAREST) wrong.fetch_add(1);
          });
    }
    EXPECT_EQ(wrong.load(), 0);
  });
}

TEST(floating_point, moves_with_the_computation) {
  takt::configure(takt_test::at_random(takt_test::eager(2)));
  for (int round = 0; round < 20; ++round) {
    takt::fork_join(
        [] {
          const rounding scope(FE_TONEAREST);
          // Set when the join's right branch is on the other thread already, and not reset before the join.
          EXPECT_TRUE(takt_test::join_that_moves([] { std::fesetround(FE_UPWARD); }));
          EXPECT_EQ(std::fegetround(), FE_UPWARD);
          EXPECT_EQ(third(), third_rounded(FE_UPWARD));
        },
        [] {});
  }
}

TEST(floating_point, what_a_stolen_branch_sets_stays_in_it) {
  takt::configure(takt_test::eager(2));
  std::atomic<int> wrong{0};
  for (int round = 0; round < 50; ++round) {
    fork_apart([] {}, [] { std::fesetround(FE_DOWNWARD); });
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    const auto check = [&wrong] {
      if (std::fegetround() != FE_TONEAREST) wrong.fetch_add(1);
    };
    fork_apart(check, check);
  }
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
