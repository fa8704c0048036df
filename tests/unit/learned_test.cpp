// What parts by plan learn (src/policy/learned.hpp), with made-up times.
#include "policy/learned.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

namespace {

using takt::core::balanced_cut;
using takt::core::learned;
using takt::core::learned_after;
using takt::core::learned_table;
using takt::core::position_within;

TEST(learned, a_cut_that_was_right_stays) { EXPECT_EQ(balanced_cut(0, 50, 100, 10, 10, 0.5), 50u); }

TEST(learned, a_cut_moves_into_the_part_that_took_longer) {
  // 30 of the second half's 50 iterations carry what the first half lacks.
  EXPECT_EQ(balanced_cut(0, 50, 100, 10, 50, 0.5), 70u);
  EXPECT_EQ(balanced_cut(0, 50, 100, 50, 10, 0.5), 30u);
  // One seat of four.
  EXPECT_EQ(balanced_cut(0, 50, 100, 20, 20, 0.25), 25u);
}

TEST(learned, both_parts_keep_an_iteration) {
  EXPECT_EQ(balanced_cut(10, 15, 20, 0, 1, 0.0001), 15u);
  EXPECT_EQ(balanced_cut(10, 15, 20, 1, 0, 0.0), 11u);
  EXPECT_EQ(balanced_cut(10, 15, 20, 1, 1e-9, 1.0), 19u);
  EXPECT_EQ(balanced_cut(0, ~0ull / 2, ~0ull, 1, 1, 1.0), ~0ull - 1);
}

TEST(learned, rows_of_a_triangle_are_balanced_after_three_rounds) {
  // Row i takes i: the halves are at the square root of a half.
  constexpr std::uint64_t n = 100'000;
  const auto work = [](double begin, double end) { return (end * end - begin * begin) / 2; };
  learned known{0, 0, n / 2};
  for (int round = 0; round < 3; ++round) {
    const auto at = static_cast<double>(known.cut);
    const learned now{work(0, n), 0, balanced_cut(0, known.cut, n, work(0, at), work(at, n), 0.5)};
    known = learned_after(round == 0 ? nullptr : &known, now);
  }
  EXPECT_NEAR(work(0, static_cast<double>(known.cut)) / work(0, n), 0.5, 0.02);
}

TEST(learned, one_measurement_counts_half) {
  const learned before{100, 0.5, ~0ull - 10};
  const learned after = learned_after(&before, {300, 0.25, ~0ull});
  EXPECT_EQ(after.ticks, 200);
  EXPECT_EQ(after.share, 0.375);
  EXPECT_EQ(after.cut, ~0ull - 5);
}

TEST(learned, a_table_knows_what_was_stored_last) {
  const auto table = std::make_unique<learned_table>();
  learned found;
  const std::uint64_t position = position_within(0, 1);
  EXPECT_FALSE(table->find(position, found));
  table->store(position, {1, 0.5, 3});
  table->store(position, {2, 0.25, 4});
  ASSERT_TRUE(table->find(position, found));
  EXPECT_EQ(found.ticks, 2);
  EXPECT_EQ(found.share, 0.25);
  EXPECT_EQ(found.cut, 4u);
  EXPECT_FALSE(table->find(position_within(0, 2), found));
}

TEST(learned, positions_that_meet_in_a_set_are_all_known) {
  const auto table = std::make_unique<learned_table>();
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
