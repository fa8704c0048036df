// The order in which a group's children run: newest first or oldest first, at home and elsewhere.
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using takt::group_order;
using takt::task_group;

// One worker and no promotion: nothing but the group decides what runs next.
takt::config alone() { return takt_test::settings(1, takt::trigger::never); }

// The names of the children in the order in which they begin. Each adds two more, down to names of three letters.
class tree {
 public:
  explicit tree(group_order order) : group_(order) {}

  void add(const std::string& name) {
    group_.run([this, name] {
      begun_ += name + ' ';
      if (name.size() == 3) return;
      add(name + 'a');
      add(name + 'b');
    });
  }
  std::string wait() {
    group_.wait();
    return begun_;
  }

 private:
  std::string begun_;
  task_group group_;
};

std::string outside(group_order order) {
  tree t(order);
  t.add("a");
  t.add("b");
  return t.wait();
}

std::string inside(group_order order) {
  std::string begun;
  takt::fork_join([&] { begun = outside(order); }, [] {});
  return begun;
}

TEST(task_group_order, newest_first_goes_deep) {
  takt::configure(alone());
  const std::string deep = "b bb bbb bba ba bab baa a ab abb aba aa aab aaa ";
  EXPECT_EQ(outside(group_order::newest_first), deep);
  EXPECT_EQ(inside(group_order::newest_first), deep);
}

TEST(task_group_order, oldest_first_goes_by_levels) {
  takt::configure(alone());
  const std::string levels = "a b aa ab ba bb aaa aab aba abb baa bab bba bbb ";
  EXPECT_EQ(outside(group_order::oldest_first), levels);
  EXPECT_EQ(inside(group_order::oldest_first), levels);
}

TEST(task_group_order, newest_first_unless_said_otherwise) {
  takt::configure(alone());
  std::string begun;
  task_group group;
  for (const char name : {'a', 'b', 'c'}) group.run([&begun, name] { begun += name; });
  group.wait();
  EXPECT_EQ(begun, "cba");
}

// Each poll promotes half of what is there, and nobody takes it.
TEST(task_group_order, is_that_without_promotions) {
  takt::config c = takt_test::settings(1, takt::trigger::lazy);
  c.beat = std::chrono::microseconds(0);
  takt::configure(c);
  const std::string deep = "b bb bbb bba ba bab baa a ab abb aba aa aab aaa ";
  EXPECT_EQ(outside(group_order::newest_first), deep);
  EXPECT_EQ(inside(group_order::newest_first), deep);
  std::vector<int> begun;
  task_group group;
  for (int i = 0; i < 1000; ++i) group.run([&begun, i] { begun.push_back(i); });
  group.wait();
  EXPECT_TRUE(std::ranges::is_sorted(begun, std::greater<>()));
  EXPECT_EQ(begun.size(), 1000u);
}

// A child that another call adds is handed to everybody, and runs on a fiber of its own: what it adds runs there.
std::string away_from_home(group_order order) {
  tree t(order);
  std::thread([&t] { takt::fork_join([&t] { t.add("a"); }, [] {}); }).join();
  return t.wait();
}

TEST(task_group_order, newest_first_goes_deep_away_from_home) {
  takt::configure(alone());
  EXPECT_EQ(away_from_home(group_order::newest_first), "a ab abb aba aa aab aaa ");
}

TEST(task_group_order, oldest_first_goes_by_levels_away_from_home) {
  takt::configure(alone());
  EXPECT_EQ(away_from_home(group_order::oldest_first), "a aa ab aaa aab aba abb ");
}

// Serial code runs none of the children that it adds, however many there are.
TEST(task_group_order, of_a_group_that_is_filled_outside) {
  takt::configure(alone());
  constexpr int k_count = 5000;
  for (const auto order : {group_order::newest_first, group_order::oldest_first}) {
    std::vector<int> begun;
    task_group group(order);
    for (int i = 0; i < k_count; ++i) group.run([&begun, i] { begun.push_back(i); });
    EXPECT_EQ(begun.size(), 0u);
    group.wait();
    std::vector<int> expected(k_count);
    std::iota(expected.begin(), expected.end(), 0);
    if (order == group_order::newest_first) std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(begun, expected);
  }
}

TEST(task_group_order, of_children_beyond_the_bound_is_at_once) {
  takt::configure(alone());
  const auto fill = [] {
    std::vector<int> begun;
    task_group group(takt::at_most(2), group_order::oldest_first);
    for (int i = 0; i < 4; ++i) group.run([&begun, i] { begun.push_back(i); });
    EXPECT_EQ(begun, (std::vector{2, 3}));
    group.wait();
    EXPECT_EQ(begun, (std::vector{2, 3, 0, 1}));
  };
  fill();
  takt::fork_join(fill, [] {});
}

// Every child adds more, as a search does.
struct search {
  explicit search(group_order order) : group(order) {}

  void visit(int levels) {
    waiting.fetch_sub(1);
    ran.fetch_add(1);
    if (levels == 0) return;
    for (int i = 0; i < 3; ++i) add(levels - 1);
  }
  void add(int levels) {
    const int now = waiting.fetch_add(1) + 1;
    int most = most_waiting.load();
    while (most < now && !most_waiting.compare_exchange_weak(most, now)) {
    }
    group.run([this, levels] { visit(levels); });
  }

  std::atomic<int> waiting{0};
  std::atomic<int> most_waiting{0};
  std::atomic<int> ran{0};
  task_group group;
};

constexpr int k_levels = 7;
constexpr int k_children = 3280;  // 1 + 3 + ... + 3^7

TEST(task_group_order, a_search_keeps_few_children_waiting) {
  takt::configure(alone());
  search deep(group_order::newest_first);
  deep.add(k_levels);
  deep.group.wait();
  EXPECT_EQ(deep.ran, k_children);
  EXPECT_LE(deep.most_waiting, 2 * k_levels + 1);
  search wide(group_order::oldest_first);
  wide.add(k_levels);
  wide.group.wait();
  EXPECT_EQ(wide.ran, k_children);
  EXPECT_GT(wide.most_waiting, 729);
}

TEST(task_group_order, every_child_runs_once_in_either_order) {
  takt_test::under_each_setting([] {
    for (const auto order : {group_order::newest_first, group_order::oldest_first}) {
      search outside(order);
      outside.add(k_levels);
      outside.group.wait();
      EXPECT_EQ(outside.ran, k_children);
      search inside(order);
      takt::fork_join(
          [&] {
            inside.add(k_levels - 1);
            inside.group.wait();
          },
          [&] { inside.add(k_levels - 1); });
      inside.group.wait();
      EXPECT_EQ(inside.ran, 2 * (k_children / 3));
    }
  });
}

// Children that wait for forks of their own, at home or not, while others wait in the same place.
TEST(task_group_order, children_that_fork_and_add) {
  takt_test::under_each_setting([] {
    for (const auto order : {group_order::newest_first, group_order::oldest_first}) {
      search s(order);
      const auto child = [&s] {
        takt::fork_join([&s] { s.add(2); }, [&s] { s.add(2); });
        takt::parallel_for(0, 4, [&s](int) { s.add(1); });
      };
      for (int i = 0; i < 10; ++i) s.group.run(child);
      s.group.wait();
      EXPECT_EQ(s.ran, 10 * (2 * 13 + 4 * 4));
    }
  });
}

TEST(task_group_order, the_first_exception_by_run_whatever_the_order) {
  takt_test::under_each_setting([] {
    for (const auto order : {group_order::newest_first, group_order::oldest_first}) {
      task_group group(order);
      for (int i = 0; i < 20; ++i) {
        group.run([i] {
          if (i >= 5) throw i;
        });
      }
      int arrived = -1;
      try {
        group.wait();
      } catch (const int i) {
        arrived = i;
      }
      EXPECT_EQ(arrived, 5);
    }
  });
}

}  // namespace
