// The reference schedules in a virtual time in which nothing but what is said takes time: how
// long each takes is then known exactly.
#include "sim/stand_in.hpp"
#include "sim/team.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace takt::bench;

struct outcome {
  std::uint64_t time = 0;
  std::vector<int> ran;
  std::vector<std::uint64_t> taken;  // how many iterations each call got, in order of time
};

outcome run_all(const team_loop& loop, const std::vector<std::uint64_t>& costs) {
  takt::sim::virtual_settings settings;
  settings.measured = false;
  takt::sim::virtual_time on(settings, takt::sim::this_process());
  outcome o;
  o.ran.assign(costs.size(), 0);
  const std::uint64_t begun = on.time();
  run(on, loop, costs.size(), [&](std::uint64_t begin, std::uint64_t end) {
    o.taken.push_back(end - begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      ++o.ran[i];
      on.spend(costs[i]);
    }
  });
  o.time = on.time() - begun;
  return o;
}

team_loop team(unsigned threads, schedule how, std::uint64_t chunk = 1) {
  return {.threads = threads, .how = how, .chunk = chunk, .cost = {}};
}

TEST(team, each_iteration_runs_once) {
  for (const schedule how : {schedule::fixed, schedule::dynamic, schedule::guided}) {
    for (const unsigned threads : {1u, 2u, 3u, 8u, 64u}) {
      for (const std::size_t count : {0u, 1u, 7u, 64u, 1000u}) {
        for (const std::uint64_t chunk : {1u, 16u}) {
          const outcome o =
              run_all(team(threads, how, chunk), std::vector<std::uint64_t>(count, 5));
          EXPECT_EQ(o.ran, std::vector<int>(count, 1));
        }
      }
    }
  }
}

TEST(team, blocks_take_as_long_as_the_longest) {
  EXPECT_EQ(run_all(team(4, schedule::fixed), std::vector<std::uint64_t>(8, 100)).time, 200u);
  // Ten on four: 3, 3, 2, 2.
  EXPECT_EQ(run_all(team(4, schedule::fixed), std::vector<std::uint64_t>(10, 100)).time, 300u);
  EXPECT_EQ(run_all(team(2, schedule::fixed), {100, 100, 1, 1}).time, 200u);
}

TEST(team, who_is_free_takes_the_next) {
  // 900 on one thread; the others share the nine of 100.
  const std::vector<std::uint64_t> costs = {900, 100, 100, 100, 100, 100, 100, 100, 100, 100};
  EXPECT_EQ(run_all(team(2, schedule::dynamic), costs).time, 900u);
  EXPECT_EQ(run_all(team(2, schedule::fixed), costs).time, 1300u);
  const outcome by_fives = run_all(team(2, schedule::dynamic, 5), costs);
  EXPECT_EQ(by_fives.time, 1300u);
  EXPECT_EQ(by_fives.taken, (std::vector<std::uint64_t>{5, 5}));
}

TEST(team, guided_takes_less_and_less) {
  const outcome o =
      run_all(team(2, schedule::guided, 2), std::vector<std::uint64_t>(32, 10));
  EXPECT_EQ(o.taken, (std::vector<std::uint64_t>{16, 8, 4, 2, 2}));
  EXPECT_EQ(o.time, 160u);
}

TEST(team, the_counter_serves_one_at_a_time) {
  team_loop loop = team(2, schedule::dynamic);
  loop.cost.counter = 50;
  // Two threads ask at once; then each of four iterations, and two looks in vain, cost 50 more.
  EXPECT_EQ(run_all(loop, {0, 0, 0, 0}).time, 300u);
  EXPECT_EQ(run_all(team(2, schedule::dynamic), {0, 0, 0, 0}).time, 0u);
}

TEST(team, the_others_begin_later) {
  team_loop loop = team(2, schedule::fixed);
  loop.cost.begin = 70;
  EXPECT_EQ(run_all(loop, {100, 100}).time, 170u);
  EXPECT_EQ(run_all(loop, {200, 100}).time, 200u);
}

}  // namespace
