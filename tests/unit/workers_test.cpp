// Parts of a program that have a few workers, code that blocks, and numbers of workers. What would not go on without
// another thread is a hang that ends in the time limit.
#include <takt/algorithms.hpp>
#include <takt/takt.hpp>

#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <latch>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using takt_test::current_thread;

// Waits until all have come. Without std::barrier's spinning, which takes long where others want the CPUs.
class meeting {
 public:
  explicit meeting(int all) : all_(all) {}
  void arrive_and_wait() {
    std::unique_lock lock(mutex_);
    const int round = there_++ / all_;
    if (there_ % all_ == 0) complete_.notify_all();
    complete_.wait(lock, [&] { return there_ / all_ > round; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable complete_;
  const int all_;
  int there_ = 0;
};

// What runs at the same time, and the most that has.
class meter {
 public:
  template <class F>
  void run(F&& f) {
    const int now = running_.fetch_add(1) + 1;
    int most = most_.load();
    while (most < now && !most_.compare_exchange_weak(most, now)) {
    }
    f();
    running_.fetch_sub(1);
  }
  int most() const { return most_.load(); }

 private:
  std::atomic<int> running_{0};
  std::atomic<int> most_{0};
};

std::atomic<long> ran{0};
void work(int amount = 300) {
  volatile int i = 0;
  while (i < amount) i = i + 1;
  ++ran;
}

// Leaves alone are measured: a fork's two branches may be one in the other.
void tree(meter& m, int depth) {
  if (depth == 0) return m.run([] { work(); });
  takt::fork_join([&] { tree(m, depth - 1); }, [&] { tree(m, depth - 1); });
}
void children(meter& m, int depth) {
  if (depth == 0) return m.run([] { work(); });
  takt::task_group group;
  for (int c = 0; c < 3; ++c) group.run([&m, depth] { children(m, depth - 1); });
  group.wait();
}
void loops(meter& m) {
  takt::parallel_for(0, 200, [&](int) { m.run([] { work(2000); }); });
  takt::parallel_for(0, 20, [&](int) { takt::parallel_for(0, 20, [&](int) { m.run([] { work(); }); }); });
}
constexpr long k_work = 1024 + 243 + 200 + 400;
void all(meter& m) {
  takt::fork_join([&] { tree(m, 10); }, [&] { children(m, 5); });
  loops(m);
}

std::vector<takt::config> settings(unsigned workers) {
  std::vector<takt::config> all;
  for (const takt::policy p : {takt::policy::random, takt::policy::adws, takt::policy::ml_adws}) {
    for (const int beat : {0, 40}) {
      takt::config c = takt_test::by_default(workers);
      c.policy = p;
      c.beat = std::chrono::microseconds(beat);
      all.push_back(c);
    }
  }
  return all;
}

TEST(with_workers, never_more_than_asked_for) {
  for (const takt::config& c : settings(4)) {
    takt::configure(c);
    for (const int n : {1, 2, 3}) {
      ran = 0;
      meter m;
      takt::with_workers(n, [&] { all(m); });
      EXPECT_LE(m.most(), n);
      EXPECT_EQ(ran, k_work);
    }
  }
}

TEST(with_workers, nested_ones_have_both_limits) {
  for (const takt::config& c : settings(4)) {
    takt::configure(c);
    ran = 0;
    meter outer;
    std::array<meter, 4> inner;
    takt::with_workers(3, [&] {
      takt::parallel_for(std::size_t{0}, inner.size(), [&](std::size_t i) {
        const auto both = [&] { inner[i].run([&] { outer.run([] { work(); }); }); };
        takt::with_workers(i == 0 ? 1 : 2, [&] { takt::parallel_for(0, 200, [&](int) { both(); }); });
        takt::with_workers(99, [&] { takt::fork_join([&] { outer.run([] { work(); }); }, [] { work(); }); });
      });
    });
    EXPECT_LE(outer.most(), 3);
    EXPECT_EQ(inner[0].most(), 1);
    for (const meter& m : inner) EXPECT_LE(m.most(), 2);
    EXPECT_EQ(ran, 4 * 202);
  }
}

TEST(with_workers, several_threads_at_once) {
  for (const takt::config& c : settings(3)) {
    takt::configure(c);
    ran = 0;
    std::array<meter, 4> meters;
    std::vector<std::thread> threads;
    for (meter& m : meters) {
      threads.emplace_back([&m, n = &m == meters.data() ? 1 : 2] {
        for (int i = 0; i < 5; ++i) takt::with_workers(n, [&] { all(m); });
      });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(meters[0].most(), 1);
    for (const meter& m : meters) EXPECT_LE(m.most(), 2);
    EXPECT_EQ(ran, 20 * k_work);
  }
}

TEST(with_workers, has_as_many_as_asked_for) {
  // Each fork is a task: no signal is needed, which ThreadSanitizer holds back from code that waits for a latch.
  for (int round = 0; round < 8; ++round) {
    takt::configure(takt_test::eager(4));
    takt::with_workers(3, [] {
      std::latch three(3);
      const auto meet = [&] { three.arrive_and_wait(); };
      takt::fork_join([&] { takt::fork_join(meet, meet); }, meet);
    });
  }
}

TEST(with_workers, others_go_on_meanwhile) {
  takt::configure(takt_test::eager(2));
  std::latch both(2);
  takt::fork_join([&] { takt::with_workers(1, [&] { both.arrive_and_wait(); }); },
                  [&] { takt::with_workers(1, [&] { both.arrive_and_wait(); }); });
}

TEST(with_workers, results_errors_and_references) {
  takt::configure(takt_test::by_default(2));
  int x = 3;
  const auto check = [&] {
    EXPECT_EQ(takt::with_workers(1, [] { return std::make_unique<int>(7); }).operator*(), 7);
    EXPECT_EQ(&takt::with_workers(1, [&]() -> int& { return x; }), &x);
    EXPECT_THROW(takt::with_workers(1, [] { throw 5; }), int);
    EXPECT_THROW(takt::with_workers(1, [] { takt::parallel_for(0, 100, [](int i) { if (i == 50) throw 5; }); }), int);
    bool called = false;
    EXPECT_THROW(takt::with_workers(0, [&] { called = true; }), std::invalid_argument);
    EXPECT_THROW(takt::with_workers(-1, [&] { called = true; }), std::invalid_argument);
    // Not cut to an int of 0.
    EXPECT_EQ(takt::with_workers(std::uint64_t{1} << 32, [] { return 3; }), 3);
    EXPECT_FALSE(called);
  };
  check();
  takt::fork_join(check, [] {});
}

TEST(with_workers, ids_come_back) {
  takt::configure(takt_test::by_default(2));
  long sum = 0;
  for (int i = 0; i < 20'000; ++i) sum += takt::with_workers(1, [] { return 1; });
  takt::fork_join(
      [&] {
        for (int i = 0; i < 20'000; ++i) sum += takt::with_workers(1, [] { return 1; });
      },
      [] {});
  EXPECT_EQ(sum, 40'000);
}

// Nothing has run, and the limit would not hold.
TEST(with_workers, too_many_inside_of_each_other) {
  takt::config c = takt_test::by_default(2);
  if (TAKT_TEST_SANITIZER) c.stack_bytes = std::size_t{64} << 20;
  takt::configure(c);
  const auto nest = [](auto& self, int depth) -> int {
    try {
      return takt::with_workers(1, [&] { return self(self, depth + 1); });
    } catch (const std::bad_alloc&) {
      return depth;
    }
  };
  for (int round = 0; round < 2; ++round) {
    const int depth = nest(nest, 0);
    EXPECT_GT(depth, 8000);
    EXPECT_LT(depth, 8192);
  }
}

TEST(with_workers, groups_from_outside_and_groups_that_live_on) {
  for (const takt::config& c : settings(3)) {
    takt::configure(c);
    ran = 0;
    for (int round = 0; round < 50; ++round) {
      takt::fork_join(
          [&] {
            takt::task_group outside;
            std::unique_ptr<takt::task_group> inside;
            for (int i = 0; i < 5; ++i) {
              takt::with_workers(1 + i % 2, [&] {
                if (inside != nullptr) inside->wait();
                inside = std::make_unique<takt::task_group>();
                for (int k = 0; k < 20; ++k) {
                  outside.run([] { work(); });
                  inside->run([] { takt::fork_join([] { work(); }, [] { work(); }); });
                }
              });
              // From another fiber.
              takt::fork_join([&] { inside->run([] { work(); }); }, [&] { outside.run([] { work(); }); });
            }
            inside->wait();
            outside.wait();
          },
          [] { work(); });
    }
    EXPECT_EQ(ran, 50 * (5 * (20 * 3 + 2) + 1));
  }
}

// --- blocking ---------------------------------------------------------------------------------------------------

TEST(blocking, as_many_as_like_block_at_once) {
  for (const unsigned workers : {1u, 2u, 3u}) {
    for (const takt::config& c : settings(workers)) {
      takt::configure(c);
      ran = 0;
      constexpr int k_all = 30;
      meeting together(k_all);
      // Children that are waited for here, and such as others add.
      takt::task_group group;
      const auto add = [&] {
        group.run([&] {
          takt::blocking([&] { together.arrive_and_wait(); });
          work();
        });
      };
      for (int i = 1; i < k_all; ++i) add();
      takt::fork_join(add, [] { work(); });
      group.wait();
      EXPECT_EQ(ran, k_all + 1);
    }
  }
}

TEST(blocking, one_that_blocks_does_not_keep_what_ends_it) {
  for (const unsigned workers : {1u, 2u}) {
    takt::configure(takt_test::by_default(workers));
    for (int round = 0; round < 200; ++round) {
      std::latch open(1);
      takt::task_group group;
      group.run([&] { takt::blocking([&] { open.wait(); }); });
      group.run([&] { takt::blocking([&] { open.wait(); }); });
      group.run([&] { open.count_down(); });
      group.wait();
    }
  }
}

TEST(blocking, goes_on_on_its_thread_and_may_hold_a_lock) {
  for (const takt::config& c : settings(2)) {
    takt::configure(c);
    std::mutex lock;
    long sum = 0;
    takt::parallel_for(0, 2000, [&](int i) {
      const auto here = current_thread();
      bool same = false;
      if (i % 2 == 0) {
        takt::blocking([&] { lock.lock(); same = current_thread() == here; });
      } else {
        lock.lock();
        same = true;
      }
      EXPECT_TRUE(same && current_thread() == here);
      ++sum;
      lock.unlock();
    });
    EXPECT_EQ(sum, 2000);
  }
}

TEST(blocking, results_errors_references_and_code_in_no_call) {
  takt::configure(takt_test::by_default(2));
  int x = 3;
  const auto check = [&] {
    EXPECT_EQ(*takt::blocking([] { return std::make_unique<int>(7); }), 7);
    EXPECT_EQ(&takt::blocking([&]() -> int& { return x; }), &x);
    EXPECT_THROW(takt::blocking([] { throw 5; }), int);
    EXPECT_EQ(takt::blocking([] { return takt::blocking([] { return 4; }); }), 4);
  };
  check();
  takt::fork_join(check, [] {});
}

TEST(blocking, code_inside_may_fork) {
  for (const takt::config& c : settings(2)) {
    takt::configure(c);
    ran = 0;
    takt::parallel_for(0, 40, [](int i) {
      takt::blocking([i] {
        meter m;
        tree(m, 4);
        if (i % 3 == 0) takt::blocking([&] { children(m, 2); });
      });
    });
    EXPECT_EQ(ran, 40 * 16 + 14 * 9);
  }
}

TEST(blocking, in_a_part_it_keeps_its_place) {
  for (const takt::config& c : settings(3)) {
    takt::configure(c);
    meter one, two;
    takt::fork_join(
        [&] {
          takt::with_workers(1, [&] {
            takt::parallel_for(0, 200, [&](int) { one.run([] { takt::blocking([] { std::this_thread::yield(); }); }); });
          });
        },
        [&] {
          takt::with_workers(2, [&] {
            takt::parallel_for(0, 200, [&](int) { two.run([] { takt::blocking([] { std::this_thread::yield(); }); }); });
          });
        });
    EXPECT_EQ(one.most(), 1);
    EXPECT_LE(two.most(), 2);
  }
}

TEST(blocking, callers_that_come_and_go) {
  takt::configure(takt_test::by_default(2));
  ran = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) {
        takt::parallel_for(0, 8, [](int) {
          takt::blocking([] { std::this_thread::yield(); });
          work();
        });
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(ran, 4 * 100 * 8);
}

TEST(blocking, threads_are_gone_with_the_runtime) {
  for (int round = 0; round < 20; ++round) {
    takt::configure(takt_test::by_default(2));
    meeting together(10);
    takt::task_group group;
    for (int i = 0; i < 10; ++i) group.run([&] { takt::blocking([&] { together.arrive_and_wait(); }); });
    group.wait();
  }
}

// --- worker_index -----------------------------------------------------------------------------------------------

TEST(worker_index, is_nobody_elses_at_the_same_time) {
  for (const takt::config& c : settings(3)) {
    takt::configure(c);
    std::vector<std::atomic<int>> taken(takt::worker_count());
    std::atomic<int> wrong{0};
    const auto use = [&] {
      const unsigned here = takt::worker_index();
      if (here + 1 >= takt::worker_count() || taken[here].exchange(1) != 0) ++wrong;
      work(100);
      if (takt::worker_index() != here) ++wrong;
      taken[here] = 0;
    };
    // More threads than workers.
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10; ++i) {
          takt::with_workers(99, [&] {
            takt::parallel_for(0, 200, [&](int k) {
              if (k % 50 == 0) takt::blocking([] { std::this_thread::yield(); });
              use();
            });
          });
        }
      });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
  }
}

TEST(worker_index, of_serial_code_is_the_last) {
  takt::configure(takt_test::by_default(2));
  EXPECT_EQ(takt::worker_count(), 3u);
  EXPECT_EQ(takt::worker_index(), 2u);
  takt::with_workers(99, [] { EXPECT_LT(takt::worker_index(), 2u); });
  EXPECT_EQ(takt::worker_index(), 2u);
}

}  // namespace
