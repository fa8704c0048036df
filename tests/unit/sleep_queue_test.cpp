// Tasks that sleep wake in the order of their rounds, and when these are over.
#include "lab/memory/sleep_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

struct sleeper {
  int name = 0;
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
  sleeper s{1};
  q.put(s, 3);
  EXPECT_FALSE(q.looks_empty());
  for (int round = 1; round <= 3; ++round) EXPECT_EQ(q.take_due(k_any), nullptr) << round;
  EXPECT_EQ(q.take_due(k_any), &s);
  EXPECT_TRUE(q.looks_empty());
  EXPECT_EQ(q.take_due(k_any), nullptr);
}

TEST(sleep_queue, wakes_in_order) {
  queue q{no_relax{}};
  std::vector<sleeper> all(4);
  const std::uint64_t rounds[] = {4, 2, 4, 3};
  for (int i = 0; i < 4; ++i) {
    all[static_cast<std::size_t>(i)].name = i;
    q.put(all[static_cast<std::size_t>(i)], rounds[i]);
  }
  std::vector<int> order;
  for (int round = 1; round <= 6; ++round) {
    if (const sleeper* const s = q.take_due(k_any); s != nullptr) order.push_back(s->name);
  }
  EXPECT_EQ(order, (std::vector<int>{1, 3, 0, 2})) << "those that are due together as they came";
}

TEST(sleep_queue, can_be_woken_early_and_passed_over) {
  queue q{no_relax{}};
  sleeper first{1}, second{2};
  q.put(first, 1);
  q.put(second, 1000);
  const auto only_the_second = [](const sleeper& s) { return s.name == 2; };
  EXPECT_TRUE(q.is_any(only_the_second));
  EXPECT_EQ(q.take_due(only_the_second), nullptr);
  EXPECT_EQ(q.take_due(only_the_second), nullptr) << "the first is due, and is not wanted";
  EXPECT_EQ(q.take_first(only_the_second), &second);
  EXPECT_FALSE(q.is_any(only_the_second));
  EXPECT_EQ(q.take_due(k_any), &first);
}

}  // namespace
