// What parts by plan learn (src/policy/learned.hpp), with made-up times.
#include "policy/learned.hpp"
#include "policy/range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>

namespace {

using takt::core::balanced_cut;
using takt::core::kept_iterations;
using takt::core::learned;
using takt::core::learned_after;
using takt::core::learned_table;
using takt::core::position_within;

TEST(learned, a_cut_that_was_right_stays) { EXPECT_EQ(balanced_cut(0, 50, 100, 10, 10, 0.5), 50); }

TEST(learned, a_cut_moves_into_the_part_that_took_longer) {
  // 30 of the second half's 50 iterations carry what the first half lacks.
  EXPECT_EQ(balanced_cut(0, 50, 100, 10, 50, 0.5), 70);
  EXPECT_EQ(balanced_cut(0, 50, 100, 50, 10, 0.5), 30);
  // One seat of four.
  EXPECT_EQ(balanced_cut(0, 50, 100, 20, 20, 0.25), 25);
}

TEST(learned, both_parts_keep_an_iteration) {
  EXPECT_DOUBLE_EQ(balanced_cut(10, 15, 20, 0, 1, 0.0001), 15.0005);
  EXPECT_EQ(balanced_cut(10, 15, 20, 1, 0, 0.0), 11);
  EXPECT_EQ(balanced_cut(10, 15, 20, 1, 1e-9, 1.0), 19);
}

TEST(learned, rows_of_a_triangle_are_balanced_after_three_rounds) {
  // Row i takes i: the halves are at the square root of a half.
  constexpr std::uint64_t n = 100'000;
  const auto work = [](double begin, double end) { return (end * end - begin * begin) / 2; };
  learned known{0, 0, n / 2};
  for (int round = 0; round < 3; ++round) {
    const double at = std::round(known.cut);
    const learned now{work(0, n), 0, balanced_cut(0, at, n, work(0, at), work(at, n), 0.5)};
    known = learned_after(round == 0 ? nullptr : &known, now);
  }
  EXPECT_NEAR(work(0, known.cut) / work(0, n), 0.5, 0.02);
}

TEST(learned, one_measurement_counts_half) {
  const learned before{100, 0.5, 1000};
  const learned after = learned_after(&before, {300, 0.25, 1011});
  EXPECT_EQ(after.ticks, 200);
  EXPECT_EQ(after.share, 0.375);
  EXPECT_EQ(after.cut, 1005.5);
}

// Rounded to whole iterations it would stay at 26 for good.
TEST(learned, a_cut_that_was_one_off_comes_back) {
  learned known{0, 0, 26};
  for (int round = 0; round < 3; ++round) known = learned_after(&known, {0, 0, 25});
  EXPECT_EQ(std::round(known.cut), 25);
}

TEST(learned, what_is_within_one_iteration_of_an_even_cut_is_noise) {
  EXPECT_EQ(kept_iterations(25, 26, 50), 25);
  EXPECT_EQ(kept_iterations(25, 24, 50), 25);
  EXPECT_EQ(kept_iterations(25, 27, 50), 27.5);
  // Nor is what is not in the loop.
  EXPECT_EQ(kept_iterations(25, 0.5, 50), 25);
  EXPECT_EQ(kept_iterations(25, 50, 50), 25);
  EXPECT_EQ(kept_iterations(25, -3, 50), 25);
}

TEST(learned, a_table_for_many_seats_has_as_many_positions_for_each) {
  learned_table table(56);
  learned found;
  int known = 0;
  for (std::uint64_t k = 0; k < 2'000; ++k) table.store(position_within(3, k), {static_cast<double>(k + 1), 0, 0});
  for (std::uint64_t k = 0; k < 2'000; ++k) known += table.find(position_within(3, k), found) ? 1 : 0;
  EXPECT_GE(known, 1'990);
}

TEST(learned, a_table_knows_what_was_stored_last) {
  const auto table = std::make_unique<learned_table>(2u);
  learned found;
  const std::uint64_t position = position_within(0, 1);
  EXPECT_FALSE(table->find(position, found));
  table->store(position, {1, 0.5, 3});
  table->store(position, {2, 0.25, 4});
  ASSERT_TRUE(table->find(position, found));
  EXPECT_EQ(found.ticks, 2);
  EXPECT_EQ(found.share, 0.25);
  EXPECT_EQ(found.cut, 4);
  EXPECT_FALSE(table->find(position_within(0, 2), found));
}

TEST(learned, positions_that_meet_in_a_set_are_all_known) {
  const auto table = std::make_unique<learned_table>(2u);
  const auto position = [](std::uint64_t k) { return 5 + (k << 10); };
  for (std::uint64_t k = 0; k < 4; ++k) table->store(position(k), {static_cast<double>(k + 1), 0, 0});
  learned found;
  for (std::uint64_t k = 0; k < 4; ++k) {
    ASSERT_TRUE(table->find(position(k), found)) << k;
    EXPECT_EQ(found.ticks, static_cast<double>(k + 1));
  }
  // One more takes the place of one.
  table->store(position(4), {5, 0, 0});
  int known = 0;
  for (std::uint64_t k = 0; k < 5; ++k) known += table->find(position(k), found);
  EXPECT_EQ(known, 4);
  EXPECT_TRUE(table->find(position(4), found));
}

TEST(learned, what_is_left_and_right_of_a_boundary_are_two_positions) {
  EXPECT_NE(position_within(7, 0), position_within(7, 1));
  EXPECT_NE(position_within(position_within(7, 0), 1), position_within(position_within(7, 1), 0));
}

}  // namespace
