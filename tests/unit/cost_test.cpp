// The cost model, with made-up times.
#include "cost/band.hpp"
#include "cost/burst.hpp"
#include "cost/chunks.hpp"
#include "cost/credit.hpp"
#include "cost/grants.hpp"
#include "cost/site_cost.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace takt::cost;

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
  for (const std::int64_t before : {k_least_refill, std::int64_t{5000}, std::int64_t{1} << 20}) {
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
  EXPECT_EQ(next_refill(1000, 0, 0, k_target), 1500);  // no time has passed, and next to nothing is gone
}

TEST(refill, is_nothing_where_every_construct_polls) { EXPECT_EQ(next_refill(1000, 10, 1000, 0), 0); }

constexpr std::uintptr_t k_stack = 0x7fff'0000'0000;
constexpr std::uintptr_t k_below = k_stack - sizeof(void*);
constexpr std::uintptr_t k_top = k_stack - 4096;  // the poll came from above the band
constexpr std::uintptr_t k_level = 100;

TEST(band, a_level_is_what_forks_inside_each_other_take_of_the_stack) {
  EXPECT_EQ(bytes_of_level(200 * (99 + 1), 99), 200u);
  EXPECT_EQ(bytes_of_level(200, 0), 200u);
  EXPECT_EQ(bytes_of_level(1 << 30, 1), k_near / k_free_levels);
}

TEST(band, begins_below_a_frame_that_was_one_of_many) {
  EXPECT_EQ(next_top(0, k_stack, k_level, k_many_frames + 1), k_below);
  EXPECT_EQ(next_top(0, k_stack, k_level, k_many_frames), 0u);
}

TEST(band, moves_up_while_frames_are_many) {
  EXPECT_EQ(next_top(k_top, k_stack, k_level, k_many_frames + 1), k_top + k_level);
  EXPECT_EQ(next_top(k_top, k_stack, k_level, 1000 * k_many_frames), k_top + k_level);
  EXPECT_EQ(next_top(k_top, k_stack, k_level, k_many_frames), k_top);
  EXPECT_EQ(next_top(k_top, k_stack, k_level, 0), k_top);
}

TEST(band, never_covers_the_frame_that_polled) {
  std::uintptr_t top = k_top;
  for (int poll = 0; poll < 1000; ++poll) top = next_top(top, k_stack, k_level, 1000 * k_many_frames);
  EXPECT_EQ(top, k_below);
}

TEST(band, stays_with_a_poll_from_its_edge) {
  // Who has asked above the band, and then polled from one frame further down.
  for (const std::uintptr_t stack : {k_top - 1, k_top - k_level + sizeof(void*)}) {
    EXPECT_EQ(next_top(k_top, stack, k_level, 0), k_top);
    EXPECT_EQ(next_top(k_top, stack, k_level, k_many_frames + 1), k_top);
  }
}

TEST(band, ends_with_a_poll_from_inside_or_from_elsewhere) {
  const std::uintptr_t inside = k_top - k_level - 1;
  EXPECT_EQ(next_top(k_top, inside, k_level, 1), 0u);
  EXPECT_EQ(next_top(k_top, inside, k_level, k_many_frames + 1), inside - sizeof(void*));
  EXPECT_EQ(next_top(k_top, k_stack + k_near, k_level, 1), 0u);
}

constexpr std::uint32_t k_units = takt::abi::k_units_per_tick;
constexpr std::uint64_t k_late_ticks = 4 * k_target;

TEST(site_cost, follows_a_fall_faster_than_a_rise) {
  EXPECT_EQ(next_cost(takt::abi::k_unknown_cost, 1000, 10, k_late_ticks), 100 * k_units);
  EXPECT_EQ(next_cost(100 * k_units, 800, 10, k_late_ticks), 80 * k_units);
  EXPECT_EQ(next_cost(100 * k_units, 1400, 10, k_late_ticks), 110 * k_units + 1);
  EXPECT_EQ(next_cost(100 * k_units, 100'000, 10, k_late_ticks), 200 * k_units);  // at most double
}

TEST(site_cost, believes_at_once_what_was_late) {
  EXPECT_EQ(next_cost(100 * k_units, k_late_ticks + 10, 10, k_late_ticks), (k_late_ticks + 10) / 10 * k_units);
}

TEST(site_cost, is_an_average_over_a_window_of_time) {
  // 16 iterations of 100 ticks are known.
  EXPECT_EQ(next_cost(100 * k_units, 1000, 16, k_late_ticks, 1600), (1600 + 1000) * k_units / 32);
  EXPECT_EQ(next_cost(100 * k_units, 0, 1, k_late_ticks, 1600), 1600 * k_units / 17);
  // A dear one that is alone, as it had to wait for memory: a quarter of the rise would double it.
  EXPECT_EQ(next_cost(1 * k_units, 160, 1, k_late_ticks, 1600), (1600 + 160) * k_units / 1601 + 1);
  EXPECT_EQ(next_cost(100 * k_units, 1600, 8, k_late_ticks, 1600), 125 * k_units + 1);
  EXPECT_EQ(next_cost(takt::abi::k_unknown_cost, 8, 10, k_late_ticks, 1600), 8 * k_units / 10);
  EXPECT_EQ(next_cost(2, 0, 10, k_late_ticks, 1600), 1u);
  // Cheap ones that follow a dear one do not make it forgotten: an average would be 2.
  EXPECT_EQ(next_cost(100 * k_units, 1600, 1600, k_late_ticks, 1600), 75 * k_units);
}

TEST(site_cost, is_in_range_whatever_was_measured) {
  constexpr std::uint64_t k_most = ~0ull / k_units;
  EXPECT_EQ(next_cost(k_most_cost, k_most, ~0ull, ~0ull, k_most), k_most_cost * 3 / 4);
  EXPECT_EQ(next_cost(k_most_cost, k_most, ~0ull, ~0ull), 1u);
  EXPECT_EQ(next_cost(k_most_cost, k_most, 1, ~0ull, k_most), k_most_cost);
  EXPECT_EQ(next_cost(1, k_most, 1, ~0ull, k_most), 2u);
  EXPECT_EQ(next_cost(1, 0, ~0ull, ~0ull, k_most), 1u);
  EXPECT_GE(next_cost(k_most_cost, 0, ~0ull, ~0ull, 0), 1u);
}

TEST(site_cost, stays_between_one_unit_and_unknown) {
  EXPECT_EQ(next_cost(100, 0, 10, k_late_ticks), 1u);
  EXPECT_EQ(next_cost(takt::abi::k_unknown_cost, ~0ull / k_units, 1, 1), k_most_cost);
  EXPECT_EQ(estimate_ticks(~0ull, 3), ~0ull);
  EXPECT_EQ(estimate_ticks(100, k_units / 2), 50u);
}

TEST(site_cost, is_nothing_that_a_site_that_nests_learns) {
  takt::abi::site s;
  learn_cost(s, 100, 10, k_late_ticks);
  EXPECT_EQ(cost_of(s), 10 * k_units);
  set_free_below(s, 7);
  EXPECT_EQ(s.free_past, 0 - std::uint64_t{7});
  learn_that_it_nests(s);
  learn_cost(s, 100, 10, k_late_ticks);
  EXPECT_FALSE(is_known(s));
  EXPECT_TRUE(nests(s));
  EXPECT_EQ(free_below(s), 0u);
  EXPECT_EQ(s.free_past, ~0ull);
}

TEST(leaf_chunks, follow_what_the_last_one_took) {
  EXPECT_EQ(next_chunk(1000, 4 * k_target, k_target), 250u);
  EXPECT_EQ(next_chunk(1000, k_target, k_target), 1000u);
  EXPECT_EQ(next_chunk(1000, k_target / 4, k_target), 2000u);  // at most double
  EXPECT_EQ(next_chunk(1000, 4 * k_target, ~0ull), 2000u);     // nobody polls
  EXPECT_EQ(next_chunk(1000, 0, 0), 0u);                       // everything polls
}

TEST(leaf_chunks, end_with_a_cache_line_where_they_are_long) {
  EXPECT_EQ(cut_chunk(5, 300, 1000), 251u);
  EXPECT_EQ(cut_chunk(5, 255, 1000), 255u);
  EXPECT_EQ(cut_chunk(5, 1000, 1000), 1000u);
  EXPECT_EQ(cut_chunk(5, 0, 1000), 1u);
}

TEST(strips, are_a_small_part_of_the_way_to_the_next_look) {
  EXPECT_EQ(strip_of(0), 1u);
  EXPECT_EQ(strip_of(2 * k_free_share - 1), 1u);
  EXPECT_EQ(strip_of(2 * k_free_share), 2u);
  EXPECT_EQ(strip_of(255 * k_free_share), 255u);
  // Whole cache lines.
  EXPECT_EQ(strip_of(300 * k_free_share), 256u);
}

TEST(grants, are_for_what_is_short) {
  // An eighth of the time between polls.
  EXPECT_EQ(leaf_is_free_below(10 * k_units, k_target), k_target / 8 / 10);
  EXPECT_LT(leaf_is_free_below(k_most_cost, k_target), 2u);
  EXPECT_EQ(nest_is_free_below(10, k_target / 3, k_target), 31u);
  EXPECT_EQ(nest_is_free_below(10, 1, k_target), 81u);  // eight times as many at most
  EXPECT_EQ(nest_is_free_below(10, k_target, k_target), 0u);
  EXPECT_EQ(nest_is_free_below(10, 0, k_target), 0u);
}

TEST(grants, end_after_so_many_polls) {
  takt::abi::site one, two;
  grants all;
  EXPECT_FALSE(all.over(~0ull));
  all.add({&one, nullptr, 5}, 1000, k_target);
  all.add({&two, nullptr, 6}, 1000 + k_target, k_target);
  EXPECT_EQ(all.of(one)->below, 5u);
  EXPECT_EQ(all.of(two)->below, 6u);
  EXPECT_FALSE(all.over(1000 + k_learned_polls * k_target - 1));
  EXPECT_TRUE(all.over(1000 + k_learned_polls * k_target));
  EXPECT_EQ(all.take().where, &two);
  EXPECT_EQ(all.of(two), nullptr);
  EXPECT_EQ(all.take().where, &one);
  EXPECT_FALSE(all.any());
}

TEST(grants, are_limited) {
  takt::abi::site sites[grants::k_most];
  grants all;
  for (takt::abi::site& s : sites) {
    EXPECT_FALSE(all.full());
    all.add({&s, nullptr, 2}, 0, k_target);
  }
  EXPECT_TRUE(all.full());
}

TEST(burst, counts_what_follows_closely_together) {
  burst loops;
  EXPECT_EQ(loops.add(1'000, 10, 60, 100), 10u);
  EXPECT_EQ(loops.add(1'015, 20, 60, 100), 30u);
  EXPECT_EQ(loops.add(1'095, 5, 60, 100), 35u);
  EXPECT_EQ(loops.all(), 35u);
  // 61 after the last one was over.
  EXPECT_EQ(loops.add(1'161, 7, 60, 100), 7u);
}

TEST(burst, counts_no_more_than_is_worth_a_wake_up) {
  burst loops;
  EXPECT_EQ(loops.add(1'000, ~std::uint64_t{0}, 60, 100), 100u);
  EXPECT_EQ(loops.add(1'050, ~std::uint64_t{0}, 60, 100), 100u);
  EXPECT_EQ(loops.add(1'211, 3, 60, 100), 3u);
}

// Less than was known; and one that was counted by another clock, which a runtime in virtual time leaves behind.
TEST(burst, may_be_over_before_it_was_expected) {
  burst loops;
  loops.add(1'000, 90, 60, 100);
  EXPECT_EQ(loops.add(1'010, 5, 60, 100), 95u);
  loops.end_long(1'000'000, 100);
  EXPECT_EQ(loops.add(1'000, 5, 60, 100), 5u);
}

TEST(burst, what_took_long_is_worth_a_wake_up_until_a_pause) {
  burst loops;
  loops.end_long(1'000, 100);
  EXPECT_EQ(loops.add(1'050, 1, 60, 100), 100u);
  EXPECT_EQ(loops.add(1'200, 1, 60, 100), 1u);
}

}  // namespace
