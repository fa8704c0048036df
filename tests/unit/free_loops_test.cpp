// Loops too short to be charged: who lets them run free, and for how long.
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

namespace {

using takt::trigger;
using takt_test::settings;

// The site of a reduction is found by the types of its closures.
struct square {
  std::int64_t operator()(int k) const { return std::int64_t{k} * k; }
};
const takt::abi::site& short_site =
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

TEST(free_loops, short_loops_run_free_until_the_call_ends) {
  for (const trigger t : {trigger::beat, trigger::request}) {
    takt::configure(long_beat(1, t));
    EXPECT_TRUE(became_free(100'000'000)) << takt_test::name_of(t);
    EXPECT_EQ(free_below(), 0u) << takt_test::name_of(t);
    EXPECT_EQ(sum_of_squares(4), 14);
  }
}

TEST(free_loops, longer_loops_of_a_free_site_are_charged_and_right) {
  takt::configure(long_beat(1, trigger::beat));
  takt::fork_join(
      [&] {
        for (int i = 0; free_below() <= 4 && i < 100'000'000; ++i) EXPECT_EQ(sum_of_squares(4), 14);
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

TEST(free_loops, loops_without_iterations_run_none_where_others_are_free) {
  takt::configure(long_beat(1, trigger::beat));
  takt::fork_join(
      [&] {
        for (int i = 0; free_below() <= 4 && i < 100'000'000; ++i) EXPECT_EQ(sum_of_squares(4), 14);
        EXPECT_GT(free_below(), 4u);
        for (const int last : {0, -1, -4, std::numeric_limits<int>::min()}) {
          EXPECT_EQ(sum_of_squares(last), 0);
          takt::parallel_for(0, last, [](int i) { ADD_FAILURE() << "iteration " << i; });
        }
      },
      [] {});
}

TEST(free_loops, none_where_every_loop_is_to_be_seen) {
  takt::config without_signals = long_beat(1, trigger::beat);
  without_signals.interrupts = false;
  for (const takt::config& c : {settings(1, trigger::eager), settings(1, trigger::never), takt_test::beat_zero(1),
                                takt_test::on_request(1, std::chrono::microseconds(0)), without_signals}) {
    takt::configure(c);
    EXPECT_FALSE(became_free(100'000)) << takt_test::describe(c);
  }
}

TEST(free_loops, a_suspended_computation_leaves_no_site_free) {
  // The site may be part of a library that is unloaded once the call is over; nobody may write to it later.
  for (int round = 0; round < 100; ++round) {
    takt::configure(settings(2, trigger::beat, std::chrono::microseconds(100)));
    std::int64_t sums[64] = {};
    takt::parallel_for(0, 64, [&](int i) {
      for (int j = 0; j < 1000; ++j) sums[i] += sum_of_squares(3);
    });
    for (const std::int64_t sum : sums) EXPECT_EQ(sum, 5000);
    EXPECT_EQ(free_below(), 0u);
  }
}

// What costs more than it did is followed by and by, but at once where a loop had no poll for too long.
TEST(free_loops, a_cost_rises_slowly_unless_a_loop_took_long) {
  // Such that the second loop is short whatever a tick is: on ARM64 it may be 40 ns.
  takt::configure(settings(1, trigger::beat, std::chrono::milliseconds(5)));
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
