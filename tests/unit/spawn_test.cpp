// Functions that are spawned: each runs once, from wherever it was spawned, in the order of their priorities.
#include <takt/spawn.hpp>
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using takt::priority;
using takt_test::fib;
using takt_test::under_each_setting;

TEST(spawn, runs_each_once_from_anywhere) {
  under_each_setting([] {
    constexpr int k_each = 200;
    std::vector<std::atomic<int>> ran(5 * k_each);
    const auto spawn_all = [&ran](int from) {
      for (int i = from; i < from + k_each; ++i) {
        takt::spawn(priority(i % 3), [&ran, i] { ran[static_cast<std::size_t>(i)] += fib(5) == 5 ? 1 : 0; });
      }
    };
    std::thread other([&] { spawn_all(0); });
    spawn_all(k_each);
    takt::fork_join([&] { spawn_all(2 * k_each); }, [&] { spawn_all(3 * k_each); });
    takt::spawn([&] { spawn_all(4 * k_each); });
    other.join();
    takt::wait_for_spawned();
    for (std::size_t i = 0; i < ran.size(); ++i) EXPECT_EQ(ran[i], 1) << i;
  });
}

// It has no thread for them but one that runs nothing else.
TEST(spawn, runs_without_a_wait_on_any_number_of_workers) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    takt::configure(takt_test::lazy_zero(workers));
    std::atomic<int> ran{0};
    for (int i = 0; i < 3; ++i) {
      takt::spawn([&ran] {
        ran += 1;
        ran.notify_one();
      });
      for (int now = ran; now == i; now = ran) ran.wait(now);
      // Which takes the seat, if it is the only one, and gives it back.
      EXPECT_EQ(fib(12), 144);
    }
    EXPECT_EQ(ran, 3);
    takt::wait_for_spawned();
  }
}

// Those that wait for them are all away, also those that stand in for one that is.
TEST(spawn, runs_while_tasks_block_for_it) {
  for (const unsigned workers : {1U, 2U}) {
    takt::configure(takt_test::lazy_zero(workers));
    std::vector<std::atomic<bool>> ran(20);
    takt::parallel_for(0, 20, [&](int i) {
      takt::blocking([mine = &ran[static_cast<std::size_t>(i)]] {
        takt::spawn([mine] {
          *mine = true;
          mine->notify_one();
        });
        mine->wait(false);
      });
    });
    takt::wait_for_spawned();
  }
}

TEST(spawn, begins_the_most_urgent_first) {
  takt::configure(takt_test::lazy_zero(1));
  std::string begun;
  std::atomic<int> stage{0};
  const auto all_but_the_first = [&] {
    for (const char c : {'a', 'b'}) {
      takt::spawn(priority::low, [&begun, c] { begun += std::string("l") + c; });
      takt::spawn([&begun, c] { begun += std::string("n") + c; });
      takt::spawn(priority::high, [&begun, c] { begun += std::string("h") + c; });
    }
  };
  // One at a time: the only thread is in the first one meanwhile.
  takt::spawn([&] {
    stage = 1;
    stage.notify_all();
    stage.wait(1);
  });
  stage.wait(0);
  all_but_the_first();
  stage = 2;
  stage.notify_all();
  // Not with wait_for_spawned(), which takes some of them.
  std::atomic<bool> last{false};
  takt::spawn(priority::low, [&last] {
    last = true;
    last.notify_one();
  });
  last.wait(false);
  EXPECT_EQ(begun, "hahbnanblalb");
  takt::wait_for_spawned();
}

TEST(spawn, waits_from_many_places) {
  under_each_setting([] {
    std::atomic<int> ran{0};
    const auto spawn_and_wait = [&ran] {
      std::atomic<int> mine{0};
      for (int i = 0; i < 20; ++i) {
        takt::spawn([&] {
          takt::fork_join([&] { ++ran; }, [&] { ++mine; });
        });
      }
      takt::wait_for_spawned();
      EXPECT_EQ(mine, 20);
    };
    std::thread other(spawn_and_wait);
    takt::fork_join(spawn_and_wait, spawn_and_wait);
    spawn_and_wait();
    other.join();
    EXPECT_EQ(ran, 80);
  });
}

TEST(spawn, is_a_call_under_way_for_configure) {
  takt::configure(takt_test::lazy_zero(2));
  std::atomic<bool> may_end{false};
  takt::spawn([&may_end] { may_end.wait(false); });
  EXPECT_THROW(takt::configure(takt_test::lazy_zero(2)), std::logic_error);
  may_end = true;
  may_end.notify_all();
  takt::wait_for_spawned();
  takt::configure(takt_test::lazy_zero(2));
}

TEST(spawn, is_not_stopped_by_what_is_around) {
  under_each_setting([] {
    std::atomic<int> ran{0};
    takt::task_group group;
    group.run([&] {
      group.cancel();
      for (int i = 0; i < 10; ++i) {
        takt::spawn([&ran] {
          if (!takt::stop_requested()) ++ran;
        });
      }
      takt::wait_for_spawned();
    });
    group.wait();
    takt::wait_for_spawned();
    EXPECT_EQ(ran, 10);
  });
}

TEST(spawn, moves_its_function_and_destroys_it) {
  takt::configure(takt_test::lazy_zero(2));
  const auto alive = std::make_shared<int>(7);
  takt::spawn([p = std::make_unique<int>(3), alive, large = std::vector<int>(100)] { EXPECT_EQ(*p, 3); });
  takt::spawn([alive] {});
  takt::wait_for_spawned();
  EXPECT_EQ(alive.use_count(), 1);
}

TEST(spawn_death, an_exception_that_leaves_it_ends_the_process) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        takt::spawn([] { throw 1; });
        takt::wait_for_spawned();
      },
      "terminate");
}

}  // namespace
