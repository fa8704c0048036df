// Where computations go under TAKT_POLICY=adws, and what that does for caches: on a machine where time is made up, so
// that each run is the same.
#include <takt/takt.hpp>

#include "simulate/simulated.hpp"
#include "simulate/touches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace {

class locality : public takt_test::simulated {
 protected:
  using json = takt_test::json;

  template <class Program>
  json run(const char* policy, const std::string& request, Program program) {
    EXPECT_EQ(setenv("TAKT_POLICY", policy, 1), 0);
    EXPECT_EQ(setenv("TAKT_BEAT_US", "30", 1), 0);
    return simulated::run("deterministic=1," + request, program);
  }
};

std::uint64_t misses(const nlohmann::json& report) {
  return report.at("caches").at(0).at("misses").get<std::uint64_t>();
}

// Which worker ran each iteration of a loop, in each of a number of rounds.
using rounds_of_workers = std::vector<std::vector<const void*>>;
rounds_of_workers who_ran(std::size_t count, std::size_t rounds) {
  rounds_of_workers all;
  for (std::size_t r = 0; r < rounds; ++r) {
    std::vector<const void*> by(count);
    takt::parallel_for(std::size_t{0}, count, [&by](std::size_t i) { by[i] = takt_hot.worker; });
    all.push_back(by);
  }
  return all;
}

// Asked anew each time: a compiler may keep what it knows of its thread across a join.
[[gnu::noinline]] const void* worker_here() {
  __asm__ volatile("" ::: "memory");
  return takt_hot.worker;
}

std::size_t moved(const std::vector<const void*>& before, const std::vector<const void*>& now) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < now.size(); ++i) count += now[i] != before[i] ? 1 : 0;
  return count;
}

TEST_F(locality, a_loop_that_comes_again_has_its_parts_where_they_were) {
  // A tenth of a millisecond for each of 8 workers.
  const auto program = [] {
    const rounds_of_workers all = who_ran(8'000, 16);
    // The first one teaches the site its cost, and threads begin with the second. Boundaries move by what is learned of
    // the parts, ever less.
    for (std::size_t r = 9; r < all.size(); ++r) {
      EXPECT_LT(moved(all[r - 1], all[r]), 80u) << "round " << r;
      EXPECT_EQ(std::set<const void*>(all[r].begin(), all[r].end()).size(), 8u) << "round " << r;
      // Neighbours are together.
      std::size_t borders = 0;
      for (std::size_t i = 1; i < all[r].size(); ++i) borders += all[r][i] != all[r][i - 1] ? 1 : 0;
      EXPECT_EQ(borders, 7u) << "round " << r;
    }
    return !testing::Test::HasFailure();
  };
  run("adws", "workers=8,iteration_ns=100", program);
}

TEST_F(locality, a_loop_begins_like_a_static_schedule) {
  // Ten rounds of a loop of 0.8 ms: with 8 workers little more than 0.1 ms each, where beats would need 3 of 30 us to
  // have all of them at work.
  const auto program = [] { return who_ran(8'000, 40).size() == 40; };
  const double serial = run("adws", "workers=1,iteration_ns=100", program).at("seconds_in_calls");
  const double planned = run("adws", "workers=8,iteration_ns=100", program).at("seconds_in_calls");
  const double random = run("random", "workers=8,iteration_ns=100", program).at("seconds_in_calls");
  EXPECT_LT(planned, 1.12 * serial / 8);
  EXPECT_LT(random, 1.2 * serial / 8);
}

TEST_F(locality, a_loop_of_less_than_two_beats_begins_where_somebody_looks) {
  // Loops of 50 us, one after another: the other worker has its half at once, and looks for more until the next one
  // begins. With beats alone the first 30 us of each would run on one.
  const auto program = [] {
    takt::fork_join(
        [] {
          for (int round = 0; round < 40; ++round) takt::parallel_for(0, 500, [](int i) { (void)i; });
        },
        [] {});
    return true;
  };
  for (const char* const policy : {"random", "adws"}) {
    const double serial = run(policy, "workers=1,iteration_ns=100", program).at("seconds_in_calls");
    const double halved = run(policy, "workers=2,iteration_ns=100", program).at("seconds_in_calls");
    EXPECT_LT(halved, 0.62 * serial) << policy;
    // The worker of the seat in the middle sleeps: the parts are too short to wake it. Those that look have them.
    const double many = run(policy, "workers=16,iteration_ns=100", program).at("seconds_in_calls");
    EXPECT_LT(many, 0.5 * serial) << policy;
  }
}

TEST_F(locality, a_part_of_a_loop_that_nests_is_known_by_the_whole) {
  // Of eight long iterations a part gets one or two: it would be divided at a beat only, and what is inside it later
  // still.
  const auto program = [] {
    for (int round = 0; round < 30; ++round) {
      takt::parallel_for(0, 8, [](int) { takt::parallel_for(0, 500, [](int i) { (void)i; }); });
    }
    return true;
  };
  const double serial = run("adws", "workers=1,iteration_ns=100", program).at("seconds_in_calls");
  const double planned = run("adws", "workers=56,iteration_ns=100", program).at("seconds_in_calls");
  // 44 us for each of 400; known by themselves alone, 74.
  EXPECT_LT(planned, serial / 7);
}

void run_loops(int rounds) {
  for (int r = 0; r < rounds; ++r) takt::parallel_for(0, 8'000, [](int i) { (void)i; });
}

TEST_F(locality, a_part_that_is_over_goes_back_to_the_code_beside_it) {
  // The branch beside the loops, and each child of the group, has a part of the workers for a moment.
  const auto beside_a_branch = [] {
    takt::fork_join([] { run_loops(40); }, [] {});
    return true;
  };
  const auto beside_children = [] {
    takt::fork_join(
        [] {
          takt::task_group children;
          for (int round = 0; round < 40; ++round) {
            children.run([] {});
            run_loops(1);
          }
          children.wait();
        },
        [] {});
    return true;
  };
  const auto alone = [] {
    run_loops(40);
    return true;
  };
  const auto time = [this](auto program) {
    return run("adws", "workers=8,iteration_ns=100", program).at("seconds_in_calls").template get<double>();
  };
  const double undisturbed = time(alone);
  EXPECT_LT(time(beside_a_branch), 1.05 * undisturbed);
  // Each begins beside the loop that follows it.
  EXPECT_LT(time(beside_children), 1.12 * undisturbed);
}

TEST_F(locality, what_fits_into_a_shared_cache_has_it_for_itself) {
  // Two caches, each shared by 4 workers; four times what they hold together, in a program that goes through its data
  // three times at each step. Serially, what no longer fits misses at each level above the one that fits.
  const auto program = [] { return takt_test::touch_by_halves(std::size_t{1} << 15); };
  const auto outer_misses = [this, program](const char* policy, unsigned workers) {
    const json report =
        run(policy, "workers=" + std::to_string(workers) + ",caches=4K:1:1+256K:4:20,memory=80:140:0:4,work_ns=20",
            program);
    return report.at("caches").at(1).at("misses").get<double>();
  };
  const double serial = outer_misses("random", 1);
  EXPECT_GT(outer_misses("adws", 8), 1.2 * serial);
  EXPECT_LT(outer_misses("ml-adws", 8), 1.05 * serial);
  EXPECT_LT(outer_misses("ml-random", 8), 1.05 * serial);
}

TEST_F(locality, code_after_a_loop_goes_on_where_it_was) {
  // Whoever ends the last part could go on with it; its own worker looks for work by then, most of the time.
  const auto program = [] {
    int moved = 0;
    takt::fork_join(
        [&moved] {
          for (int round = 0; round < 40; ++round) {
            const void* const before = worker_here();
            run_loops(1);
            moved += worker_here() != before ? 1 : 0;
          }
        },
        [] {});
    return moved <= 5;
  };
  run("adws", "workers=8,iteration_ns=100", program);
}

TEST_F(locality, data_stay_in_the_caches_of_their_workers) {
  // 16 KiB for each of 8 workers, whose caches hold twice that: in 40 rounds each line has to come once.
  const auto program = [] { return takt_test::touch_often(16 << 10, 40); };
  const auto planned = misses(run("adws", "workers=8,iteration_ns=200,caches=32K:1", program));
  const auto random = misses(run("random", "workers=8,iteration_ns=200,caches=32K:1", program));
  EXPECT_GE(planned, 2048u);
  // The first round runs in one place.
  EXPECT_LT(planned, 2 * 2048u + 500);
  EXPECT_GT(2 * random, 3 * planned);
  // Parts are offered by seats.
  EXPECT_LT(random, 2 * planned);
}

TEST_F(locality, a_recursion_that_comes_again_finds_its_data) {
  const auto program = [] { return takt_test::touch_often_in_a_tree(16 << 10, 20); };
  const json planned = run("adws", "workers=8,iteration_ns=1000,caches=32K:1", program);
  const json random = run("random", "workers=8,iteration_ns=1000,caches=32K:1", program);
  const json alone = run("adws", "workers=1,iteration_ns=1000,caches=32K:1", program);
  EXPECT_LT(2 * misses(planned), misses(random));
  // What it takes is known after the first round: the next ones begin without beats.
  const auto seconds = [](const json& report) { return report.at("seconds_in_calls").get<double>(); };
  EXPECT_LT(seconds(planned), seconds(random));
  EXPECT_LT(8 * seconds(planned), 1.15 * seconds(alone));
}

// Row i has i iterations, 2 ms in all. @returns how many rows another worker had than in the round before, on average
// of the last ten.
double rows_moved(int rounds) {
  rounds_of_workers all;
  for (int r = 0; r < rounds; ++r) {
    std::vector<const void*> by(200);
    takt::parallel_for(0, 200, [&by](int i) {
      by[static_cast<std::size_t>(i)] = worker_here();
      takt::parallel_for(0, i, [](int k) { (void)k; });
    });
    all.push_back(by);
  }
  std::size_t count = 0;
  for (std::size_t r = all.size() - 10; r < all.size(); ++r) count += moved(all[r - 1], all[r]);
  return static_cast<double>(count) / 10;
}

TEST_F(locality, parts_of_rows_that_differ_are_learned) {
  // Equal parts would put 7 of 16 of the work into the last quarter of the rows.
  const auto program = [](int rounds, double most) { return [=] { return rows_moved(rounds) <= most; }; };
  // Under random stealing 150 rows of 200 move. How few it is here varies with who looks where.
  for (const char* const seed : {"1", "2", "3"}) {
    run("adws", std::string("workers=8,iteration_ns=100,seed=") + seed, program(31, 50));
  }
  const auto a_round = [&](const std::string& workers) {
    double seconds = 0;
    for (const char* const seed : {"1", "2", "3"}) {
      const auto time = [&](int rounds) {
        return run("adws", workers + ",iteration_ns=100,seed=" + seed, program(rounds, 200))
            .at("seconds_in_calls")
            .get<double>();
      };
      seconds += (time(31) - time(11)) / 20;
    }
    return seconds;
  };
  // Equal parts take 1.75.
  EXPECT_LT(8 * a_round("workers=8"), 1.25 * a_round("workers=1"));
}

void unequal_tree(int count) {
  if (count < 400) {
    takt::parallel_for(0, count, [](int k) { (void)k; });
    return;
  }
  takt::fork_join([=] { unequal_tree(count / 4); }, [=] { unequal_tree(count - count / 4); });
}
void unequal_tree_with_weights(int count) {
  if (count < 400) {
    takt::parallel_for(0, count, [](int k) { (void)k; });
    return;
  }
  takt::fork_join(
      takt::weights(1, 3), [=] { unequal_tree_with_weights(count / 4); },
      [=] { unequal_tree_with_weights(count - count / 4); });
}

TEST_F(locality, branches_that_differ_are_learned) {
  const auto time = [&](void (*tree)(int), int size, int rounds) {
    const auto program = [=] {
      for (int r = 0; r < rounds; ++r) tree(size);
      return true;
    };
    return run("adws", "workers=8,iteration_ns=100", program).at("seconds_in_calls").get<double>();
  };
  // One size is better or worse than its neighbours by a few percent.
  double learned = 0;
  double said = 0;
  for (int size = 36'000; size <= 44'000; size += 2'000) {
    learned += time(unequal_tree, size, 30) - time(unequal_tree, size, 10);
    said += time(unequal_tree_with_weights, size, 30) - time(unequal_tree_with_weights, size, 10);
  }
  EXPECT_LT(learned, 1.05 * said);
}

TEST_F(locality, a_worker_has_the_rest_of_its_share_of_the_other_branch) {
  // Two workers, and a branch that has a quarter of the work: whoever runs it has a third of the other one, too, by plan.
  const auto program = [] {
    for (int r = 0; r < 20; ++r) {
      takt::fork_join(
          takt::weights(1, 3), [] { takt::parallel_for(0, 2'000, [](int k) { (void)k; }); },
          [] { takt::parallel_for(0, 6'000, [](int k) { (void)k; }); });
    }
    return true;
  };
  const json report = run("adws", "workers=2,iteration_ns=100", program);
  EXPECT_GE(report.at("stats").at("total").at("tasks_handed").get<int>(), 2 * 19);
  EXPECT_LT(report.at("seconds_in_calls").get<double>(), 1.1 * 20 * 0.4e-3);
}

TEST_F(locality, a_join_takes_its_task_back_from_the_seat_that_it_was_planned_for) {
  // The second worker's thread begins when all is over: nobody else has the branch that was put into its seat, and the
  // join finds it there; it is not stolen.
  const auto program = [] {
    takt::fork_join([] { run_loops(1); }, [] { run_loops(1); });
    return true;
  };
  const json report = run("adws", "workers=2,iteration_ns=100,start_ns=1000000000", program);
  const json& total = report.at("stats").at("total");
  EXPECT_GE(total.at("tasks_handed").get<int>(), 1);
  EXPECT_EQ(total.at("steals_done").get<int>(), 0);
}

TEST_F(locality, work_that_was_planned_wrong_is_taken_by_others) {
  // All the work is in the first eighth.
  const auto program = [] {
    std::atomic<long> sum{0};
    for (int round = 0; round < 5; ++round) {
      takt::parallel_for(0, 800, [&sum](int i) {
        if (i < 100) sum += takt::parallel_reduce(0, 1000, 0L, [](int k) { return long{k % 2}; }, std::plus<>{});
      });
    }
    return sum == 5 * 100 * 500;
  };
  const double serial = run("adws", "workers=1,iteration_ns=100", program).at("seconds_in_calls");
  const double parallel = run("adws", "workers=8,iteration_ns=100", program).at("seconds_in_calls");
  EXPECT_LT(parallel, serial / 5);
}

}  // namespace
