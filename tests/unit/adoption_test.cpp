// Threads of the program that make parallel calls: they come back on themselves, in any number, and no more run than
// there are workers.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"
#include "worker/worker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <latch>
#include <string>
#include <thread>
#include <vector>

namespace {

using takt_test::current_thread;
using takt_test::fib;
using takt_test::serial_fib;
using takt_test::under_each_setting;

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator all("/proc/self/task");
  return std::distance(begin(all), end(all));
}

// A thread that has been joined can be seen for a moment more.
std::ptrdiff_t threads_that_stay(std::ptrdiff_t expected) {
  std::ptrdiff_t seen = threads_of_this_process();
  for (int round = 0; round < 100'000 && seen > expected; ++round) {
    std::this_thread::yield();
    seen = threads_of_this_process();
  }
  return seen;
}

// What this process has without takt: the testing thread, and one that a sanitizer may start with the first thread.
std::ptrdiff_t threads_without_takt() {
  takt::configure(takt_test::eager(1));
  static const std::ptrdiff_t count = [] {
    pid_t other = 0;
    std::thread([&other] { other = current_thread(); }).join();
    // It is waited for by its name: the sanitizer's thread stays.
    while (std::filesystem::exists("/proc/self/task/" + std::to_string(other))) std::this_thread::yield();
    return threads_of_this_process();
  }();
  return threads_that_stay(count);
}

TEST(adoption, one_worker_starts_no_thread) {
  const auto before = threads_without_takt();
  for (const auto& c : {takt_test::eager(1), takt_test::beat_zero(1), takt_test::by_default(1)}) {
    takt::configure(c);
    std::atomic<int> elsewhere{0};
    const auto here = current_thread();
    takt::parallel_for(0, 100, [&](int i) {
      (void)fib(i % 10);
      if (current_thread() != here) elsewhere.fetch_add(1);
    });
    EXPECT_EQ(elsewhere.load(), 0);
    EXPECT_EQ(threads_of_this_process(), before);
  }
}

TEST(adoption, serial_work_starts_no_thread) {
  const auto before = threads_without_takt();
  takt::configure(takt_test::settings(8, takt::trigger::never));
  EXPECT_EQ(fib(15), 610);
  EXPECT_EQ(threads_of_this_process(), before);
}

TEST(adoption, no_more_threads_than_workers) {
  const auto before = threads_without_takt();
  for (const unsigned workers : {2u, 3u, 5u}) {
    takt::configure(takt_test::eager(workers));
    ASSERT_EQ(threads_that_stay(before), before) << "configure() has left threads of the old pool";
    std::ptrdiff_t most = 0;
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(fib(14), 377);
      most = std::max(most, threads_of_this_process());
    }
    EXPECT_GT(most, before);
    EXPECT_LE(most, before + static_cast<std::ptrdiff_t>(workers) - 1);
  }
}

TEST(adoption, a_call_returns_on_the_thread_that_made_it) {
  under_each_setting([] {
    const auto here = current_thread();
    for (int round = 0; round < 30; ++round) {
      EXPECT_EQ(fib(10), 55);
      ASSERT_EQ(current_thread(), here);
      EXPECT_EQ(takt_test::triangle(20), takt_test::serial_triangle(20));
      ASSERT_EQ(current_thread(), here);
      takt::task_group group;
      for (int i = 0; i < 5; ++i) group.run([] { (void)fib(5); });
      group.wait();
      ASSERT_EQ(current_thread(), here);
    }
  });
}

TEST(adoption, a_computation_that_has_moved_comes_back) {
  takt::configure(takt_test::at_random(takt_test::eager(2)));
  const auto here = current_thread();
  for (int round = 0; round < 20; ++round) {
    takt::fork_join([&] { EXPECT_TRUE(takt_test::join_that_moves()); }, [] {});
    ASSERT_EQ(current_thread(), here);
  }
}

TEST(adoption, several_threads_at_once) {
  for (const unsigned workers : {1u, 2u, 3u}) {
    for (auto c : {takt_test::by_default(workers), takt_test::beat_zero(workers), takt_test::eager(workers)}) {
      SCOPED_TRACE(takt_test::describe(c));
      takt::configure(c);
      constexpr int count = 4;
      std::atomic<int> wrong{0};
      std::latch all(count);
      std::vector<std::thread> threads;
      for (int t = 0; t < count; ++t) {
        threads.emplace_back([&, t] {
          const auto here = current_thread();
          all.arrive_and_wait();
          for (int round = 0; round < 20; ++round) {
            if (fib(8 + t) != serial_fib(8 + t)) wrong.fetch_add(1);
            if (current_thread() != here) wrong.fetch_add(1);
            if (takt_test::triangle(10 + t) != takt_test::serial_triangle(10 + t)) wrong.fetch_add(1);
            if (current_thread() != here) wrong.fetch_add(1);
          }
        });
      }
      for (auto& t : threads) t.join();
      EXPECT_EQ(wrong.load(), 0);
    }
  }
}

// How many threads are inside bodies at the same time.
class crowd {
 public:
  void enter() {
    const int now = inside_.fetch_add(1) + 1;
    int most = most_.load();
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void leave() { inside_.fetch_sub(1); }
  int most() const { return most_.load(); }

 private:
  std::atomic<int> inside_{0};
  std::atomic<int> most_{0};
};

TEST(adoption, no_more_bodies_run_at_once_than_there_are_workers) {
  for (const unsigned workers : {1u, 2u, 3u}) {
    takt::configure(takt_test::eager(workers));
    crowd bodies;
    // As many as there are workers do run at once.
    std::latch all(workers);
    takt::parallel_for(0u, workers, [&](unsigned) {
      bodies.enter();
      all.arrive_and_wait();
      bodies.leave();
    });
    for (int round = 0; round < 5; ++round) {
      takt::parallel_for(0, 300, [&bodies](int i) {
        // The body forks before it counts itself, so that it is not counted while it waits at a join.
        (void)fib(i % 7);
        bodies.enter();
        (void)serial_fib(10);
        bodies.leave();
      });
    }
    EXPECT_EQ(bodies.most(), static_cast<int>(workers));
  }
}

// Three workers: thread A waits at a join, whose right branch a pool thread has; this one has work to give away. A
// looks at it, and must not take it.
TEST(adoption, a_waiting_thread_runs_nothing_of_another_call) {
  takt::configure(takt_test::eager(3));
  for (int round = 0; round < 10; ++round) {
    std::latch right_is_taken(2);
    std::latch on_offer(2);
    std::atomic<bool> over{false};
    std::atomic<takt::core::worker*> worker_of_a{nullptr};
    std::atomic<takt::abi::slot*> join_of_a{nullptr};
    std::atomic<pid_t> id_of_a{0};
    std::thread a([&] {
      id_of_a.store(current_thread());
      takt::fork_join(
          [&] {
            worker_of_a.store(takt::core::this_worker());
            join_of_a.store(takt::detail::head() - 1);
            right_is_taken.arrive_and_wait();
            on_offer.arrive_and_wait();
          },
          [&] {
            right_is_taken.count_down();
            while (!over.load()) std::this_thread::yield();
          });
    });
    right_is_taken.wait();
    const std::uint64_t tries_before = worker_of_a.load()->stats.steals_tried.get();
    std::atomic<int> foreign{0};
    const auto iteration = [&](int i) {
      if (current_thread() == id_of_a.load()) foreign.fetch_add(1);
      if (i != 0) return;
      on_offer.count_down();
      while (!takt_test::is_waited_for(join_of_a.load())) std::this_thread::yield();
      // Nobody else has anything that it could try to steal, so it has seen what is on offer here.
      while (worker_of_a.load()->stats.steals_tried.get() == tries_before) std::this_thread::yield();
    };
    takt::fork_join(
        [&] {
          // A pool thread may have to make room first; each fork asks again. From then on all three seats are taken.
          while (!takt::core::this_worker()->seat.is_held()) takt::fork_join([] {}, [] {});
          takt::parallel_for(0, 50, iteration);
        },
        [] {});
    over.store(true);
    a.join();
    EXPECT_EQ(foreign.load(), 0);
  }
}

TEST(adoption, threads_may_end_and_new_ones_begin) {
  under_each_setting([] {
    for (int round = 0; round < 20; ++round) {
      long result = 0;
      std::thread([&result] { result = fib(9); }).join();
      EXPECT_EQ(result, 34);
    }
  });
}

TEST(adoption, calls_from_a_thread_that_a_task_started) {
  takt::configure(takt_test::eager(2));
  std::atomic<long> sum{0};
  takt::parallel_for(0, 10, [&sum](int) { std::thread([&sum] { sum.fetch_add(fib(8)); }).join(); });
  EXPECT_EQ(sum.load(), 210);
}

}  // namespace
