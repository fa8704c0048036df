// The trigger `lazy`: a worker has one promotion on offer at a time.
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace {

std::uint64_t promotions() {
  const auto total = nlohmann::json::parse(takt::stats_json()).at("total");
  return total.at("promotions_forks").get<std::uint64_t>() + total.at("promotions_loops").get<std::uint64_t>();
}

void fork_in_turn(int times) {
  for (int i = 0; i < times; ++i) takt::fork_join([] {}, [] {});
}

// With N = 0 each fork is a beat, and with one worker nobody takes what is on offer.
TEST(lazy, nothing_is_promoted_while_an_older_task_waits) {
  takt::configure(takt_test::lazy_zero(1));
  takt::fork_join([] { fork_in_turn(100); }, [] {});
  EXPECT_EQ(promotions(), 1u);
  // The outer fork again, and nothing of what its left branch forks, not even where that has been taken back.
  takt::fork_join([] { takt::fork_join([] {}, [] { fork_in_turn(50); }); }, [] {});
  EXPECT_EQ(promotions(), 2u);

  takt::configure(takt_test::beat_zero(1));
  takt::fork_join([] { fork_in_turn(100); }, [] {});
  EXPECT_EQ(promotions(), 101u);
}

TEST(lazy, what_was_taken_back_makes_room_for_the_next) {
  takt::configure(takt_test::lazy_zero(1));
  takt::fork_join([] {}, [] { fork_in_turn(100); });
  // The right branch runs as a task that was taken back: nothing is on offer.
  EXPECT_EQ(promotions(), 101u);
}

TEST(lazy, both_halves_of_a_loop_are_one_offer) {
  takt::configure(takt_test::lazy_zero(1));
  takt::parallel_for(0, 3, [](int i) {
    if (i == 0) fork_in_turn(100);
  });
  // The first iteration is under way while both halves wait.
  EXPECT_LT(promotions(), 100u);
  takt::configure(takt_test::beat_zero(1));
  takt::parallel_for(0, 3, [](int i) {
    if (i == 0) fork_in_turn(100);
  });
  EXPECT_GE(promotions(), 100u);
}

}  // namespace
