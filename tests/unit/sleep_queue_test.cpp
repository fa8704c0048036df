// Tasks that sleep wake when their rounds are over, one at a time, the newest first.
#include "memory/sleep_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

struct sleeper {
  int name = 0;
  std::uint64_t rounds = 0;
  takt::sync::plain<std::uint64_t> wakes_after{};
  takt::sync::plain<sleeper*> next_sleeper{};
};
struct no_relax {
  void operator()(unsigned) const {}
};
using queue = takt::core::sleep_queue<sleeper, no_relax>;
constexpr auto k_any = [](const sleeper&) { return true; };

TEST(sleep_queue, wakes_after_its_rounds) {
  queue q{no_relax{}};
  sleeper s{1, 3};
  q.put(s);
  EXPECT_FALSE(q.looks_empty());
  for (int round = 1; round <= 3; ++round) EXPECT_EQ(q.take_due(k_any), nullptr) << round;
  EXPECT_EQ(q.take_due(k_any), &s);
  EXPECT_TRUE(q.looks_empty());
  EXPECT_EQ(q.take_due(k_any), nullptr);
}

// With each one that wakes so much is allocated as it has slept for.
TEST(sleep_queue, wakes_one_at_a_time) {
  queue q{no_relax{}};
  sleeper a{1, 3}, b{2, 3}, c{3, 3};
  for (sleeper* s : {&a, &b, &c}) q.put(*s);
  std::vector<int> at;
  for (int round = 1; !q.looks_empty(); ++round) {
    if (q.take_due(k_any) != nullptr) at.push_back(round);
  }
  EXPECT_EQ(at, (std::vector<int>{4, 8, 12}));
}

TEST(sleep_queue, wakes_the_newest_that_is_due) {
  queue q{no_relax{}};
  sleeper oldest{1, 2}, long_one{2, 9}, newest{3, 2};
  for (sleeper* s : {&oldest, &long_one, &newest}) q.put(*s);
  std::vector<int> order;
  for (int round = 1; round <= 12; ++round) {
    if (const sleeper* const s = q.take_due(k_any); s != nullptr) order.push_back(s->name);
  }
  EXPECT_EQ(order, (std::vector<int>{3, 1, 2}));
}

// Also one that comes while the way is barred, with fewer rounds than those that are there.
TEST(sleep_queue, one_that_was_woken_early_bars_the_way_too) {
  queue q{no_relax{}};
  sleeper first{1, 5}, second{2, 1};
  q.put(first);
  EXPECT_EQ(q.take_newest(k_any), &first);
  q.put(second);
  for (int round = 1; round <= 5; ++round) EXPECT_EQ(q.take_due(k_any), nullptr) << round;
  EXPECT_EQ(q.take_due(k_any), &second);
}

TEST(sleep_queue, can_be_woken_early_and_passed_over) {
  queue q{no_relax{}};
  sleeper first{1, 1}, second{2, 1000};
  q.put(first);
  q.put(second);
  const auto only_the_second = [](const sleeper& s) { return s.name == 2; };
  EXPECT_TRUE(q.is_any(only_the_second));
  EXPECT_EQ(q.take_due(only_the_second), nullptr);
  EXPECT_EQ(q.take_due(only_the_second), nullptr) << "the first is due, and is not wanted";
  EXPECT_EQ(q.take_newest(k_any), &second);
  EXPECT_FALSE(q.is_any(only_the_second));
  EXPECT_EQ(q.take_newest(k_any), &first);
}

}  // namespace
