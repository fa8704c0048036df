// What a policy keeps of divided constructs does not grow with how many there have been, whoever divides and whoever
// joins; and what it keeps of one is not taken for another.
#include <takt/takt.hpp>

#include "policy/cross_group.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <malloc.h>

#include <atomic>
#include <latch>
#include <optional>
#include <string>
#include <thread>

namespace {

// Every loop is divided. Its parts are joined on whichever worker was last, and more workers than CPUs see to it that
// this is often another one.
void divide_often(int rounds) {
  std::atomic<int> ran{0};
  for (int r = 0; r < rounds; ++r) {
    takt::parallel_for(0, 16, [&ran](int) { takt::fork_join([&ran] { ++ran; }, [] {}); });
  }
  ASSERT_EQ(ran.load(), 16 * rounds);
}

std::size_t bytes_in_use() { return static_cast<std::size_t>(mallinfo2().uordblks); }

TEST(adws_records, does_not_grow) {
  if (TAKT_TEST_SANITIZER) GTEST_SKIP() << "a sanitizer's allocator does not say what is in use";
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(5)));
  divide_often(500);
  const std::size_t before = bytes_in_use();
  divide_often(20'000);
  const std::size_t after = bytes_in_use();
  // A record is a hundred bytes: one lost in each round would be two million. A worker that starts late has some fifty
  // thousand.
  EXPECT_LT(after, before + 400'000) << after - before << " more";
  RecordProperty("growth", std::to_string(after - before));
}

void divide_nested(int levels) {
  if (levels > 0) takt::fork_join([levels] { divide_nested(levels - 1); }, [] {});
}

// A branch that runs as a task of its own leaves children of its group to its caller and ends before them. The first
// child has divided its part by then, and divides again with the record of what its part was a part of.
TEST(adws_records, a_child_that_outlives_the_call_that_divided_for_it) {
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(256)));
  std::latch divided(1), ended(1);
  bool ran = false;
  std::optional<takt::task_group> group;
  const auto child = [&divided, &ended, &ran] {
    takt::fork_join(
        [&divided, &ended, &ran] {
          divided.count_down();
          ended.wait();
          divide_nested(8);
          ran = true;
        },
        [] {});
  };
  const auto branch = [&divided, &group, &child] {
    group.emplace();
    group->run(child);
    group->run([] {});
    divided.wait();
  };
  // Within a call, so that no thread that waits here is the only one that may go on.
  takt::fork_join(
      [&branch, &ended, &group] {
        takt_test::fork_apart([] {}, branch);
        ended.count_down();
        group->wait();
      },
      [] {});
  EXPECT_TRUE(ran);
}

const takt::core::locality& here() { return takt::core::this_worker()->scheduler.current()->policy.locality; }

TEST(adws_records, a_range_is_whole_again_at_the_join) {
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(8)));
  // What others have of it they have until here: a part that is over goes back before the join.
  std::latch joined(1), looked(1);
  takt_test::fork_apart(
      [&joined, &looked] {
        const takt::core::locality before = here();
        takt_test::fork_apart(
            [&before, &looked] {
              EXPECT_LT(here().over.end - here().over.begin, before.over.end - before.over.begin);
              EXPECT_NE(here().group, before.group);
              looked.count_down();
            },
            [&looked] { looked.wait(); });
        EXPECT_EQ(here().over.begin, before.over.begin);
        EXPECT_EQ(here().over.end, before.over.end);
        EXPECT_EQ(here().group, before.group);
        joined.count_down();
      },
      [&joined] { joined.wait(); });
}

takt::core::range all_of(const takt::core::cross_group* g) { return takt::core::range_of(g->over.load()); }
void wait_until_over(const takt::core::cross_group* g) {
  while (g->given_is_over.load() == 0) std::this_thread::yield();
}

// Forks in each other, each of which is over but for its left branch.
template <class Innermost>
void in_forks_that_are_over(int levels, Innermost innermost) {
  if (levels == 0) {
    innermost();
    return;
  }
  takt_test::fork_apart(
      [levels, innermost] {
        wait_until_over(here().group);
        in_forks_that_are_over(levels - 1, innermost);
      },
      [] {});
}

// A row of tasks, as a loop that makes them does: all keep their records to the join, and thieves and joins would go by
// each of them.
TEST(adws_records, what_is_given_back_is_not_in_the_way) {
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(2)));
  in_forks_that_are_over(50, [] {
    int around = 0;
    for (const takt::core::cross_group* g = here().group; g != nullptr; g = g->around.load()) ++around;
    EXPECT_LE(around, 2);
    int open = 0;
    for (const takt::core::cross_group* g = here().group; g != nullptr; g = g->open) ++open;
    EXPECT_LE(open, 2);
  });
}

// Also where an outer part is over later than an inner one, and where an inner one was given back before.
TEST(adws_records, all_that_is_over_is_given_back) {
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(8)));
  std::latch go(1);
  takt_test::fork_apart(
      [&go] {
        const takt::core::cross_group* const outer = here().group;
        takt_test::fork_apart(
            [&go, outer] {
              wait_until_over(here().group);
              takt_test::fork_apart([outer] { EXPECT_LT(all_of(here().group).end, all_of(outer).end); }, [] {});
              go.count_down();
              wait_until_over(outer);
              takt_test::fork_apart([outer] { EXPECT_EQ(all_of(here().group).end, all_of(outer).end); }, [] {});
            },
            [] {});
        // What was around the inner fork is restored, and its own part is over.
        takt_test::fork_apart([outer] { EXPECT_EQ(all_of(here().group).end, all_of(outer).end); }, [] {});
      },
      [&go] { go.wait(); });
}

// A group's child that was handed over before, outside of the fork, is joined inside of it.
TEST(adws_records, a_wait_inside_of_a_fork_leaves_its_record) {
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(8)));
  std::latch go(1);
  std::latch looked(1);
  const auto branch = [&](takt::task_group& group) {
    const takt::core::cross_group* const fork = here().group;
    ASSERT_EQ(fork->frame.what, takt::core::latent_frame::kind::fork);
    ASSERT_EQ(fork->before.group->frame.what, takt::core::latent_frame::kind::child);
    go.count_down();
    group.wait();
    EXPECT_EQ(here().group, fork);
    looked.count_down();
  };
  takt_test::fork_apart(
      [&] {
        takt::task_group group;
        group.run([&go] { go.wait(); });
        takt_test::fork_apart([&] { branch(group); }, [&looked] { looked.wait(); });
      },
      [&looked] { looked.wait(); });
}

// And one that was handed over inside of a fork is waited for behind it.
TEST(adws_records, a_child_that_a_fork_leaves_behind_is_in_nobodys_way) {
  takt::configure(takt_test::with(takt::policy::adws, takt_test::eager(8)));
  std::latch go(1);
  takt_test::fork_apart(
      [&go] {
        takt::task_group group;
        const takt::core::locality before = here();
        takt_test::fork_apart(
            [&] {
              group.run([&go] { go.wait(); });
              EXPECT_EQ(here().group->frame.what, takt::core::latent_frame::kind::child);
            },
            [] {});
        EXPECT_EQ(here().group, before.group);
        EXPECT_EQ(here().over.end, before.over.end);
        go.count_down();
        group.wait();
      },
      [&go] { go.wait(); });
}

}  // namespace
