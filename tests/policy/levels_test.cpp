// Levels of caches: which construct goes where, who leads, and that every computation ends, with its answer.
#include <takt/takt.hpp>

#include "policy/cache_levels.hpp"
#include "support/faulty_platform.hpp"
#include "support/settings.hpp"
#include "worker/process.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <latch>
#include <thread>
#include <vector>

namespace {

using takt::core::cache_levels;
using takt::core::locality;
using takt::core::range;

// Eight seats: pairs share 1 MiB, fours 3 MiB.
class levels : public testing::Test {
 protected:
  levels() {
    os_.share_a_cache = 2;
    tree_ = cache_levels(os_, {}, 8, 8, true);
    here_.over = range::of_seats(0, 8);
  }
  cache_levels::place place(std::uint64_t kib, bool flattens = true, unsigned seat = 0) const {
    return tree_.place_of(here_, seat, kib << 10, flattens);
  }

  takt_test::faulty_platform os_;
  cache_levels tree_;
  locality here_;
};

bool is(cache_levels::place p, unsigned level, unsigned first, unsigned seats) {
  return p.level == level && p.over.begin == range::of_seats(first, seats).begin &&
         p.over.end == range::of_seats(first, seats).end;
}

TEST_F(levels, seats_are_as_far_apart_as_levels_that_they_do_not_share) {
  EXPECT_EQ(tree_.distance(0, 1), 0u);
  EXPECT_EQ(tree_.distance(1, 2), 1u);
  EXPECT_EQ(tree_.distance(3, 4), 2u);
  EXPECT_EQ(tree_.distance(7, 0), 2u);
  EXPECT_EQ(cache_levels().distance(7, 0), 0u);
}

TEST_F(levels, a_construct_goes_as_far_in_as_it_fits) {
  ASSERT_EQ(tree_.count(), 2u);
  // Figure 15: all of a level's caches in the range count.
  EXPECT_TRUE(is(place(7 << 10), 1, 0, 8));
  EXPECT_TRUE(is(place(5 << 10), 2, 0, 8));
  EXPECT_TRUE(is(place(4 << 10), locality::k_seats, 0, 8));
  here_.level = 1;
  here_.over = range::of_seats(4, 4);
  EXPECT_TRUE(is(place(4 << 10), 1, 4, 4));
  EXPECT_TRUE(is(place(3 << 10), 2, 4, 4));
  EXPECT_TRUE(is(place(2 << 10), locality::k_seats, 4, 4));
  // Of a cache of which it has the beginning only, others have the rest.
  here_.over = {0, range::of_seats(0, 6).end};
  EXPECT_TRUE(is(place(4 << 10), 1, 0, 6));
  EXPECT_TRUE(is(place(3 << 10), 2, 0, 4));
  // Never outwards.
  here_.level = locality::k_seats;
  EXPECT_TRUE(is(place(100 << 10), locality::k_seats, 0, 6));
}

TEST_F(levels, without_flattening_it_goes_into_one_cache) {
  EXPECT_TRUE(is(place(4 << 10, false, 5), 1, 0, 8));
  EXPECT_TRUE(is(place(1, false, 5), 2, 4, 4));
  here_.level = 2;
  EXPECT_TRUE(is(place(1 << 10, false, 5), locality::k_seats, 4, 2));
}

TEST_F(levels, a_cache_has_one_leader) {
  locality leader{.over = range::of_seats(0, 4), .level = 1};
  ASSERT_TRUE(tree_.is_open(1, leader));
  tree_.lead(leader, 1, 0);
  EXPECT_FALSE(tree_.try_lead(1, 0));
  EXPECT_FALSE(tree_.is_open(1, leader));
  EXPECT_TRUE(tree_.is_open(5, leader));
  EXPECT_EQ(tree_.without_leader(1, 0), 1);
  // What is within it goes on; what is within another cache waits.
  locality within{.over = range::of_seats(2, 2), .level = locality::k_seats};
  EXPECT_TRUE(tree_.is_open(1, within));
  within.over = range::of_seats(6, 1);
  EXPECT_FALSE(tree_.is_open(1, within));
  // Nothing was said of it.
  within.level = 0;
  EXPECT_TRUE(tree_.is_open(1, within));
  EXPECT_TRUE(tree_.let_go(leader));
  EXPECT_FALSE(tree_.let_go(leader));
  EXPECT_TRUE(tree_.try_lead(1, 0));
}

// A recursion whose memory is said: forks, loops and groups, some too large for any cache, some for the inner one.
std::uint64_t sum_of(std::uint64_t first, std::uint64_t count) {
  if (count <= 4) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) sum += first + i;
    return sum;
  }
  std::vector<std::uint64_t> parts(8);
  const std::uint64_t half = count / 2;
  const std::uint64_t bytes = count * 1024;
  takt::parallel_for(0, 8, [&parts](int i) { parts[static_cast<std::size_t>(i)] = 0; }, takt::hints{.bytes = bytes});
  if (first % 3 == 0) {
    takt::task_group both(takt::work(static_cast<double>(count)), takt::bytes(bytes));
    both.run(takt::work(static_cast<double>(half)), [&] { parts[0] = sum_of(first, half); });
    both.run(takt::work(static_cast<double>(count - half)), [&] { parts[1] = sum_of(first + half, count - half); });
    both.wait();
  } else if (first % 3 == 1) {
    takt::fork_join([&] { parts[0] = sum_of(first, half); }, [&] { parts[1] = sum_of(first + half, count - half); });
  } else {
    takt::fork_join(
        takt::weights(1, 1), takt::bytes(bytes), [&] { parts[0] = sum_of(first, half); },
        [&] { parts[1] = sum_of(first + half, count - half); });
  }
  return parts[0] + parts[1];
}

class levels_of_settings : public testing::TestWithParam<takt::config> {
 protected:
  levels_of_settings() {
    os_.share_a_cache = 2;
    os_.cache_bytes = 64 << 10;
    before_ = takt::platform::replace(&os_);
    takt::configure(GetParam());
  }
  ~levels_of_settings() override {
    takt::configure(takt_test::by_default(1));
    takt::platform::replace(before_);
    takt::configure(takt_test::by_default(1));
  }
  takt_test::faulty_platform os_;
  takt::platform::platform* before_;
};

std::uint64_t expected(std::uint64_t first, std::uint64_t count) { return count * first + count * (count - 1) / 2; }

TEST_P(levels_of_settings, recursions_end_with_their_answers) {
  for (std::uint64_t first = 0; first < 30; ++first) {
    for (const std::uint64_t count : {0ull, 60ull, 1'000ull}) {
      ASSERT_EQ(sum_of(first, count), expected(first, count)) << first << ' ' << count;
    }
  }
}

TEST_P(levels_of_settings, calls_side_by_side_share_the_caches) {
  std::vector<std::thread> callers;
  std::vector<int> right(3);
  for (std::size_t c = 0; c < right.size(); ++c) {
    callers.emplace_back([&right, c] {
      for (std::uint64_t round = 0; round < 20; ++round) {
        right[c] += sum_of(c + round, 700) == expected(c + round, 700) ? 1 : 0;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, (std::vector<int>{20, 20, 20}));
}

TEST_P(levels_of_settings, a_branch_that_throws_gives_its_cache_back) {
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(
        takt::fork_join(takt::weights(1, 1), takt::bytes(1 << 30), [] { throw 1; }, [] { (void)sum_of(2, 300); }), int);
    ASSERT_EQ(sum_of(2, 300), expected(2, 300));
  }
}

using takt::policy;
INSTANTIATE_TEST_SUITE_P(each, levels_of_settings,
                         testing::Values(takt_test::with(policy::ml_adws, takt_test::eager(1)),
                                         takt_test::with(policy::ml_adws, takt_test::eager(5)),
                                         takt_test::with(policy::ml_adws, takt_test::eager(8)),
                                         takt_test::with(policy::ml_adws, takt_test::beat_zero(8)),
                                         takt_test::with(policy::ml_adws, takt_test::lazy_zero(6)),
                                         takt_test::with(policy::ml_adws, takt_test::by_default(8)),
                                         takt_test::with(takt::lab::ml_random, takt_test::eager(1)),
                                         takt_test::with(takt::lab::ml_random, takt_test::eager(8)),
                                         takt_test::with(takt::lab::ml_random, takt_test::beat_zero(5)),
                                         takt_test::with(takt::lab::ml_random, takt_test::lazy_zero(8)),
                                         takt_test::with(takt::lab::sb, takt_test::eager(1)),
                                         takt_test::with(takt::lab::sb, takt_test::eager(5)),
                                         takt_test::with(takt::lab::sb, takt_test::eager(8)),
                                         takt_test::with(takt::lab::sb, takt_test::beat_zero(8)),
                                         takt_test::with(takt::lab::sb, takt_test::lazy_zero(6)),
                                         takt_test::with(takt::lab::sb, takt_test::by_default(8))));

TEST(wanted_cpus, are_those_that_openmps_variables_name) {
  takt_test::faulty_platform os;
  os.share_a_cache = 1;
  takt::platform::platform* const before = takt::platform::replace(&os);
  ::setenv("OMP_PLACES", "threads(3)", 1);
  ::setenv("OMP_PROC_BIND", "spread", 1);
  takt::configure(takt_test::with(policy::ml_adws, takt_test::eager(2)));
  ::unsetenv("OMP_PLACES");
  ::unsetenv("OMP_PROC_BIND");
  EXPECT_EQ(os.wanted_cpus.where.what, takt::platform::places::kind::threads);
  EXPECT_EQ(os.wanted_cpus.where.count, 3u);
  EXPECT_EQ(os.wanted_cpus.how, takt::platform::binding::spread);
  takt::configure(takt_test::by_default(1));
  takt::platform::replace(before);
  takt::configure(takt_test::by_default(1));
}

// Two branches fill the cache that all four share. A task of which so much is said that it fits nowhere takes a fifth of
// it while it runs, and waits. The left branch gives its room back, and its worker and all others are kept by code that
// waits for the task: but for one who sleeps.
TEST(space_bounded, room_wakes_somebody_for_what_fits_nowhere) {
  constexpr std::uint64_t k_cache = 1 << 20;
  takt_test::faulty_platform os;
  os.share_a_cache = 4;
  os.cache_bytes = k_cache;
  takt::platform::platform* const before = takt::platform::replace(&os);
  takt::configure(takt_test::with(takt::lab::sb, takt_test::eager(4)));
  std::latch right_begins(1), task_lies_there(1), left_may_end(1), task_runs(1);
  std::thread fills([&] {
    takt::fork_join(
        takt::weights(1, 1), takt::bytes(k_cache), [&] { left_may_end.wait(); },
        [&] {
          right_begins.count_down();
          task_runs.wait();
        });
  });
  right_begins.wait();
  std::thread gives([&] {
    takt::fork_join(
        takt::weights(1, 1), takt::bytes(4 * k_cache),
        [&] {
          task_lies_there.count_down();
          task_runs.wait();
        },
        [&] { task_runs.count_down(); });
  });
  task_lies_there.wait();
  while (!takt::core::process::current()->sleeping.any()) std::this_thread::yield();
  left_may_end.count_down();
  fills.join();
  gives.join();
  takt::configure(takt_test::by_default(1));
  takt::platform::replace(before);
  takt::configure(takt_test::by_default(1));
}

}  // namespace
