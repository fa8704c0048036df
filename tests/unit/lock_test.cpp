// A lock held across a join whose child is stolen, with every worker wanting that lock: nobody who waits at a join may
// pick up code that takes the lock again on the same stack, and whoever is to release it must be able to go on.
//
// The lock is a semaphore: the holder may be on another thread when it lets go, unless it stays; std::mutex forbids that. It is
// a POSIX one: std::binary_semaphore of libstdc++ 12 can wait for ever although it is free (GCC's bug 104928).
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <semaphore.h>

#include <atomic>
#include <latch>
#include <optional>
#include <thread>
#include <vector>

namespace {

using takt_test::fib;

class lock {
 public:
  lock() { sem_init(&free_, 0, 1); }
  lock(const lock&) = delete;
  ~lock() { sem_destroy(&free_); }
  void take() {
    // Signals of idle workers interrupt it.
    while (sem_wait(&free_) != 0) {
    }
  }
  void release() { sem_post(&free_); }

 private:
  sem_t free_;
};

// Iterations that each hold the lock while `join` joins. `guarded` is not atomic: the lock has to work, too.
template <class Join>
void hold_across(Join join, int iterations, bool stays) {
  for (const unsigned workers : {1u, 2u, 3u, 4u}) {
    for (const auto& c : {takt_test::eager(workers), takt_test::beat_zero(workers), takt_test::by_default(workers)}) {
      SCOPED_TRACE(takt_test::describe(c));
      takt::configure(c);
      lock held;
      int guarded = 0;
      takt::parallel_for(0, iterations, [&](int) {
        std::optional<takt::stay> here;
        if (stays) here.emplace();
        held.take();
        const int before = guarded;
        join();
        guarded = before + 1;
        held.release();
      });
      EXPECT_EQ(guarded, iterations);
    }
  }
}

// Only who stays is promised to go on; where all that is waited for lies in deques, others do, too.
template <class Join>
void hold_across(Join join, int iterations) {
  hold_across(join, iterations, false);
  hold_across(join, iterations, true);
}

TEST(lock, across_forks) {
  hold_across([] { EXPECT_EQ(fib(9), 34); }, 100);
}

TEST(lock, across_loops) {
  hold_across([] { EXPECT_EQ(takt_test::triangle(12), takt_test::serial_triangle(12)); }, 50);
}

TEST(lock, across_groups) {
  hold_across(
      [] {
        takt::task_group group;
        for (int i = 0; i < 10; ++i) {
          group.run([&group] {
            (void)fib(4);
            group.run([] { (void)fib(3); });
          });
        }
        group.wait();
      },
      50);
}

// The holder waits for a child that is added last, behind two others that want the lock, and lies with everybody as they do.
TEST(lock, across_a_group_whose_children_lie_behind_others) {
  takt::configure(takt_test::eager(2));
  for (int round = 0; round < 20; ++round) {
    lock held;
    std::atomic<int> guarded{0};
    takt::task_group others(takt::group_order::oldest_first);
    const auto want = [&] {
      held.take();
      ++guarded;
      held.release();
    };
    takt::fork_join(
        [&] {
          const takt::stay here;
          held.take();
          takt::task_group group(takt::group_order::oldest_first);
          std::latch begun(1);
          group.run([&] {
            begun.count_down();
            // The holder mostly waits by now.
            (void)fib(12);
            others.run(want);
            others.run(want);
            group.run([&] { ++guarded; });
          });
          begun.wait();
          group.wait();
          held.release();
        },
        [] {});
    others.wait();
    EXPECT_EQ(guarded, 3);
  }
}

TEST(lock, across_a_join_with_a_stolen_child) {
  takt::configure(takt_test::eager(3));
  for (int round = 0; round < 20; ++round) {
    lock held;
    std::latch taken(1);
    int guarded = 0;
    const auto want = [&] {
      taken.wait();
      held.take();
      ++guarded;
      held.release();
    };
    // The holder's child is certainly on another thread; the third worker is sent after the lock in between.
    takt::fork_join(
        [&] {
          held.take();
          takt_test::fork_apart([&] { taken.count_down(); }, [] { (void)fib(8); });
          ++guarded;
          held.release();
        },
        want);
    EXPECT_EQ(guarded, 2);
  }
}

TEST(lock, wanted_by_threads_with_calls_of_their_own) {
  for (const unsigned workers : {1u, 2u, 3u}) {
    takt::configure(takt_test::eager(workers));
    lock held;
    int guarded = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        takt::parallel_for(0, 30, [&](int) {
          held.take();
          (void)fib(6);
          ++guarded;
          held.release();
        });
      });
    }
    for (auto& t : threads) t.join();
    EXPECT_EQ(guarded, 90);
  }
}

}  // namespace
