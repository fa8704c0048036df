// The cost model, with made-up times.
#include "cost/band.hpp"
#include "cost/credit.hpp"

#include <gtest/gtest.h>

namespace {

using namespace takt::cost;
using takt::abi::k_free_band;

// Ticks between polls.
constexpr std::uint64_t k_target = 30'000;

TEST(refill, comes_to_what_is_spent_between_two_polls) {
  // A program that spends three units a tick.
  std::int64_t refill = k_least_refill;
  for (int poll = 0; poll < 60; ++poll) {
    refill = next_refill(refill, static_cast<std::uint64_t>(refill) / 3, refill, k_target);
  }
  EXPECT_NEAR(static_cast<double>(refill), 3.0 * k_target, 0.01 * 3.0 * k_target);
}

TEST(refill, at_most_doubles) {
  for (const std::int64_t before : {std::int64_t{64}, std::int64_t{5000}, std::int64_t{1} << 20}) {
    EXPECT_LE(next_refill(before, 1, before, k_target), 2 * before);
    EXPECT_GT(next_refill(before, 1, before, k_target), before);
  }
}

TEST(refill, follows_a_fall_at_once) {
  // It took ten times as long as was aimed at.
  EXPECT_EQ(next_refill(100'000, 10 * k_target, 100'000, k_target), 10'000);
}

TEST(refill, stays_between_a_fork_and_an_unknown_loop) {
  EXPECT_EQ(next_refill(k_least_refill, 1000 * k_target, 1, k_target), k_least_refill);
  EXPECT_EQ(next_refill(k_most_refill, 1, k_most_refill, k_target), k_most_refill);
  EXPECT_EQ(next_refill(100, 0, 0, k_target), 150);  // no time has passed, and next to nothing is gone
}

TEST(refill, is_nothing_where_every_construct_polls) { EXPECT_EQ(next_refill(1000, 10, 1000, 0), 0); }

constexpr std::uintptr_t k_stack = 0x7fff'0000'0000;
constexpr std::uintptr_t k_floor = k_stack - k_free_band - 4096;  // the poll came from above the band

TEST(band, begins_below_a_frame_that_was_one_of_many) {
  EXPECT_EQ(next_floor(0, k_stack, k_many_frames + 1, false), k_stack - k_free_band);
  EXPECT_EQ(next_floor(0, k_stack, k_many_frames, false), 0u);
}

TEST(band, moves_up_while_frames_are_many_and_down_when_they_are_few) {
  EXPECT_EQ(next_floor(k_floor, k_stack, k_many_frames + 1, false), k_floor + k_step);
  EXPECT_EQ(next_floor(k_floor, k_stack, 4 * k_many_frames + 1, false), k_floor + 2 * k_step);
  EXPECT_EQ(next_floor(k_floor, k_stack, 16 * k_many_frames + 1, false), k_floor + 4 * k_step);
  EXPECT_EQ(next_floor(k_floor, k_stack, k_many_frames, false), k_floor);
  EXPECT_EQ(next_floor(k_floor, k_stack, k_few_frames, false), k_floor);
  EXPECT_EQ(next_floor(k_floor, k_stack, k_few_frames - 1, false), k_floor - k_step);
}

TEST(band, moves_down_after_something_long) {
  EXPECT_EQ(next_floor(k_floor, k_stack, 16 * k_many_frames + 1, true), k_floor - 4 * k_step);
}

TEST(band, never_covers_the_frame_that_polled) {
  std::uintptr_t floor = k_floor;
  for (int poll = 0; poll < 1000; ++poll) floor = next_floor(floor, k_stack, 1000 * k_many_frames, false);
  EXPECT_EQ(floor, k_stack - k_free_band);
}

TEST(band, ends_with_a_poll_from_inside_or_from_elsewhere) {
  const std::uintptr_t inside = k_floor + k_free_band - 1;
  EXPECT_EQ(next_floor(k_floor, inside, 1, false), 0u);
  EXPECT_EQ(next_floor(k_floor, inside, k_many_frames + 1, false), inside - k_free_band);
  EXPECT_EQ(next_floor(k_floor, k_stack + k_near, 1, false), 0u);
}

}  // namespace
