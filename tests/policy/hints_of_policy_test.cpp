// What a program says of its forks, loops and groups arrives at a policy that wants it: with the values given, for that
// frame and no other, and for as long as the frame is there.
#include <takt/takt.hpp>

#include "policy/listener.hpp"
#include "policy/run_hinted.hpp"
#include "support/settings.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using takt_test::begin_listening;
using takt_test::heard;
using takt_test::what_was_heard;

std::vector<heard> at_pushes() {
  std::vector<heard> all = what_was_heard();
  std::erase_if(all, [](const heard& h) { return !h.at_push; });
  return all;
}
std::vector<heard> at_promotions() {
  std::vector<heard> all = what_was_heard();
  std::erase_if(all, [](const heard& h) { return h.at_push; });
  return all;
}

long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}
long hinted_fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join(takt::weights(1.618, 1), takt::work(n), [=] { return hinted_fib(n - 1); },
                                      [=] { return hinted_fib(n - 2); });
  return a + b;
}

TEST(hints, of_a_fork_arrive_when_it_is_pushed_and_when_it_is_promoted) {
  begin_listening(1, true);
  takt::fork_join(takt::weights(1, 3), takt::bytes(100), takt::work(8), [] {}, [] {});
  const std::vector<heard> all = what_was_heard();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].at_push);
  EXPECT_FALSE(all[1].at_push);
  for (const heard& h : all) {
    EXPECT_EQ(h.said.weights[0], 1);
    EXPECT_EQ(h.said.weights[1], 3);
    EXPECT_EQ(h.said.bytes, 100u);
    EXPECT_EQ(h.said.work, 8);
    EXPECT_NE(h.said.frame, nullptr);
    EXPECT_EQ(h.said.state, takt::abi::hint_state::told);
  }
  EXPECT_EQ(all[0].said.frame, all[1].said.frame);
}

TEST(hints, of_a_fork_that_is_promoted_without_the_policys_asking) {
  begin_listening(1, false, takt::lab::eager);
  takt::fork_join(takt::bytes(7), [] {}, [] {});
  ASSERT_EQ(what_was_heard().size(), 2u);
  EXPECT_EQ(at_promotions().at(0).said.bytes, 7u);
}

TEST(hints, a_policy_promotes_nothing_where_the_trigger_says_never) {
  begin_listening(1, true, takt::trigger::never);
  takt::fork_join(takt::bytes(7), [] {}, [] {});
  EXPECT_EQ(at_pushes().size(), 1u);
  EXPECT_EQ(at_promotions().size(), 0u);
}

TEST(hints, what_is_not_said_is_alike_or_nothing) {
  begin_listening(1, false);
  takt::fork_join(takt::bytes(100), [] {}, [] {});
  takt::fork_join(takt::work(3), [] {}, [] {});
  const std::vector<heard> all = at_pushes();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_LT(all[0].said.work, 0);
  EXPECT_EQ(all[1].said.bytes, 0u);
  for (const heard& h : all) EXPECT_EQ(h.said.weights[0], h.said.weights[1]);
}

TEST(hints, of_many_branches_arrive_with_each_of_the_forks_that_they_are) {
  begin_listening(1, false);
  takt::fork_join(takt::weights(1, 2, 5), takt::work(16), takt::bytes(800), [] {}, [] {}, [] {});
  takt::fork_join(takt::bytes(300), [] {}, [] {}, [] {});
  const std::vector<heard> all = at_pushes();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].said.weights[0], 1);
  EXPECT_EQ(all[0].said.weights[1], 7);
  EXPECT_EQ(all[0].said.work, 16);
  EXPECT_EQ(all[0].said.bytes, 800u);
  EXPECT_EQ(all[1].said.weights[0], 2);
  EXPECT_EQ(all[1].said.weights[1], 5);
  EXPECT_EQ(all[1].said.work, 14);
  EXPECT_EQ(all[1].said.bytes, 700u);
  EXPECT_EQ(all[2].said.weights[1], 2 * all[2].said.weights[0]);
  EXPECT_EQ(all[3].said.weights[1], all[3].said.weights[0]);
  EXPECT_EQ(all[3].said.bytes, 200u);
}

// Of five forks, each with its number for work; some in others.
void nested_forks() {
  takt::fork_join(
      takt::work(1),
      [] {
        takt::fork_join(takt::work(2), [] { takt::fork_join(takt::work(3), [] {}, [] {}); },
                        // The frame of the second is gone: its right branch is in nothing but the first.
                        [] { takt::fork_join(takt::work(4), [] {}, [] {}); });
      },
      [] { takt::fork_join(takt::work(5), [] {}, [] {}); });
}

TEST(hints, nest) {
  begin_listening(1, false);
  nested_forks();
  const std::vector<heard> all = at_pushes();
  ASSERT_EQ(all.size(), 5u);
  const unsigned around[] = {0, 1, 2, 1, 0};
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(all[i].said.work, i + 1);
    EXPECT_EQ(all[i].around, around[i]) << "of the one with work " << i + 1;
  }
}

TEST(hints, are_found_at_each_depth) {
  begin_listening(1, false, takt::lab::eager);
  nested_forks();
  const std::vector<heard> all = at_promotions();
  ASSERT_EQ(all.size(), 5u);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(all[i].said.work, i + 1);
}

// Each frame becomes a task here, and takes the slot of a hinted one before it, or is in it.
TEST(hints, are_of_no_other_frame) {
  begin_listening(1, false, takt::lab::eager);
  takt::fork_join(takt::work(1), [] { fib(5); }, [] { fib(5); });
  fib(5);
  EXPECT_THROW(takt::fork_join(takt::work(2), [] { throw std::runtime_error("left"); }, [] { fib(5); }),
               std::runtime_error);
  fib(5);
  // A combine runs when the loop's frame has been popped, at its slot.
  takt::parallel_reduce(
      0, 100, 0, [](int i) { return i; },
      [](int a, int b) {
        fib(3);
        return a + b;
      },
      takt::hints{.work = 3});
  EXPECT_THROW(takt::parallel_for(0, 100, [](int) { throw std::runtime_error("body"); }, takt::hints{.work = 4}),
               std::runtime_error);
  fib(5);
  const std::vector<heard> pushed = at_pushes();
  const std::vector<heard> promoted = at_promotions();
  ASSERT_EQ(pushed.size(), 4u);
  ASSERT_EQ(promoted.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(pushed[i].said.work, i + 1);
    EXPECT_EQ(promoted[i].said.work, i + 1);
  }
  EXPECT_EQ(takt_hot.wants_hints, takt::abi::k_ask_for_hints);
}

TEST(hints, of_loops_arrive) {
  begin_listening(1, true);
  std::vector<double> prefix(101);
  for (int i = 0; i <= 100; ++i) prefix[static_cast<std::size_t>(i)] = i * i;
  const auto of_range = [&](auto begin, auto end) {
    return prefix[static_cast<std::size_t>(end)] - prefix[static_cast<std::size_t>(begin)];
  };
  std::vector<int> runs(60);
  // The first loop of a site is taken to nest, and from the second on these do.
  const auto nest = [&](auto& n) { takt::fork_join([&] { ++n; }, [] {}); };
  for (int round = 0; round < 3; ++round) {
    takt_test::listen_anew();
    takt::parallel_for(40, 100, [&](int i) { nest(runs[static_cast<std::size_t>(i - 40)]); },
                       takt::hints{.work = takt::work_of(of_range), .bytes = 1});
    takt::parallel_for(0, 120, 2, [&](int i) { nest(runs[static_cast<std::size_t>(i / 2)]); },
                       takt::hints{.work = takt::work_of(of_range), .bytes = 2});
    takt::parallel_for(runs.begin(), runs.end(), nest, takt::hints{.work = 77, .bytes = 3});
    takt::parallel_for(runs, nest, takt::hints{.bytes = 4});
    takt::parallel_reduce(40, 100L, 0,
                          [&](long i) {
                            nest(runs[static_cast<std::size_t>(i - 40)]);
                            return 0;
                          },
                          std::plus<>{}, takt::hints{.work = takt::work_of(of_range), .bytes = 5});
    const std::vector<heard> all = at_pushes();
    ASSERT_EQ(all.size(), 5u) << "in round " << round;
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(all[i].said.bytes, i + 1);
    EXPECT_EQ(all[0].of_all, 100 * 100 - 40 * 40);
    EXPECT_EQ(all[1].of_all, 60 * 60);
    EXPECT_EQ(all[2].said.work, 77);
    EXPECT_LT(all[3].said.work, 0);
    EXPECT_EQ(all[4].of_all, 100 * 100 - 40 * 40);
    const std::vector<heard> promoted = at_promotions();
    ASSERT_EQ(promoted.size(), 5u) << "in round " << round;
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(promoted[i].said.bytes, i + 1);
  }
  EXPECT_EQ(runs, std::vector<int>(60, 15));
}

TEST(hints, of_outermost_loops_are_in_nothing) {
  begin_listening(1, false, takt::trigger::never);
  for (int i = 0; i < 3; ++i) takt::parallel_for(0, 10, [](int) { fib(2); }, takt::hints{.work = 3});
  const std::vector<heard> all = at_pushes();
  ASSERT_EQ(all.size(), 3u);
  for (const heard& h : all) EXPECT_EQ(h.around, 0u);
}

TEST(hints, of_an_inner_loop_arrive_each_time) {
  begin_listening(1, false);
  for (int round = 0; round < 2; ++round) {
    takt_test::listen_anew();
    takt::parallel_for(0, 50, [](int i) {
      takt::parallel_for(0, 3, [](int) { takt::fork_join([] {}, [] {}); }, takt::hints{.work = i});
    });
    std::vector<heard> all = at_pushes();
    ASSERT_EQ(all.size(), 50u);
    std::ranges::sort(all, {}, [](const heard& h) { return h.said.work; });
    for (unsigned i = 0; i < 50; ++i) EXPECT_EQ(all[i].said.work, i);
  }
}

TEST(hints, of_a_groups_children_arrive_when_they_are_promoted) {
  begin_listening(1, false, takt::lab::eager);
  takt::fork_join([] {}, [] {
    takt::task_group group(takt::work(30), takt::bytes(64), takt::group_order::oldest_first);
    group.run(takt::work(10), [] {});
    group.run([] {});
    group.wait();
    takt::task_group other;
    other.run(takt::work(20), [] {});
    other.wait();
  });
  const std::vector<heard> all = what_was_heard();
  ASSERT_EQ(all.size(), 3u);
  const double work[] = {10, -1, 20}, group_work[] = {30, 30, -1};
  const std::uint64_t bytes[] = {64, 64, 0};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_FALSE(all[i].at_push);
    EXPECT_EQ(all[i].said.frame, nullptr);
    EXPECT_EQ(all[i].said.work, work[i]);
    EXPECT_EQ(all[i].said.group_work, group_work[i]);
    EXPECT_EQ(all[i].said.bytes, bytes[i]);
  }
}

TEST(hints, of_a_group_that_is_filled_from_serial_code) {
  begin_listening(1, false, takt::lab::eager);
  takt::task_group group(takt::work(30));
  for (int i = 0; i < 1500; ++i) group.run(takt::work(2), [] {});
  group.wait();
  const std::vector<heard> all = what_was_heard();
  ASSERT_GT(all.size(), 0u);
  for (const heard& h : all) {
    // Several children are one task: together they are what is said of each.
    EXPECT_GE(h.said.work, 2);
    EXPECT_EQ(std::fmod(h.said.work, 2), 0);
    EXPECT_EQ(h.said.group_work, 30);
  }
}

TEST(hints, that_make_no_sense_are_as_if_not_given) {
  begin_listening(1, false, takt::lab::eager);
  const double bad[] = {-1, -1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  for (const double b : bad) {
    takt_test::listen_anew();
    takt::fork_join(takt::weights(b, 2, 7), takt::work(b), takt::bytes(-3), [] {}, [] {}, [] {});
    takt::parallel_for(0, 100, [](int) {}, takt::hints{.work = b});
    takt::fork_join([] {}, [b] {
      takt::task_group group{takt::work(b)};
      group.run(takt::work(b), [] {});
    });
    const std::vector<heard> pushed = at_pushes();
    ASSERT_EQ(pushed.size(), 3u);
    EXPECT_EQ(pushed[0].said.weights[1], 2 * pushed[0].said.weights[0]);
    EXPECT_EQ(pushed[1].said.weights[1], pushed[1].said.weights[0]);
    for (const heard& h : what_was_heard()) {
      EXPECT_EQ(h.said.work, -1);
      EXPECT_EQ(h.said.bytes, 0u);
    }
    EXPECT_EQ(at_promotions().back().said.group_work, -1);
  }
  takt_test::listen_anew();
  takt::fork_join(takt::weights(0, 0), [] {}, [] {});
  takt::fork_join(takt::weights(1e308, 1e308), [] {}, [] {});
  for (const heard& h : what_was_heard()) {
    EXPECT_EQ(h.said.weights[0], 1);
    EXPECT_EQ(h.said.weights[1], 1);
  }
}

TEST(hints, that_throw_are_as_if_not_given) {
  begin_listening(1, false);
  takt::parallel_for(0, 100, [](int) {}, takt::hints{.work = takt::work_of([](auto, auto) -> double { throw 1; })});
  ASSERT_EQ(at_pushes().size(), 1u);
  EXPECT_EQ(at_pushes()[0].of_all, -1);
}

// Frames come and go on fibers that move between threads, in and out of signal handlers.
TEST(hints, follow_their_fibers) {
  for (const takt::trigger trigger : {takt::lab::eager, takt::trigger::lazy}) {
    for (const bool at_once : {false, true}) {
      begin_listening(4, at_once, trigger);
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(hinted_fib(14), 377);
        for (const heard& h : what_was_heard()) {
          ASSERT_EQ(h.said.weights[0], 1.618);
          ASSERT_LT(h.around, 14u);
        }
        takt_test::listen_anew();
      }
    }
  }
}

TEST(hints, programs_run_as_they_do_serially) {
  constexpr std::uint64_t k_seeds = TAKT_TEST_SANITIZER ? 20 : 150;
  for (const unsigned workers : {0u, 1u, 2u, 4u}) {
    for (const takt::trigger trigger : {takt::lab::eager, takt::trigger::lazy}) {
      // 0: by `random`, which does not listen.
      if (workers != 0) begin_listening(workers, trigger == takt::trigger::lazy, trigger);
      for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
        const takt_test::node program = takt_test::make_program(seed);
        ASSERT_TRUE(takt_test::run_hinted(program) == takt_test::run_serial(program))
            << "seed " << seed << ", " << workers << " workers";
        takt_test::listen_anew();
      }
    }
  }
}

TEST(hints, are_not_wanted_by_random) {
  std::uint64_t inside = 17;
  takt::fork_join(takt::bytes(3), [&] { inside = takt_hot.wants_hints; }, [] {});
  EXPECT_EQ(inside, 0u);
  EXPECT_EQ(takt_hot.wants_hints, takt::abi::k_ask_for_hints);
  takt::parallel_for(0, 100, [](int) { fib(3); }, takt::hints{.bytes = 3});
  EXPECT_EQ(takt_hot.wants_hints, takt::abi::k_ask_for_hints);
}

}  // namespace
