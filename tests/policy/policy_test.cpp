// Whatever a policy does with tasks, answers are the serial ones, nobody waits for ever, and who is named is woken.
#include <takt/takt.hpp>

#include "conformance/program.hpp"
#include "policy/fixed_seat.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

namespace takt_test {

static std::ostream& operator<<(std::ostream& out, const outcome& o) {
  return out << "{value " << o.value << ", error " << o.error << ", nodes executed " << o.executed << ", checksum "
             << o.checksum << "}";
}

}  // namespace takt_test

namespace {

using takt_test::counts;

class policy : public testing::Test {
 protected:
  // Each test has a process of its own.
  void begin(unsigned workers, unsigned target, takt::trigger trigger = takt::lab::eager) {
    takt_test::target_seat = target;
    takt::core::replace_policy(&takt_test::make_fixed_seat);
    takt::config c = takt::current_config();
    c.workers = workers;
    c.trigger = trigger;
    if (trigger != takt::lab::eager) c.beat = {};
    takt::configure(c);
  }
};

long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

TEST_F(policy, programs_run_as_they_do_serially) {
  constexpr std::uint64_t k_seeds = TAKT_TEST_SANITIZER ? 20 : 150;
  for (const unsigned workers : {1u, 2u, 4u}) {
    for (const unsigned target : {0u, workers - 1}) {
      for (const takt::trigger trigger : {takt::lab::eager, takt::trigger::lazy}) {
        begin(workers, target, trigger);
        for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
          const takt_test::node program = takt_test::make_program(seed);
          ASSERT_EQ(takt_test::run_takt(program), takt_test::run_serial(program))
              << "seed " << seed << ", " << workers << " workers, tasks to seat " << target;
        }
      }
    }
  }
  EXPECT_GT(counts.published.load(), 1000u);
}

TEST_F(policy, joins_take_back_what_lies_between_other_tasks) {
  begin(1, 0);
  EXPECT_EQ(fib(12), 144);
  // Nobody else is there, and the oldest task is never the one that is asked for first.
  EXPECT_GT(counts.published.load(), 100u);
  EXPECT_EQ(counts.taken_back.load(), counts.published.load());
}

TEST_F(policy, a_task_wakes_the_worker_of_its_seat) {
  begin(2, 1);
  // Two threads are needed: the first fork starts the second.
  takt_test::fork_apart([] {}, [] {});
  const auto& sleeping = takt::core::process::current()->sleeping;
  for (int i = 0; i < 50; ++i) {
    while (sleeping.count() == 0) std::this_thread::yield();
    takt_test::fork_apart([] {}, [] {});
  }
  EXPECT_EQ(counts.by_target.load() + counts.by_others.load() + counts.taken_back.load(), counts.published.load());
  EXPECT_GE(counts.by_target.load(), 50u);
}

TEST_F(policy, tasks_for_a_seat_that_has_somebody_else_are_found) {
  begin(64, 0);
  for (int i = 0; i < 50; ++i) takt_test::fork_apart([] {}, [] {});
  EXPECT_GT(counts.by_others.load(), 0u);
  EXPECT_GE(counts.by_others.load() + counts.by_target.load(), 50u);
}

TEST_F(policy, who_is_woken_for_a_seat_that_nobody_has_sits_there) {
  // The first seats are taken first, and two threads are all that come.
  begin(64, 63);
  takt_test::fork_apart([] {}, [] {});
  const auto& sleeping = takt::core::process::current()->sleeping;
  for (int i = 0; i < 50; ++i) {
    while (sleeping.count() == 0) std::this_thread::yield();
    takt_test::fork_apart([] {}, [] {});
  }
  EXPECT_GE(counts.by_target.load(), 49u);
}

class seats_are_few : public policy, public testing::WithParamInterface<unsigned> {};

INSTANTIATE_TEST_SUITE_P(workers, seats_are_few, testing::Values(1u, 2u));

TEST_P(seats_are_few, calls_that_share_them_all_end) {
  begin(GetParam(), 0);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&wrong] {
      for (int i = 0; i < 100; ++i) {
        // A group outlives its call, and its children are others' to find.
        takt::task_group children;
        std::atomic<long> sum{0};
        children.run([&] { sum += fib(8); });
        if (fib(9) != 34) ++wrong;
        children.wait();
        if (sum.load() != 21) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST_F(policy, says_where_a_loop_is_cut) {
  begin(1, 0);
  std::vector<int> runs(1000);
  takt::parallel_for(0, 1000, [&](int i) { takt::parallel_for(0, 1, [&](int) { ++runs[static_cast<unsigned>(i)]; }); });
  EXPECT_EQ(std::accumulate(runs.begin(), runs.end(), 0), 1000);
  EXPECT_GT(counts.published.load(), 10u);
}

}  // namespace
