// Parallelism that must be real: pieces of code that wait until the other one has begun. With one CPU as well, as the
// threads exist. A failure is a hang that ends in the time limit.
#include <takt/takt.hpp>

#include "support/settings.hpp"
#include "support/together.hpp"
#include "worker/worker.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <utility>

#if defined(__SANITIZE_THREAD__)
#define TAKT_TEST_HOLDS_SIGNALS_BACK 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAKT_TEST_HOLDS_SIGNALS_BACK 1
#endif
#endif
#if !defined(TAKT_TEST_HOLDS_SIGNALS_BACK)
#define TAKT_TEST_HOLDS_SIGNALS_BACK 0
#endif

namespace {

using takt_test::current_thread;
using takt_test::spin_latch;

// Several rounds, each with forks and loops at places of its own (a lambda inside is a new type for each round) and a
// cold pool: what a site has learned from a short run may keep it serial afterwards.
template <std::size_t... Round, class Body>
void cold_rounds(const takt::config& settings, Body body, std::index_sequence<Round...>) {
  const auto one = [&](auto round) {
    takt::configure(settings);
    body(round);
  };
  (one(std::integral_constant<std::size_t, Round>()), ...);
}

// Half of them with the trigger `request`: the other worker is idle, so it asks.
template <class Body>
void cold_rounds(takt::config settings, Body body) {
  cold_rounds(settings, body, std::make_index_sequence<8>());
  settings.trigger = takt::lab::request;
  cold_rounds(
      settings, [&body](auto round) { body(std::integral_constant<std::size_t, decltype(round)::value + 8>()); },
      std::make_index_sequence<8>());
}

TEST(concurrency, two_long_leaves_from_a_cold_start) {
  // The very first fork of a runtime: the work before it counts, so its beat is due.
  cold_rounds(takt_test::by_default(2), [](auto) {
    std::latch both(2);
    std::array<pid_t, 2> ran_on{};
    const auto leaf = [&](std::size_t which) {
      ran_on[which] = current_thread();
      both.arrive_and_wait();
    };
    takt::fork_join([&] { leaf(0); }, [&] { leaf(1); });
    EXPECT_NE(ran_on[0], ran_on[1]);
  });
}

TEST(concurrency, two_long_iterations_from_a_cold_start) {
  cold_rounds(takt_test::by_default(2), [](auto) {
    std::latch both(2);
    std::array<pid_t, 2> ran_on{};
    takt::parallel_for(0, 2, [&](int i) {
      ran_on[static_cast<std::size_t>(i)] = current_thread();
      both.arrive_and_wait();
    });
    EXPECT_NE(ran_on[0], ran_on[1]);
  });
}

TEST(concurrency, as_many_leaves_as_workers) {
  takt::configure(takt_test::eager(4));
  for (int round = 0; round < 20; ++round) {
    std::latch all(4);
    const auto leaf = [&all] { all.arrive_and_wait(); };
    takt::fork_join(leaf, leaf, leaf, leaf);
    std::latch again(4);
    takt::parallel_for(0, 4, [&again](int) { again.arrive_and_wait(); });
  }
}

// The rest: a promotion has just been made, so no beat is due at the fork, and both leaves neither fork nor return
// before they have met. Only a signal can get the second one to another thread.

TEST(concurrency, a_leaf_that_spins_is_reached_after_a_promotion) {
  cold_rounds(takt_test::by_default(2), [](auto) {
    takt::fork_join([] {}, [] {});
    spin_latch both(2);
    takt::fork_join([&both] { both.arrive_and_spin(); }, [&both] { both.arrive_and_spin(); });
  });
}

TEST(concurrency, a_leaf_that_blocks_is_reached_after_a_promotion) {
#if TAKT_TEST_HOLDS_SIGNALS_BACK
  GTEST_SKIP() << "ThreadSanitizer holds a signal back until the thread calls something it intercepts";
#endif
  cold_rounds(takt_test::by_default(2), [](auto) {
    takt::fork_join([] {}, [] {});
    std::latch both(2);
    takt::fork_join([&both] { both.arrive_and_wait(); }, [&both] { both.arrive_and_wait(); });
  });
}

// The leaves of a tree, in serial order; `visit` gets their numbers.
template <class Visit>
void tree(int depth, int first, const Visit& visit) {
  if (depth == 0) return visit(first);
  takt::fork_join([&] { tree(depth - 1, first, visit); }, [&] { tree(depth - 1, first + (1 << (depth - 1)), visit); });
}

TEST(concurrency, where_no_signal_arrives_the_fork_behind_a_long_leaf_gives_half_of_the_rest_away) {
  takt::config settings = takt_test::by_default(2);
  settings.interrupts = false;
  for (int round = 0; round < 20; ++round) {
    takt::configure(settings);
    std::atomic<bool> right_half{false};
    takt::fork_join(
        [&right_half] {
          // Forks are short for all that is known: the next look at the clock is hundreds of them away.
          tree(14, 0, [](int) {});
          tree(4, 0, [&right_half](int leaf) {
            if (leaf == 0) {
              // Until the idle worker has seen that this is long, and all of what it writes then is there.
              const auto& w = *static_cast<takt::core::worker*>(takt_hot.worker);
              const auto before = w.beat.cuts.load();
              while (w.beat.cuts.load() == before || __atomic_load_n(&takt_hot.credit, __ATOMIC_RELAXED) > 0 ||
                     __atomic_load_n(&takt_hot.free_top, __ATOMIC_RELAXED) != 0) {
              }
            }
            if (leaf == 2) {
              while (!right_half.load()) {
              }
            }
            if (leaf >= 8) right_half.store(true);
          });
        },
        [] {});
  }
}

TEST(concurrency, a_fork_below_the_promoted_one) {
  // The outer fork has the beat, so the inner one has to wait for a signal.
  cold_rounds(takt_test::by_default(3), [](auto) {
    spin_latch three(3);
    takt::fork_join(
        [&three] { takt::fork_join([&three] { three.arrive_and_spin(); }, [&three] { three.arrive_and_spin(); }); },
        [&three] { three.arrive_and_spin(); });
  });
}

TEST(concurrency, iterations_that_spin_are_reached_after_a_promotion) {
  cold_rounds(takt_test::by_default(2), [](auto) {
    takt::fork_join([] {}, [] {});
    spin_latch both(2);
    takt::parallel_for(0, 2, [&both](int) { both.arrive_and_spin(); });
  });
}

TEST(concurrency, the_first_and_the_last_iteration_of_a_loop) {
  cold_rounds(takt_test::by_default(2), [](auto) {
    spin_latch both(2);
    // They meet wherever the splits fall.
    takt::parallel_for(0, 1000, [&both](int i) {
      if (i == 0 || i == 999) both.arrive_and_spin();
    });
  });
}

// `Levels` nested forks, then a leaf that does not poll.
template <int Levels>
void descend(spin_latch& both) {
  if constexpr (Levels == 0) {
    both.arrive_and_spin();
  } else {
    takt::fork_join([&both] { descend<Levels - 1>(both); }, [] {});
  }
}

TEST(concurrency, the_oldest_frame_is_far_below_the_leaf) {
  cold_rounds(takt_test::by_default(2), [](auto) {
    takt::fork_join([] {}, [] {});
    spin_latch both(2);
    takt::fork_join([&both] { descend<30>(both); }, [&both] { both.arrive_and_spin(); });
  });
}

TEST(concurrency, a_child_of_a_group_and_the_code_after_run) {
  cold_rounds(takt_test::by_default(2), [](auto) {
    takt::fork_join(
        [] {
          spin_latch both(2);
          takt::task_group group;
          group.run([&both] { both.arrive_and_spin(); });
          group.run([&both] { both.arrive_and_spin(); });
          group.wait();
        },
        [] {});
  });
}

TEST(concurrency, long_leaves_stay_parallel_call_after_call) {
  // The same site again and again: it has learned that it is long. Of one that is short nobody need be awake.
  for (const auto& c : {takt_test::by_default(2), takt_test::on_request(2)}) {
    takt::configure(c);
    for (int round = 0; round < 100; ++round) {
      spin_latch both(2);
      const auto leaf = [&both, &c] {
        both.arrive_and_spin();
        const auto end = std::chrono::steady_clock::now() + 4 * c.beat;
        while (std::chrono::steady_clock::now() < end) {
        }
      };
      takt::fork_join(leaf, leaf);
    }
  }
}

}  // namespace
