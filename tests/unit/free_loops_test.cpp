// Loops too short to be charged: who lets them run free, and for how long.
#include <takt/takt.hpp>

#include "support/clock_by_tick.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <latch>
#include <limits>
#include <thread>
#include <utility>

namespace {

using takt::trigger;
using takt_test::settings;

// The site of a reduction is found by the types of its closures.
struct square {
  std::int64_t operator()(int k) const { return std::int64_t{k} * k; }
};
takt::abi::site& short_site =
    takt::detail::site_of<takt::detail::reduce_operations<int, std::int64_t, square, std::plus<>>>;

std::uint64_t free_below() {
  const std::uint64_t below = takt::detail::relaxed(short_site.free_below);
  // The same for converted loops, which compare with the negative number.
  EXPECT_EQ(takt::detail::relaxed(short_site.free_past), below == 0 ? ~0ull : 0 - below);
  return below;
}

std::int64_t sum_of_squares(int n) { return takt::parallel_reduce(0, n, std::int64_t{0}, square{}, std::plus<>{}); }

// Short loops in a serial loop, until they are free or `most` of them have run.
bool became_free(int most) {
  bool free = false;
  takt::fork_join(
      [&] {
        for (int i = 0; i < most && !free; ++i) {
          EXPECT_EQ(sum_of_squares(4), 14);
          free = free_below() > 4;
        }
      },
      [] {});
  return free;
}

// A beat so long that four iterations are a small part of it also with a sanitizer on a busy machine.
takt::config long_beat(unsigned workers, trigger t) { return settings(workers, t, std::chrono::milliseconds(100)); }

class free_loops_by_the_tick : public takt_test::clock_by_tick {
 protected:
  void SetUp() override {
    short_site = {};
    clock_by_tick::SetUp();
  }
};

TEST_F(free_loops_by_the_tick, short_loops_run_free_until_the_call_ends) {
  for (const trigger t : {takt::lab::beat, takt::lab::request}) {
    takt::configure(long_beat(1, t));
    short_site = {};
    EXPECT_TRUE(became_free(20)) << takt_test::name_of(t);
    EXPECT_EQ(free_below(), 0u) << takt_test::name_of(t);
    EXPECT_EQ(sum_of_squares(4), 14);
  }
}

TEST_F(free_loops_by_the_tick, longer_loops_of_a_free_site_are_charged_and_right) {
  takt::configure(long_beat(1, takt::lab::beat));
  takt::fork_join(
      [&] {
        for (int i = 0; free_below() <= 4 && i < 20; ++i) EXPECT_EQ(sum_of_squares(4), 14);
        const auto n = static_cast<int>(std::min<std::uint64_t>(free_below(), 1'000));
        EXPECT_GT(n, 4);
        std::int64_t expected = 0;
        for (int k = 0; k < 2 * n; ++k) {
          EXPECT_EQ(sum_of_squares(k), expected);
          expected += std::int64_t{k} * k;
        }
      },
      [] {});
}

TEST_F(free_loops_by_the_tick, loops_without_iterations_run_none_where_others_are_free) {
  takt::configure(long_beat(1, takt::lab::beat));
  takt::fork_join(
      [&] {
        for (int i = 0; free_below() <= 4 && i < 20; ++i) EXPECT_EQ(sum_of_squares(4), 14);
        EXPECT_GT(free_below(), 4u);
        for (const int last : {0, -1, -4, std::numeric_limits<int>::min()}) {
          EXPECT_EQ(sum_of_squares(last), 0);
          takt::parallel_for(0, last, [](int i) { ADD_FAILURE() << "iteration " << i; });
        }
      },
      [] {});
}

TEST_F(free_loops_by_the_tick, none_where_every_loop_is_to_be_seen) {
  takt::config without_signals = long_beat(1, takt::lab::beat);
  without_signals.interrupts = false;
  for (const takt::config& c : {settings(1, takt::lab::eager), settings(1, trigger::never), takt_test::beat_zero(1),
                                takt_test::on_request(1, std::chrono::microseconds(0)), without_signals}) {
    takt::configure(c);
    EXPECT_FALSE(became_free(1000)) << takt_test::describe(c);
  }
}

// The site may be part of a library that is unloaded once the call is over; nobody may write to it later. So what a
// worker lets run free it takes back when the computation leaves it.
TEST(free_loops, a_suspended_computation_leaves_no_site_free) {
  // The first call begins with a beat that is due: its fork is promoted, as nothing is known of how long it takes.
  takt::configure(long_beat(2, takt::lab::beat));
  std::latch both(2);
  std::atomic<takt::abi::slot*> frame{nullptr};
  auto left = [&] {
    both.arrive_and_wait();
    takt_loop_timed(&short_site, 1000, 1);
    EXPECT_GT(free_below(), 4u);
    EXPECT_EQ(sum_of_squares(4), 14);
    frame.store(takt::detail::head() - 1);
  };
  auto right = [&] {
    both.arrive_and_wait();
    while (frame.load() == nullptr || !takt_test::is_waited_for(frame.load())) std::this_thread::yield();
    EXPECT_EQ(free_below(), 0u);
  };
  using takt::detail::capture;
  takt::detail::site_of<std::pair<decltype(capture(left)), decltype(capture(right))>>.span_ticks = ~0ull;
  takt::fork_join(left, right);
  EXPECT_EQ(free_below(), 0u);
}

// What costs more than it did is followed by and by, but at once where a loop had no poll for too long.
TEST(free_loops, a_cost_rises_slowly_unless_a_loop_took_long) {
  // Such that the second loop is short whatever a tick is: on ARM64 it may be 40 ns.
  takt::configure(settings(1, takt::lab::beat, std::chrono::milliseconds(5)));
  constexpr std::uint64_t k_iterations = 100;
  const auto of_ticks = [](std::uint64_t ticks) {
    return static_cast<std::uint32_t>(ticks * takt::abi::k_units_per_tick / k_iterations);
  };
  takt::abi::site where;
  takt::fork_join(
      [&] {
        takt_loop_timed(&where, k_iterations, k_iterations);
        EXPECT_EQ(where.unit_cost, of_ticks(k_iterations));
        takt_loop_timed(&where, k_iterations, 20 * k_iterations);
        EXPECT_LE(where.unit_cost, 2 * of_ticks(k_iterations));
        // Tens of milliseconds at least.
        takt_loop_timed(&where, k_iterations, 100'000'000);
        EXPECT_EQ(where.unit_cost, of_ticks(100'000'000));
        takt_loop_timed(&where, k_iterations, k_iterations);
        EXPECT_EQ(where.unit_cost, of_ticks(k_iterations));
      },
      [] {});
}

}  // namespace
