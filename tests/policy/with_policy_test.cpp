// One computation under a policy of its own: the serial answers, whatever is nested in what; under which policy code
// and tasks are; and that nobody sleeps through a task of a policy that was not there before.
#include <takt/takt.hpp>

#include "conformance/program.hpp"
#include "policy/policies.hpp"
#include "promotion/promote.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace takt_test {

static std::ostream& operator<<(std::ostream& out, const outcome& o) {
  return out << "{value " << o.value << ", error " << o.error << ", nodes executed " << o.executed << ", checksum "
             << o.checksum << "}";
}

}  // namespace takt_test

namespace {

constexpr std::array k_policies = {takt::policy::random, takt::policy::adws, takt::lab::ml_random,
                                   takt::policy::ml_adws, takt::lab::sb};

void begin(unsigned workers, takt::policy of_process, takt::trigger trigger = takt::lab::eager) {
  takt::config c = takt::current_config();
  c.workers = workers;
  c.policy = of_process;
  c.trigger = trigger;
  if (trigger != takt::lab::eager) c.beat = {};
  takt::configure(c);
}

// Under which policy the code here runs.
[[gnu::noinline]] const takt::core::policy* here() {
  return takt::core::this_worker()->scheduler.current()->policy.current;
}
[[gnu::noinline]] const takt::core::policy* own() { return &takt::core::this_worker()->owner.policy->own(); }

template <class F>
void inside_a_call(F f) {
  takt::fork_join(f, [] {});
}

TEST(with_policy, programs_run_as_they_do_serially) {
  constexpr std::uint64_t k_seeds = TAKT_TEST_SANITIZER ? 8 : 60;
  takt_test::scopes_of_policies = true;
  for (const takt::policy of_process : k_policies) {
    for (const unsigned workers : {1u, 2u, 4u}) {
      for (const takt::trigger trigger : {takt::lab::eager, takt::trigger::lazy}) {
        begin(workers, of_process, trigger);
        for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
          const takt_test::node program = takt_test::make_program(seed);
          ASSERT_EQ(takt_test::run_takt(program), takt_test::run_serial(program))
              << "seed " << seed << ", " << workers << " workers, " << takt_test::name_of(of_process);
        }
      }
    }
  }
  takt_test::scopes_of_policies = false;
}

TEST(with_policy, is_for_what_is_forked_inside) {
  begin(4, takt::policy::random);
  inside_a_call([] {
    const auto* const outside = here();
    EXPECT_EQ(outside, own());
    std::atomic<int> wrong{0};
    takt::with_policy(takt::policy::adws, [&] {
      const auto* const inside = here();
      EXPECT_NE(inside, outside);
      takt::parallel_for(0, 200, [&](int i) {
        takt::fork_join([&] { wrong += here() != inside; }, [&] { wrong += here() != inside; });
        if (i % 10 != 0) return;
        takt::with_policy(takt::policy::automatic, [&] {
          takt::fork_join([&] { wrong += here() != outside; }, [&] { wrong += here() != outside; });
        });
        wrong += here() != inside;
      });
      takt::with_policy(takt::policy::adws, [&] { EXPECT_EQ(here(), inside); });
    });
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(here(), outside);
  });
}

TEST(with_policy, frames_from_outside_are_promoted_by_the_policy_outside) {
  begin(1, takt::policy::random, takt::trigger::never);
  inside_a_call([] {
    const auto* const outside = here();
    const takt::core::policy* right = nullptr;
    takt::fork_join(
        [] {
          takt::with_policy(takt::policy::adws, [] {
            takt::core::worker& w = *takt::core::this_worker();
            auto& all = *w.owner.policy;
            takt::fork_join(
                [&] {
                  const takt::core::runtime_scope inside;
                  // The oldest two are from outside: that of inside_a_call, and the fork around.
                  for (int k = 0; k < 2; ++k) ASSERT_TRUE(takt::core::promote_oldest(w));
                  EXPECT_TRUE(all.own().offers(w, 0));
                  EXPECT_FALSE(w.scheduler.current()->policy.current->offers(w, 0));
                  ASSERT_TRUE(takt::core::promote_oldest(w));
                  EXPECT_TRUE(w.scheduler.current()->policy.current->offers(w, 0));
                },
                [] {});
          });
        },
        [&] { right = here(); });
    EXPECT_EQ(right, outside);
  });
}

TEST(with_policy, gives_back_what_was_returned_or_thrown) {
  begin(2, takt::policy::random);
  const auto all_of_it = [] {
    int x = 7;
    EXPECT_EQ(takt::with_policy(takt::policy::adws, [] { return 3; }), 3);
    EXPECT_EQ(&takt::with_policy(takt::policy::adws, [&]() -> int& { return x; }), &x);
    EXPECT_EQ(*takt::with_policy(takt::policy::adws, [] { return std::make_unique<int>(5); }), 5);
    EXPECT_EQ(takt::with_policy(takt::policy::adws, []() -> const std::string { return "long enough for the heap"; }),
              "long enough for the heap");
    EXPECT_THROW(takt::with_policy(takt::policy::adws, [] { throw std::runtime_error("x"); }), std::runtime_error);
    EXPECT_THROW(takt::with_policy(static_cast<takt::policy>(77), [&] { x = 0; }), std::invalid_argument);
    EXPECT_EQ(x, 7);
  };
  all_of_it();
  inside_a_call([&] {
    all_of_it();
    EXPECT_EQ(here(), own());
  });
}

TEST(with_policy, hints_are_heard_inside_alone) {
  begin(2, takt::policy::random);
  inside_a_call([] {
    EXPECT_FALSE(takt::detail::wants_hints());
    takt::with_policy(takt::policy::ml_adws, [] {
      EXPECT_TRUE(takt::detail::wants_hints());
      // After a wait, too, on whatever thread.
      takt_test::fork_apart([] { EXPECT_TRUE(takt::detail::wants_hints()); },
                            [] { EXPECT_TRUE(takt::detail::wants_hints()); });
      EXPECT_TRUE(takt::detail::wants_hints());
      takt::with_policy(takt::policy::random, [] { EXPECT_FALSE(takt::detail::wants_hints()); });
      EXPECT_TRUE(takt::detail::wants_hints());
    });
    EXPECT_FALSE(takt::detail::wants_hints());
  });
}

// Each policy is made while the other worker sleeps, and each time that has to be woken by one or the other.
TEST(with_policy, sleepers_come_for_tasks_of_each) {
  begin(2, takt::policy::random);
  takt_test::fork_apart([] {}, [] {});
  const auto& sleeping = takt::core::process::current()->sleeping;
  for (int i = 0; i < 40; ++i) {
    while (sleeping.count() == 0) std::this_thread::yield();
    takt::with_policy(k_policies[static_cast<std::size_t>(i) % k_policies.size()],
                      [] { takt_test::fork_apart([] {}, [] {}); });
  }
}

// Its child lies with a policy that is not that of the code which waits, and with nobody else to run it.
TEST(with_policy, code_that_stays_takes_back_what_another_policy_has) {
  begin(1, takt::policy::random);
  inside_a_call([] {
    const takt::stay on_this_thread;
    int ran = 0;
    takt::task_group children;
    takt::with_policy(takt::policy::adws, [&] { children.run([&] { ++ran; }); });
    EXPECT_EQ(ran, 0);
    children.wait();
    EXPECT_EQ(ran, 1);
  });
}

// The right branch inside of the newest child is stolen, and the older children lie where `random` looks for the newest
// task. If one ran on top of the newest one, that could hold a lock which the other wants.
TEST(with_policy, no_child_runs_on_top_of_a_join_under_another_policy) {
  begin(2, takt::policy::random);
  takt::core::worker* holder = nullptr;
  std::atomic<bool> holds{false};
  std::atomic<bool> has_pushed{false};
  std::atomic<bool> has_begun{false};
  std::atomic<int> on_top{0};
  std::atomic<int> ran{0};
  const auto children = [&] {
    takt::task_group group(takt::group_order::newest_first);
    for (int c = 0; c < 3; ++c) {
      group.run([&] {
        if (holds && takt::core::this_worker() == holder) ++on_top;
        ++ran;
      });
    }
    group.run([&] {
      const takt::stay here;
      holder = takt::core::this_worker();
      holds = true;
      takt::with_policy(takt::policy::adws, [&] {
        takt::fork_join(
            [&] {
              has_pushed = true;
              while (!has_begun) std::this_thread::yield();
            },
            // Until the other one waits for it.
            [&] {
              has_begun = true;
              while (holder->sleep.looks.load(takt::sync::relaxed) != takt::core::worker_sleep::k_waits_in_place) {
                std::this_thread::yield();
              }
            });
      });
      holds = false;
    });
    group.wait();
  };
  // The other worker has begun a task of the policy inside, and takes its next one from there.
  takt::with_policy(takt::policy::adws, [&] {
    takt_test::fork_apart([&] { takt::with_policy(takt::policy::automatic, children); },
                          [&] {
                            while (!has_pushed) std::this_thread::yield();
                          });
  });
  EXPECT_EQ(on_top.load(), 0);
  EXPECT_EQ(ran.load(), 3);
}

TEST(with_policy, what_a_computation_has_left_comes_first) {
  begin(1, takt::policy::random, takt::trigger::never);
  inside_a_call([] {
    takt::with_policy(takt::policy::adws, [] {
      takt::fork_join(
          [] {
            const takt::core::runtime_scope inside;
            takt::core::worker& w = *takt::core::this_worker();
            auto& all = *w.owner.policy;
            // That of inside_a_call, and the fork.
            for (int k = 0; k < 2; ++k) ASSERT_TRUE(takt::core::promote_oldest(w));
            w.policy.served_by = w.scheduler.current()->policy.current;
            const std::uint64_t first = all.next(w);
            ASSERT_NE(first, takt::core::entry::k_none);
            EXPECT_EQ(w.policy.taken_from, &all.own());
            // Whose join wants it.
            auto& from = *std::exchange(w.policy.taken_from, nullptr);
            ASSERT_TRUE(from.reserve(w, 1, true));
            from.publish(w, first, false);
          },
          [] {});
    });
  });
}

TEST(with_policy, calls_side_by_side_have_one_each) {
  begin(2, takt::policy::random);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (const takt::policy name : k_policies) {
    callers.emplace_back([&wrong, name] {
      for (int i = 0; i < 50; ++i) {
        const long sum = takt::with_policy(name, [] {
          return takt::parallel_reduce(0, 100, 0L, [](int k) { return static_cast<long>(k); }, std::plus<>{});
        });
        if (sum != 4950) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

std::uint64_t promotions_here() {
  const auto& c = takt::core::this_worker()->stats;
  return c.promotions_forks.get() + c.promotions_loops.get() + c.promotions_groups.get();
}

// Of hinted forks, loops and groups, call after call.
std::uint64_t promotions_of_short_calls() {
  std::atomic<long> sum{0};
  const auto add = [&sum](long i) { sum += i; };
  std::uint64_t before = 0;
  inside_a_call([&before] { before = promotions_here(); });
  for (int i = 0; i < 50; ++i) {
    takt::fork_join(takt::weights(1, 3), takt::bytes(1 << 10), [&] { add(1); }, [&] { add(1); });
    takt::parallel_for(0, 100, add, takt::hints{.bytes = 1 << 10});
    inside_a_call([&] {
      takt::task_group group(takt::work(2), takt::bytes(1 << 10));
      group.run(takt::work(1), [&] { add(1); });
      add(1);
      group.wait();
    });
  }
  std::uint64_t after = 0;
  inside_a_call([&after] { after = promotions_here(); });
  EXPECT_EQ(sum.load(), 50 * (2 + 4950 + 2));
  return after - before;
}

// Then no task is made, and nobody woken for one.
TEST(policies, promote_nothing_before_a_beat_is_over) {
  for (const takt::policy name : k_policies) {
    SCOPED_TRACE(takt_test::name_of(name));
    takt::config c = takt::current_config();
    c.workers = 2;
    c.policy = name;
    c.trigger = takt::trigger::lazy;
    c.beat = std::chrono::minutes(10);
    takt::configure(c);
    // A thread begins with a beat, for what it did before its first call (src/promotion): it is spent here.
    promotions_of_short_calls();
    EXPECT_EQ(promotions_of_short_calls(), 0u);
    begin(2, name);
    EXPECT_GT(promotions_of_short_calls(), 0u) << "each poll is a beat";
  }
}

TEST(with_policy, goes_on_in_a_child_of_fork) {
  begin(2, takt::policy::random);
  takt_test::fork_apart([] {}, [] {});
  takt::with_policy(takt::policy::adws, [] {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto sum = [] {
        return takt::parallel_reduce(0, 100, 0L, [](int k) { return static_cast<long>(k); }, std::plus<>{});
      };
      const bool good = sum() == 4950 && takt::with_policy(takt::lab::ml_random, sum) == 4950;
      ::_exit(good ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  });
}

}  // namespace
