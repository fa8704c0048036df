// Groups inside children of groups, and trees of which nobody knows the shape, in virtual time.
#include <takt/lab.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>

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

// A wait inside of a child would otherwise take back what has been promoted of the group around it, before anybody can
// be there.
TEST_P(nested_groups, leave_what_is_around_them_to_others) {
  EXPECT_GT(speedup(2, GetParam(), 500, 4'000), 1.7);
  EXPECT_GT(speedup(8, GetParam(), 500, 20'000), 6.0);
}

// The tasks are for seats that no worker has held yet.
TEST_P(nested_groups, reach_all_seats) { EXPECT_GT(speedup(32, GetParam(), 1'000, 20'000), 16.0); }

// Of 1,024 the list has a slot while others run at once.
TEST_P(nested_groups, of_more_children_than_a_group_keeps) { EXPECT_GT(speedup(8, GetParam(), 4'000, 4'000), 5.0); }

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

// Code that stays takes its fiber's children back, of whatever group they are.
TEST(nested_groups_that_stay, end_with_one_worker) {
  takt::config c;
  c.trigger = takt::lab::beat;
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

// A fork's branch lies in front of the child that this code waits for, and must not run on top of it.
TEST(nested_groups_that_stay, find_their_children_behind_a_branch) {
  for (const takt::policy policy : {takt::policy::random, takt::lab::random_private, takt::lab::random_mixed,
                                    takt::policy::adws, takt::lab::sb}) {
    {
      takt::config c;
      c.trigger = takt::lab::eager;
      c.policy = policy;
      in_virtual_time machine(1, c);
      bool child_ran = false;
      bool branch_ran = false;
      takt::fork_join(
          [&] {
            takt::task_group group;
            group.run([&] { child_ran = true; });
            takt::stay here;
            takt::fork_join(
                [&] {
                  for (int i = 0; i < 8; ++i) {
                    machine.on.spend(50'000);
                    takt::fork_join([] {}, [] {});
                  }
                  group.wait();
                  EXPECT_TRUE(child_ran);
                  EXPECT_FALSE(branch_ran);
                },
                [&] { branch_ran = true; });
          },
          [] {});
      EXPECT_TRUE(branch_ran);
    }
  }
}

// With groups at two levels inside, of which each promotes: the first wait leaves, if anything does.
TEST(nested_groups_that_stay, end_behind_a_wait_that_left) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    takt::config c;
    c.trigger = takt::lab::eager;
    in_virtual_time machine(workers, c);
    std::uint64_t ran = 0;
    const auto run_four = [&](takt::task_group& group) {
      for (int i = 0; i < 4; ++i) {
        group.run([&] {
          ++ran;
          machine.on.spend(5'000);
        });
        machine.on.spend(5'000);
      }
    };
    const auto two = [&] {
      takt::task_group first, second;
      run_four(first);
      run_four(second);
      first.wait();
      second.wait();
    };
    const auto stays = [&] {
      takt::task_group around, inner;
      for (int i = 0; i < 3; ++i) inner.run(two);
      for (int i = 0; i < 3; ++i) around.run(two);
      inner.wait();
      takt::stay here;
      around.wait();
    };
    takt::fork_join(
        [&] {
          takt::task_group all;
          for (int i = 0; i < 12; ++i) all.run(stays);
          all.wait();
        },
        [] {});
    EXPECT_EQ(ran, 12u * 6 * 8);
  }
}

}  // namespace
