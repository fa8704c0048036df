// Storms of group children: from tasks, from threads, from children, during waits.
#include <takt/takt.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/seed.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using takt::task_group;
using takt_test::fib;

#if TAKT_TEST_SANITIZER
constexpr int k_scale = 1;
#else
constexpr int k_scale = 8;
#endif

std::vector<takt::config> all_settings() {
  std::vector<takt::config> all;
  for (const unsigned workers : {1u, 2u, 3u, 8u}) {
    all.push_back(takt_test::by_default(workers));
    all.push_back(takt_test::settings(workers, takt::lab::beat, std::chrono::microseconds(2)));
    all.push_back(takt_test::beat_zero(workers));
    all.push_back(takt_test::eager(workers));
    all.push_back(takt_test::on_request(workers));
    for (const auto b : {takt::lab::random_private, takt::lab::random_mixed}) {
      all.push_back(takt_test::with(b, takt_test::beat_zero(workers)));
      all.push_back(takt_test::with(b, takt_test::eager(workers)));
    }
  }
  return all;
}

// For takt::configure, too, TAKT_BEAT_SOURCE holds once it has been read.
[[maybe_unused]] const takt::config of_environment = takt::config::from_environment();

class groups : public testing::TestWithParam<takt::config> {
 protected:
  void SetUp() override { takt::configure(GetParam()); }
};

std::string name_of(const testing::TestParamInfo<takt::config>& info) {
  return takt_test::name_of(info.param.trigger) + "_beat" + std::to_string(info.param.beat.count()) + "_workers" +
         std::to_string(info.param.workers) + "_" + takt_test::in_a_name(takt_test::name_of(info.param.policy));
}

INSTANTIATE_TEST_SUITE_P(storm, groups, testing::ValuesIn(all_settings()), name_of);

// A tree of children whose shape the seed decides; every child adds its own to a group that it chooses.
struct storm {
  std::vector<task_group>& groups;
  std::atomic<std::uint64_t> ran{0};
  std::atomic<std::uint64_t> added{0};

  void child(std::uint64_t seed, int levels) {
    if (levels > 0) add_some(seed, levels);
    // Last of all: what it adds is counted before.
    ran.fetch_add(1);
  }
  void add_some(std::uint64_t seed, int levels) {
    std::minstd_rand random(static_cast<std::uint32_t>(seed));
    for (auto n = random() % 4; n > 0; --n) {
      switch (random() % 4) {
        case 0:
          takt::fork_join([&, s = random()] { add(s, levels); }, [] { (void)fib(6); });
          break;
        case 1:
          takt::parallel_for(0, 3, [&, s = random()](int i) { add(s + static_cast<std::uint64_t>(i), levels); });
          break;
        default:
          add(random(), levels);
          break;
      }
    }
  }
  void add(std::uint64_t seed, int levels) {
    added.fetch_add(1);
    groups[seed % groups.size()].run([this, seed, levels] { child(seed * 48271 + 11, levels - 1); });
  }
  // A child may add to a group that was waited for already, so this goes on until nothing is left.
  void wait() {
    for (bool all_ran = false; !all_ran;) {
      for (task_group& g : groups) g.wait();
      const std::uint64_t before = ran.load();
      all_ran = before == added.load();
    }
  }
};

TEST_P(groups, children_add_children_to_several_groups) {
  std::mt19937 random(takt_test::chosen_seed());
  for (int round = 0; round < 6 * k_scale; ++round) {
    std::vector<task_group> all(3);
    storm s{all};
    const auto run = [&] {
      for (int i = 0; i < 5; ++i) s.add(random(), 5);
      s.wait();
    };
    if (round % 2 == 0) {
      run();
    } else {
      takt::fork_join(run, [] { (void)fib(8); });
    }
    ASSERT_EQ(s.ran.load(), s.added.load()) << takt_test::seed_message();
  }
}

TEST_P(groups, threads_add_while_one_waits) {
  for (int round = 0; round < k_scale; ++round) {
    constexpr int k_each = 200;
    std::atomic<int> ran{0};
    std::atomic<int> adding{3};
    task_group group;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        const auto child = [&ran] { ran.fetch_add(1, std::memory_order_relaxed); };
        for (int i = 0; i < k_each; ++i) {
          if (t == 0) {
            group.run(child);
          } else {
            takt::fork_join([&] { group.run(child); }, [i] { (void)fib(i % 8); });
          }
        }
        adding.fetch_sub(1);
      });
    }
    while (adding.load() > 0) group.wait();
    for (auto& t : threads) t.join();
    group.wait();
    ASSERT_EQ(ran.load(), 3 * k_each);
  }
}

TEST_P(groups, many_small_ones) {
  std::atomic<int> ran{0};
  const int count = 100 * k_scale;
  takt::parallel_for(0, count, [&ran](int i) {
    task_group group;
    for (int c = 0; c < i % 5; ++c) {
      group.run([&ran] {
        task_group inner;
        inner.run([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
        inner.wait();
      });
    }
    group.wait();
  });
  EXPECT_EQ(ran.load(), count / 5 * 10);
}

TEST_P(groups, errors_in_a_storm) {
  using takt_test::planned_error;
  for (int round = 0; round < 5 * k_scale; ++round) {
    std::atomic<int> ran{0};
    long arrived = -1;
    takt::fork_join(
        [&] {
          task_group group;
          for (int i = 0; i < 60; ++i) {
            group.run([&ran, i] {
              (void)fib(i % 6);
              ran.fetch_add(1, std::memory_order_relaxed);
              if (i % 4 == 3) throw planned_error(i);
            });
          }
          try {
            group.wait();
          } catch (const planned_error& error) {
            arrived = error.id;
          }
        },
        [] {});
    ASSERT_EQ(arrived, 3);
    ASSERT_EQ(ran.load(), 60);
  }
  EXPECT_EQ(planned_error::live(), 0);
}

}  // namespace
