// Forks and loops deep in a recursion, too short for a frame: that there are such, that they do what framed ones do,
// and that an idle worker ends it.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "support/clock_by_tick.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using takt::trigger;
using takt::detail::head;
using takt_test::settings;

constexpr bool k_can_be_free = TAKT_HOT_X86 != 0;
constexpr int k_depth = 14;
// The portable form has no free forks, which a few rounds show as well.
constexpr int k_most_rounds = k_can_be_free ? 20'000 : 20;
// By the tick, no more than this is ever needed.
constexpr int k_rounds = 20;

// Polls half a millisecond apart: many frames lie between two of them, also with a sanitizer.
takt::config slow_polls(unsigned workers, trigger t = trigger::lazy) {
  return settings(workers, t, std::chrono::milliseconds(1));
}

using free_band_by_the_tick = takt_test::clock_by_tick;

struct tree {
  std::int64_t free_forks = 0;
  std::int64_t leaves_seen = 0;
  std::set<std::int64_t> throwing;
  bool free_fork_threw = false;

  // The leaves of a tree, which are numbered from `first` on.
  std::int64_t count(int depth, std::int64_t first) {
    if (depth == 0) {
      ++leaves_seen;
      if (throwing.contains(first)) throw std::runtime_error(std::to_string(first));
      return 1;
    }
    const takt::abi::slot* const before = head();
    bool is_free = false;
    try {
      const auto [left, right] = takt::fork_join(
          [&] {
            is_free = head() == before;
            return count(depth - 1, first);
          },
          [&] { return count(depth - 1, first + (std::int64_t{1} << (depth - 1))); });
      if (is_free) ++free_forks;
      return left + right;
    } catch (...) {
      if (is_free && depth == 1) free_fork_threw = true;
      throw;
    }
  }
};

// Counts until a fork was free, or k_rounds have passed.
std::int64_t free_forks_seen() {
  tree t;
  takt::fork_join(
      [&] {
        for (int i = 0; i < k_rounds && t.free_forks == 0; ++i) EXPECT_EQ(t.count(k_depth, 0), 1 << k_depth);
      },
      [] {});
  return t.free_forks;
}

TEST_F(free_band_by_the_tick, short_forks_deep_in_a_recursion_push_no_frame) {
  for (const trigger t : {trigger::lazy, takt::lab::beat, takt::lab::request}) {
    takt::configure(slow_polls(1, t));
    EXPECT_EQ(free_forks_seen() != 0, k_can_be_free) << takt_test::name_of(t);
  }
}

TEST_F(free_band_by_the_tick, not_where_code_that_does_not_poll_would_stay_unseen) {
  takt::config without_signals = slow_polls(1);
  without_signals.interrupts = false;
  for (const takt::config& c : {without_signals, slow_polls(1, trigger::never), takt_test::beat_zero(1)}) {
    takt::configure(c);
    tree t;
    takt::fork_join(
        [&] {
          for (int i = 0; i < 20; ++i) EXPECT_EQ(t.count(k_depth, 0), 1 << k_depth);
        },
        [] {});
    EXPECT_EQ(t.free_forks, 0) << takt_test::describe(c);
  }
}

// What runs between two polls of who runs many of them: it makes a band, if there is none, and has the next poll come
// at once.
struct makes_a_band {
  tree all;
  int begun = 0, begun_with_a_band = 0;

  void run() {
    if (begun++ != 0 && takt_hot.free_top != 0) ++begun_with_a_band;
    for (int r = 0; r < k_rounds && takt_hot.free_top == 0; ++r) all.count(k_depth, 0);
    EXPECT_NE(takt_hot.free_top, 0u);
    takt_hot.credit = 0;
  }
};
constexpr int k_many = 8;

// A poll between two children of a group says nothing of how long forks are inside of them.
TEST_F(free_band_by_the_tick, stays_where_a_group_polls_between_its_children) {
  takt::configure(slow_polls(1));
  makes_a_band child;
  takt::fork_join(
      [&] {
        takt::task_group g;
        for (int i = 0; i < k_many; ++i) g.run([&] { child.run(); });
        g.wait();
      },
      [] {});
  EXPECT_EQ(child.begun, k_many);
  EXPECT_EQ(child.begun_with_a_band, k_many - 1);
}

// The same of a loop that nests.
TEST_F(free_band_by_the_tick, stays_where_a_loop_polls_between_its_iterations) {
  takt::configure(slow_polls(1));
  tree all;
  int polled = 0, kept = 0;
  // In the first round the loop learns that it nests.
  for (int round = 0; round < 2; ++round) {
    polled = kept = 0;
    std::uint64_t seen = 0;
    takt::fork_join(
        [&] {
          takt::parallel_for(0, 64 * k_many, [&](int i) {
            if (i != 0 && takt_hot.polls != seen) {
              ++polled;
              kept += takt_hot.free_top != 0 ? 1 : 0;
            }
            // The loop itself may stand in one that was there before.
            if (i == 0) takt_hot.free_top = 0;
            for (int r = 0; r < k_rounds && takt_hot.free_top == 0; ++r) all.count(k_depth, 0);
            EXPECT_NE(takt_hot.free_top, 0u);
            takt_hot.credit = 0;
            seen = takt_hot.polls;
          });
        },
        [] {});
  }
  EXPECT_GT(polled, 0);
  EXPECT_EQ(kept, polled);
}

makes_a_band* task;

TEST_F(free_band_by_the_tick, stays_where_a_drain_polls_between_tasks) {
  takt::configure(slow_polls(1));
  makes_a_band made;
  task = &made;
  takt::fork_join(
      [] {
        takt::abi::slot* const first = head();
        for (int i = 0; i < k_many; ++i) {
          head()->run = [](takt::abi::slot*) { task->run(); };
          takt::detail::set_head(head() + 1);
        }
        takt_omp_drain(first);
      },
      [] {});
  EXPECT_EQ(made.begun, k_many);
  EXPECT_EQ(made.begun_with_a_band, k_many - 1);
}

// The first exception in serial order arrives, and only after every leaf has been seen.
TEST_F(free_band_by_the_tick, both_branches_of_a_free_fork_run_whatever_they_throw) {
  takt::configure(slow_polls(1));
  for (const std::set<std::int64_t>& throwing : {std::set<std::int64_t>{600}, {601}, {600, 601}, {7, 600, 601, 9000}}) {
    tree t;
    int i = 0;
    takt::fork_join(
        [&] {
          for (; i < k_rounds && (i < 3 || t.free_fork_threw != k_can_be_free); ++i) {
            t.throwing.clear();
            // The band is found while nothing throws.
            for (int calm = 0; calm < 3; ++calm) EXPECT_EQ(t.count(k_depth, 0), 1 << k_depth);
            t.throwing = throwing;
            t.leaves_seen = 0;
            try {
              t.count(k_depth, 0);
              ADD_FAILURE() << "nothing was thrown";
            } catch (const std::runtime_error& error) {
              EXPECT_EQ(error.what(), std::to_string(*throwing.begin()));
            }
            EXPECT_EQ(t.leaves_seen, 1 << k_depth);
          }
        },
        [] {});
    EXPECT_EQ(t.free_fork_threw, k_can_be_free);
  }
}

struct search {
  std::int64_t free_loops = 0;

  // Ways to choose `left` numbers of three, by loops inside loops.
  std::int64_t ways(int left) {
    if (left == 0) return 1;
    const takt::abi::slot* const before = head();
    return takt::parallel_reduce(
        0, 3, std::int64_t{0},
        [&](int k) {
          if (k == 0 && head() == before) ++free_loops;
          return ways(left - 1);
        },
        std::plus<>{});
  }
};

TEST_F(free_band_by_the_tick, short_loops_that_nest_push_no_frame) {
  takt::configure(slow_polls(1));
  search s;
  takt::fork_join(
      [&] {
        for (int i = 0; i < k_rounds && s.free_loops == 0; ++i) EXPECT_EQ(s.ways(9), 19683);
      },
      [] {});
  EXPECT_EQ(s.free_loops != 0, k_can_be_free);
}

// Asked anew each time: a computation may go on on another thread.
[[gnu::noinline]] std::thread::id this_thread_now() {
  __asm__ volatile("" ::: "memory");
  return std::this_thread::get_id();
}

class visitor {
 public:
  enum class kind {
    plain,  ///< visits a tree
    busy,   ///< the left branch is long, and made of nothing but short forks
  };
  // `below_free`: the fork above is free.
  void visit(int depth, kind k, bool below_free) {
    if (depth == 0) return;
    const takt::abi::slot* const before = head();
    takt::fork_join(
        [&] {
          const bool is_free = head() == before;
          if (k == kind::busy) {
            for (int i = 0; i < 1000 && !helped_.load(); ++i) visit(2, kind::plain, true);
            return;
          }
          // In the highest free fork: what it calls stands in the band as well.
          if (is_free && !below_free && !waited_) {
            waited_ = true;
            wait();
          }
          visit(depth - 1, k, is_free);
        },
        [&] {
          if (k == kind::busy) {
            if (this_thread_now() != waiter_.load()) helped_.store(true);
            return;
          }
          visit(depth - 1, k, true);
        });
  }
  bool waited() const { return waited_; }

 private:
  // Forks until somebody has taken one.
  void wait() {
    while (!helped_.load()) {
      waiter_.store(this_thread_now());
      visit(1, kind::busy, true);
    }
  }

  std::atomic<std::thread::id> waiter_{};
  std::atomic<bool> waited_{false};
  std::atomic<bool> helped_{false};
};

// Nothing polls in the band: a worker without work has to say so.
TEST(free_band, an_idle_worker_ends_it) {
  takt::configure(slow_polls(2));
  visitor v;
  takt::fork_join(
      [&] {
        for (int i = 0; i < k_most_rounds && !v.waited(); ++i) v.visit(k_depth, visitor::kind::plain, true);
      },
      [] {});
  EXPECT_EQ(v.waited(), k_can_be_free);
}

}  // namespace
