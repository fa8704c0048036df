// Groups inside children of groups, and trees of which nobody knows the shape, in virtual time.
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"
#include "worker/worker.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace {

using takt_test::in_virtual_time;

takt::config with(takt::policy p) {
  takt::config c;
  c.policy = p;
  return c;
}

// The time of all children on one worker, by what they take here. A child spends four times `ns`, with a group of short
// ones of its own.
double speedup(unsigned workers, takt::policy p, std::uint64_t children, std::uint64_t ns) {
  in_virtual_time machine(workers, with(p));
  const auto child = [&] {
    takt::task_group group;
    for (int i = 0; i < 4; ++i) {
      machine.on.spend(ns);
      group.run([] {});
    }
    group.wait();
  };
  const std::uint64_t begun = machine.on.time();
  takt::fork_join(
      [&] {
        takt::task_group group;
        for (std::uint64_t i = 0; i < children; ++i) group.run(child);
        group.wait();
      },
      [] {});
  return static_cast<double>(children * 4 * ns) / static_cast<double>(machine.on.time() - begun);
}

class nested_groups : public testing::TestWithParam<takt::policy> {};

INSTANTIATE_TEST_SUITE_P(policies, nested_groups, testing::Values(takt::policy::random, takt::policy::adws),
                         [](const auto& all) { return all.param == takt::policy::adws ? "adws" : "random"; });

// A wait inside of a child would otherwise take back what has been promoted of the group around it, before anybody can be there.
TEST_P(nested_groups, leave_what_is_around_them_to_others) {
  EXPECT_GT(speedup(2, GetParam(), 500, 4'000), 1.7);
  EXPECT_GT(speedup(8, GetParam(), 500, 20'000), 6.0);
}

// The tasks are for seats that no worker has held yet.
TEST_P(nested_groups, reach_all_seats) { EXPECT_GT(speedup(32, GetParam(), 1'000, 20'000), 16.0); }

// Of 1,024 the list has a slot while others run at once.
TEST_P(nested_groups, of_more_children_than_a_group_keeps) { EXPECT_GT(speedup(8, GetParam(), 4'000, 4'000), 5.0); }

// Nor while one of their own children is with somebody else: there may be any number of children around, each on top of
// the one before.
TEST_P(nested_groups, put_no_child_on_top_of_another) {
  in_virtual_time machine(8, with(GetParam()));
  std::set<const void*> inside;  // fibers that run a child, one after another in virtual time
  int on_top = 0, apart = 0;
  const auto child = [&] {
    const void* const here = takt::core::this_worker()->current;
    if (!inside.insert(here).second) ++on_top;
    takt::task_group group;
    for (int i = 0; i < 8; ++i) {
      group.run([&] {
        if (takt::core::this_worker()->current != here) ++apart;
        machine.on.spend(20'000);
      });
    }
    group.wait();
    inside.erase(here);
  };
  for (int call = 0; call < 20; ++call) {
    takt::fork_join(
        [&] {
          takt::task_group group;
          for (int i = 0; i < 12; ++i) group.run(child);
          group.wait();
        },
        [] {});
  }
  EXPECT_GT(apart, 100);
  EXPECT_EQ(on_top, 0);
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Most children have none, and a few have nearly all of the tree: an eighth less of a thousandth have eight each.
struct tree {
  in_virtual_time& machine;
  std::uint64_t nodes = 0;

  void search(std::uint64_t name, unsigned children) {
    takt::task_group group;
    for (unsigned i = 0; i < children; ++i) {
      const std::uint64_t child = mixed(name * 64 + i + 1);
      machine.on.spend(700);
      ++nodes;
      group.run([this, child] { search(child, child % 1000 < 124 ? 8 : 0); });
    }
    group.wait();
  }
};

// A thief that gets one subtree for each beat gets one node.
TEST(trees_without_shape, keep_eight_workers_busy) {
  in_virtual_time machine(8, {});
  tree all{machine};
  const std::uint64_t begun = machine.on.time();
  takt::fork_join([&] { all.search(7, 200); }, [] {});
  const auto took = static_cast<double>(machine.on.time() - begun);
  EXPECT_GT(all.nodes, 20'000u);
  EXPECT_GT(static_cast<double>(all.nodes * 700) / took, 5.0);
}

// What is around it is run after all where nobody else could: the code stays on its thread, and of its own group's
// children the older ones lie behind.
TEST(nested_groups_that_stay, end_with_one_worker) {
  takt::config c;
  c.trigger = takt::trigger::beat;
  in_virtual_time machine(1, c);
  int ran = 0;
  takt::fork_join(
      [&] {
        takt::task_group around;
        takt::stay here;
        takt::task_group inner;
        for (int i = 0; i < 4; ++i) {
          inner.run([&] { ++ran; });
          machine.on.spend(50'000);
        }
        for (int i = 0; i < 4; ++i) {
          around.run([&] { ++ran; });
          machine.on.spend(50'000);
        }
        inner.wait();
        EXPECT_GE(ran, 4);
        around.wait();
      },
      [] {});
  EXPECT_EQ(ran, 8);
}

}  // namespace
