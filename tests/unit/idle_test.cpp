// A process that has nothing to do uses no CPU: all threads sleep, without a time limit.
#include <takt/takt.hpp>

#include "support/faulty_platform.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"
#include "worker/state/team.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

// The whole wait counts, from the beginning of the look, and each anew.
TEST(worker_team, looks_longer_after_a_wait_that_was_brief) {
  takt::core::worker_team t;
  EXPECT_FALSE(t.waits_briefly);
  t.has_lingered(1000, 1060);
  EXPECT_EQ(t.lingered, 60U);
  t.ends_look();
  t.goes_on(1499, 500);
  EXPECT_TRUE(t.waits_briefly);
  // It was not waited for.
  t.goes_on(9000, 500);
  EXPECT_TRUE(t.waits_briefly);
  t.has_lingered(10000, 10500);
  t.goes_on(10500, 500);
  EXPECT_FALSE(t.waits_briefly);
}

class idle : public testing::Test {
 protected:
  void SetUp() override { takt::platform::replace(&platform_); }
  void TearDown() override {
    // The next runtime must not refer to a platform that is gone.
    takt::platform::replace(nullptr);
    takt::configure(takt_test::by_default(1));
  }

  // Who sleeps with a time limit looks around when it ends, which is right while a call is under way. After the last
  // one each thread may have one such sleep behind it, or be in it.
  void expect_all_to_fall_asleep() {
    ASSERT_GT(platform_.started(), 0);
    const int before = platform_.naps();
    while (platform_.asleep() != platform_.started()) {
      ASSERT_LE(platform_.naps() - before, platform_.started()) << "somebody keeps looking";
      std::this_thread::yield();
    }
    // Nobody is left who could wake one.
    EXPECT_LE(platform_.naps() - before, platform_.started());
  }

  takt_test::faulty_platform platform_;
};

TEST_F(idle, after_parallel_work) {
  takt::configure(takt_test::by_default(4));
  // Both branches at once: the first call begins with a beat that is due.
  takt_test::fork_apart([] { EXPECT_EQ(takt_test::fib(20), takt_test::serial_fib(20)); },
                        [] { EXPECT_EQ(takt_test::fib(18), takt_test::serial_fib(18)); });
  expect_all_to_fall_asleep();
}

TEST_F(idle, after_eager_work_of_several_threads) {
  takt::configure(takt_test::eager(4));
  std::thread other([] { EXPECT_EQ(takt_test::fib(14), 377); });
  EXPECT_EQ(takt_test::fib(14), 377);
  other.join();
  expect_all_to_fall_asleep();
}

TEST_F(idle, with_beat_zero) {
  takt::configure(takt_test::beat_zero(4));
  EXPECT_EQ(takt_test::triangle(100), takt_test::serial_triangle(100));
  expect_all_to_fall_asleep();
}

// What an idle worker has learned of a thread in one call says nothing of the next one: the program may have blocked
// its signals between them.
TEST_F(idle, reaches_no_call_that_has_begun_since_the_look) {
  takt::configure(takt_test::by_default(2));
  takt_test::fork_apart(
      [this] {
        const int before = platform_.looks;
        platform_.looks_may_end = before;
        while (platform_.looks == before) {
        }
      },
      [] {});
  const int sent = platform_.interrupts;
  takt::fork_join(
      [this] {
        const int look = platform_.looks_may_end += 1;
        // Who has begun the next one is done with that one.
        while (platform_.looks == look) {
        }
      },
      [] {});
  EXPECT_EQ(platform_.interrupts, sent);
  platform_.looks_may_end = 1 << 30;
}

}  // namespace
