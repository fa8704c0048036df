// A worker's tasks, with each balancer: one suite for all.
#include "deque/task_deque.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using takt::balancer;
using takt::core::private_deque;
using takt::core::steal_result;
using takt::core::task_deque;
using takt::core::transfer_cell;

constexpr auto k_anything = [](std::uint64_t) { return true; };
// Of these entries the low four bits are the root.
constexpr auto k_may_give = [](std::uint64_t e, std::uint32_t only) { return only == 0 || e % 16 == only; };

class balancers : public testing::TestWithParam<balancer> {
 protected:
  static void push(task_deque& d, std::uint64_t e) {
    ASSERT_TRUE(d.reserve(1, true));
    d.push(e);
  }
  // As a thief whose victim polls right away.
  static steal_result steal(task_deque& victim, std::uint64_t& e, std::uint32_t only = 0) {
    private_deque* const asked = victim.to_ask();
    if (asked == nullptr) {
      const steal_result result = victim.steal(e, [only](std::uint64_t seen) { return k_may_give(seen, only); });
      (void)victim.serve(k_may_give);
      return result;
    }
    if (asked->oldest() == task_deque::k_none) return steal_result::empty;
    transfer_cell mine;
    if (!asked->ask(mine, only)) return steal_result::lost;
    (void)victim.serve(k_may_give);
    EXPECT_TRUE(private_deque::answered(mine, e));
    return e == task_deque::k_none ? steal_result::refused : steal_result::taken;
  }
};

TEST_P(balancers, the_owner_takes_the_newest) {
  task_deque d(GetParam(), 2);
  EXPECT_EQ(d.pop(), task_deque::k_none);
  for (std::uint64_t e = 1; e <= 100; ++e) push(d, e);
  EXPECT_FALSE(d.is_empty());
  for (std::uint64_t e = 100; e >= 1; --e) EXPECT_EQ(d.pop(), e);
  EXPECT_EQ(d.pop(), task_deque::k_none);
  EXPECT_TRUE(d.is_empty());
  EXPECT_TRUE(d.looks_empty());
}

TEST_P(balancers, thieves_take_the_oldest) {
  task_deque d(GetParam(), 2);
  std::uint64_t e = 0;
  EXPECT_EQ(steal(d, e), steal_result::empty);
  for (std::uint64_t n = 1; n <= 100; ++n) push(d, n);
  for (std::uint64_t n = 1; n <= 50; ++n) {
    EXPECT_EQ(d.peek(), n);
    EXPECT_FALSE(d.looks_empty());
    EXPECT_EQ(steal(d, e), steal_result::taken);
    EXPECT_EQ(e, n);
  }
  EXPECT_EQ(d.pop(), 100u);
  for (std::uint64_t n = 51; n <= 99; ++n) {
    EXPECT_EQ(steal(d, e), steal_result::taken);
    EXPECT_EQ(e, n);
  }
  EXPECT_EQ(steal(d, e), steal_result::empty);
  EXPECT_TRUE(d.is_empty());
}

TEST_P(balancers, a_thief_gets_no_task_of_another_root) {
  task_deque d(GetParam());
  push(d, 16 + 3);
  push(d, 32 + 5);
  std::uint64_t e = 0;
  EXPECT_EQ(steal(d, e, 5), steal_result::refused);
  EXPECT_EQ(steal(d, e, 3), steal_result::taken);
  EXPECT_EQ(e, 16u + 3u);
  EXPECT_EQ(steal(d, e, 5), steal_result::taken);
  EXPECT_EQ(e, 32u + 5u);
}

TEST_P(balancers, nothing_is_allocated_where_that_is_forbidden) {
  task_deque d(GetParam(), 4);
  while (d.reserve(1, false)) d.push(1);
  std::uint64_t entries = 0;
  while (d.pop() != task_deque::k_none) ++entries;
  // The cell of a mixed deque is one more.
  EXPECT_GE(entries, 4u);
  EXPECT_LE(entries, 5u);
}

TEST_P(balancers, each_entry_is_taken_once) {
  // The owner makes work and takes it back, as joins do; thieves take what they can.
  constexpr std::uint64_t k_entries = TAKT_TEST_SANITIZER ? 10'000 : 50'000;
  constexpr unsigned k_thieves = 2;
  task_deque d(GetParam(), 2);
  std::vector<std::atomic<int>> taken(k_entries + 1);
  std::atomic<bool> over{false};
  std::vector<std::thread> thieves;
  for (unsigned t = 0; t < k_thieves; ++t) {
    thieves.emplace_back([&] {
      transfer_cell mine;
      while (!over.load()) {
        std::uint64_t e = task_deque::k_none;
        if (private_deque* const asked = d.to_ask(); asked == nullptr) {
          if (d.steal(e, k_anything) != steal_result::taken) e = task_deque::k_none;
        } else if (asked->oldest() != task_deque::k_none && asked->ask(mine, 0)) {
          while (!private_deque::answered(mine, e)) {
            if (over.load() && asked->withdraw(mine)) {
              e = task_deque::k_none;
              break;
            }
            std::this_thread::yield();
          }
        }
        if (e != task_deque::k_none) ++taken[e];
      }
    });
  }
  for (std::uint64_t e = 1; e <= k_entries; ++e) {
    push(d, e);
    (void)d.serve(k_may_give);
    if (e % 3 == 0) {
      if (const std::uint64_t back = d.pop(); back != task_deque::k_none) ++taken[back];
    }
    if (e % 64 == 0) std::this_thread::yield();
  }
  while (const std::uint64_t e = d.pop()) ++taken[e];
  EXPECT_TRUE(d.is_empty());
  over.store(true);
  for (std::thread& t : thieves) t.join();
  for (std::uint64_t e = 1; e <= k_entries; ++e) ASSERT_EQ(taken[e], 1) << e;
}

INSTANTIATE_TEST_SUITE_P(each, balancers, testing::Values(balancer::concurrent, balancer::private_, balancer::mixed),
                         [](const auto& p) { return takt_test::name_of(p.param); });

}  // namespace
