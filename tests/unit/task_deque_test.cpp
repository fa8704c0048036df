// A worker's tasks, with each balancer: one suite for all.
#include "lab/policy/kept_tasks.hpp"
#include "policy/task_deque.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

namespace entry = takt::core::entry;
using takt::core::private_deque;
using takt::core::steal_result;
using takt::core::transfer_cell;

// Entries with a scope.
constexpr std::uint64_t of(std::uint64_t n, std::uint64_t scope) { return n << takt::core::scope_table::k_bits | scope; }

// As private_tasks, without a runtime whose victims poll: a thief is handed to `asked`.
struct asked_tasks {
  explicit asked_tasks(std::size_t capacity = 256) : tasks(capacity) {}
  bool reserve(std::size_t count, bool may_grow) { return tasks.reserve(count, may_grow); }
  void push(std::uint64_t e) { tasks.push(e); }
  std::uint64_t pop() { return tasks.pop(); }
  bool is_empty() const { return looks_empty(); }
  bool serve() {
    tasks.serve(&entry::is_for);
    return false;
  }
  bool looks_empty() const { return tasks.oldest() == entry::k_none; }
  std::uint64_t peek() const { return tasks.oldest(); }
  template <class Over>
  steal_result steal(std::uint64_t& e, std::uint32_t only, transfer_cell& mine, Over over) {
    if (looks_empty()) return steal_result::empty;
    if (!tasks.ask(mine, only)) return steal_result::lost;
    while (!private_deque::answered(mine, e)) {
      if (over() && tasks.withdraw(mine)) return steal_result::lost;
      std::this_thread::yield();
    }
    return e == entry::k_none ? steal_result::refused : steal_result::taken;
  }
  private_deque tasks;
};

template <class Tasks>
bool serve(Tasks& tasks) {
  if constexpr (requires { tasks.serve(&entry::is_for); }) {
    return tasks.serve(&entry::is_for);
  } else if constexpr (requires { tasks.serve(); }) {
    return tasks.serve();
  } else {
    return false;
  }
}
template <class Tasks, class Over>
steal_result ask(Tasks& victim, std::uint64_t& e, std::uint32_t only, transfer_cell& mine, Over over) {
  if constexpr (std::is_same_v<Tasks, asked_tasks>) {
    return victim.steal(e, only, mine, over);
  } else {
    return victim.steal(e, only, 0);
  }
}

template <class Tasks>
class balancers : public testing::Test {
 protected:
  static void push(Tasks& d, std::uint64_t e) {
    ASSERT_TRUE(d.reserve(1, true));
    d.push(e);
  }
  // As a thief whose victim polls right away.
  static steal_result steal(Tasks& victim, std::uint64_t& e, std::uint32_t only = 0) {
    transfer_cell mine;
    const steal_result result = ask(victim, e, only, mine, [&] {
      (void)serve(victim);
      return false;
    });
    (void)serve(victim);
    return result;
  }
};

using all_tasks = testing::Types<takt::core::task_deque, asked_tasks, takt::core::mixed_tasks>;
TYPED_TEST_SUITE(balancers, all_tasks);

TYPED_TEST(balancers, the_owner_takes_the_newest) {
  TypeParam d(2);
  EXPECT_EQ(d.pop(), entry::k_none);
  for (std::uint64_t e = 1; e <= 100; ++e) this->push(d, e);
  EXPECT_FALSE(d.is_empty());
  for (std::uint64_t e = 100; e >= 1; --e) EXPECT_EQ(d.pop(), e);
  EXPECT_EQ(d.pop(), entry::k_none);
  EXPECT_TRUE(d.is_empty());
  EXPECT_TRUE(d.looks_empty());
}

TYPED_TEST(balancers, thieves_take_the_oldest) {
  TypeParam d(2);
  std::uint64_t e = 0;
  EXPECT_EQ(this->steal(d, e), steal_result::empty);
  for (std::uint64_t n = 1; n <= 100; ++n) this->push(d, n);
  for (std::uint64_t n = 1; n <= 50; ++n) {
    EXPECT_EQ(d.peek(), n);
    EXPECT_FALSE(d.looks_empty());
    EXPECT_EQ(this->steal(d, e), steal_result::taken);
    EXPECT_EQ(e, n);
  }
  EXPECT_EQ(d.pop(), 100u);
  for (std::uint64_t n = 51; n <= 99; ++n) {
    EXPECT_EQ(this->steal(d, e), steal_result::taken);
    EXPECT_EQ(e, n);
  }
  EXPECT_EQ(this->steal(d, e), steal_result::empty);
  EXPECT_TRUE(d.is_empty());
}

TYPED_TEST(balancers, a_thief_gets_no_task_of_another_root) {
  TypeParam d;
  this->push(d, of(1, 3));
  this->push(d, of(2, 5));
  std::uint64_t e = 0;
  EXPECT_EQ(this->steal(d, e, 5), steal_result::refused);
  EXPECT_EQ(this->steal(d, e, 3), steal_result::taken);
  EXPECT_EQ(e, of(1, 3));
  EXPECT_EQ(this->steal(d, e, 5), steal_result::taken);
  EXPECT_EQ(e, of(2, 5));
}

TYPED_TEST(balancers, nothing_is_allocated_where_that_is_forbidden) {
  TypeParam d(4);
  while (d.reserve(1, false)) d.push(1);
  std::uint64_t entries = 0;
  while (d.pop() != entry::k_none) ++entries;
  // The cell of a mixed deque is one more.
  EXPECT_GE(entries, 4u);
  EXPECT_LE(entries, 5u);
}

TYPED_TEST(balancers, each_entry_is_taken_once) {
  // The owner makes work and takes it back, as joins do; thieves take what they can.
  constexpr std::uint64_t k_entries = TAKT_TEST_SANITIZER ? 10'000 : 50'000;
  constexpr unsigned k_thieves = 2;
  TypeParam d(2);
  std::vector<std::atomic<int>> taken(k_entries + 1);
  std::atomic<bool> over{false};
  std::vector<std::thread> thieves;
  for (unsigned t = 0; t < k_thieves; ++t) {
    thieves.emplace_back([&] {
      transfer_cell mine;
      while (!over.load()) {
        std::uint64_t e = entry::k_none;
        if (ask(d, e, 0, mine, [&over] { return over.load(); }) != steal_result::taken) e = entry::k_none;
        if (e != entry::k_none) ++taken[e];
      }
    });
  }
  for (std::uint64_t e = 1; e <= k_entries; ++e) {
    this->push(d, e);
    (void)serve(d);
    if (e % 3 == 0) {
      if (const std::uint64_t back = d.pop(); back != entry::k_none) ++taken[back];
    }
    if (e % 64 == 0) std::this_thread::yield();
  }
  while (const std::uint64_t e = d.pop()) ++taken[e];
  EXPECT_TRUE(d.is_empty());
  over.store(true);
  for (std::thread& t : thieves) t.join();
  for (std::uint64_t e = 1; e <= k_entries; ++e) ASSERT_EQ(taken[e], 1) << e;
}

}  // namespace
