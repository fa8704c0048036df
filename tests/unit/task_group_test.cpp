// task_group: a number of children that is not known in advance, from anywhere, waited for anywhere.
#include <takt/takt.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <latch>
#include <memory>
#include <vector>

namespace {

using takt::task_group;
using takt_test::fib;
using takt_test::planned_error;
using takt_test::under_each_setting;

TEST(task_group, runs_every_child_once) {
  under_each_setting([] {
    std::vector<int> calls(200);
    task_group group;
    for (auto& c : calls) group.run([&c] { c += static_cast<int>(fib(7)) - 12; });
    group.wait();
    for (const int c : calls) ASSERT_EQ(c, 1);
  });
}

TEST(task_group, inside_a_parallel_call) {
  under_each_setting([] {
    std::vector<int> calls(200);
    takt::fork_join(
        [&calls] {
          task_group group;
          for (std::size_t i = 0; i < 100; ++i) group.run([&c = calls[i]] { ++c; });
          group.wait();
          for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(calls[i], 1);
        },
        [&calls] {
          task_group group;
          for (std::size_t i = 100; i < 200; ++i) group.run([&c = calls[i]] { c += static_cast<int>(fib(3)) - 1; });
          group.wait();
        });
    for (const int c : calls) ASSERT_EQ(c, 1);
  });
}

// With one worker and a promotion at every poll, the child lies above the fork's own task in the deque: the join runs
// it first, on top of a stack whose last slot is that task.
TEST(task_group, a_child_taken_back_at_a_join_does_not_harm_the_join) {
  takt::configure(takt_test::beat_zero(1));
  for (int round = 0; round < 20; ++round) {
    long child = 0;
    long right = 0;
    takt::fork_join([] {},
                    [&child, &right] {
                      task_group group;
                      takt::fork_join([&group, &child] { group.run([&child] { child = fib(12); }); },
                                      [&right] { right = fib(11); });
                      group.wait();
                    });
    ASSERT_EQ(child, takt_test::serial_fib(12));
    ASSERT_EQ(right, takt_test::serial_fib(11));
  }
}

TEST(task_group, waiting_for_no_children) {
  under_each_setting([] {
    { const task_group unused; }
    task_group group;
    group.wait();
    group.wait();
    takt::fork_join([&group] { group.wait(); }, [] { const task_group unused; });
  });
}

TEST(task_group, is_used_again_after_wait) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    task_group group;
    for (int round = 1; round <= 20; ++round) {
      for (int i = 0; i < round; ++i) group.run([&calls] { calls.fetch_add(1); });
      group.wait();
      ASSERT_EQ(calls.load(), round * (round + 1) / 2);
    }
  });
}

TEST(task_group, the_destructor_waits) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    {
      task_group group;
      for (int i = 0; i < 50; ++i) group.run([&calls] { calls.fetch_add(fib(5) == 5 ? 1 : 0); });
    }
    EXPECT_EQ(calls.load(), 50);
    takt::parallel_for(0, 20, [&calls](int) {
      task_group group;
      for (int i = 0; i < 5; ++i) group.run([&calls] { calls.fetch_add(1); });
    });
    EXPECT_EQ(calls.load(), 150);
  });
}

TEST(task_group, more_children_than_it_keeps_latent) {
  under_each_setting([] {
    constexpr int count = 5000;
    std::vector<int> calls(count);
    task_group group;
    for (auto& c : calls) group.run([&c] { ++c; });
    group.wait();
    for (const int c : calls) ASSERT_EQ(c, 1);
    takt::fork_join(
        [&calls] {
          task_group inner;
          for (auto& c : calls) inner.run([&c] { ++c; });
          inner.wait();
        },
        [] {});
    for (const int c : calls) ASSERT_EQ(c, 2);
  });
}

// Every child adds two more to the group it belongs to.
void grow(task_group& group, std::atomic<int>& calls, int levels) {
  calls.fetch_add(1);
  if (levels == 0) return;
  for (int i = 0; i < 2; ++i) group.run([&group, &calls, levels] { grow(group, calls, levels - 1); });
}

TEST(task_group, children_add_children) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    task_group group;
    group.run([&] { grow(group, calls, 10); });
    group.wait();
    EXPECT_EQ(calls.load(), 2047);
    calls = 0;
    takt::fork_join(
        [&calls] {
          task_group inner;
          grow(inner, calls, 10);
          inner.wait();
        },
        [] { (void)fib(10); });
    EXPECT_EQ(calls.load(), 2047);
  });
}

TEST(task_group, children_of_other_tasks) {
  under_each_setting([] {
    std::vector<int> calls(500);
    // Made outside any parallel call, filled by the iterations of one, waited for outside.
    task_group group;
    takt::parallel_for(std::size_t{0}, calls.size(), [&](std::size_t i) { group.run([&c = calls[i]] { ++c; }); });
    group.wait();
    for (const int c : calls) ASSERT_EQ(c, 1);
    // All of it inside one.
    takt::fork_join(
        [&calls] {
          task_group inner;
          takt::parallel_for(std::size_t{0}, calls.size(), [&](std::size_t i) { inner.run([&c = calls[i]] { ++c; }); });
          inner.wait();
        },
        [] {});
    for (const int c : calls) ASSERT_EQ(c, 2);
  });
}

TEST(task_group, a_stolen_branch_adds_children) {
  takt::configure(takt_test::eager(2));
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> calls{0};
    task_group group;
    takt_test::fork_apart([&] { group.run([&calls] { calls.fetch_add(1); }); },
                          [&] { group.run([&calls] { calls.fetch_add(10); }); });
    group.wait();
    EXPECT_EQ(calls.load(), 11);
  }
}

TEST(task_group, waited_for_in_any_order) {
  under_each_setting([] {
    const auto interleaved = [] {
      std::array<std::atomic<int>, 3> calls{};
      std::array<task_group, 3> groups;
      for (int i = 0; i < 30; ++i) {
        const auto g = static_cast<std::size_t>(i % 3);
        groups[g].run([&c = calls[g]] { c.fetch_add(fib(4) == 3 ? 1 : 0); });
      }
      // Neither the order in which they were made nor its reverse.
      for (const std::size_t g : {1u, 0u, 2u}) {
        groups[g].wait();
        EXPECT_EQ(calls[g].load(), 10);
      }
    };
    interleaved();
    takt::fork_join(interleaved, interleaved);
    takt::parallel_for(0, 10, [&](int) { interleaved(); });
  });
}

TEST(task_group, waited_for_in_a_branch) {
  under_each_setting([] {
    for (const bool left : {true, false}) {
      std::atomic<int> calls{0};
      task_group outside;
      const auto fill = [&calls](task_group& g) {
        for (int i = 0; i < 20; ++i) g.run([&calls] { calls.fetch_add(1); });
      };
      fill(outside);
      const auto drain = [](task_group& g) { return [&g] { g.wait(); }; };
      const auto compute = [] { (void)fib(12); };
      const auto fork = [&](task_group& g) {
        left ? takt::fork_join(drain(g), compute) : takt::fork_join(compute, drain(g));
      };
      fork(outside);
      EXPECT_EQ(calls.load(), 20);
      takt::fork_join(
          [&] {
            task_group inside;
            fill(inside);
            fork(inside);
            EXPECT_EQ(calls.load(), 40);
          },
          [] {});
    }
  });
}

TEST(task_group, waited_for_in_a_stolen_branch) {
  takt::configure(takt_test::eager(3));
  for (int round = 0; round < 50; ++round) {
    takt::fork_join(
        [] {
          std::atomic<int> calls{0};
          task_group group;
          for (int i = 0; i < 8; ++i) group.run([&calls] { calls.fetch_add(1); });
          takt::fork_join([] { (void)fib(3); }, [&group] { group.wait(); });
          EXPECT_EQ(calls.load(), 8);
        },
        [] {});
  }
}

TEST(task_group, nested_groups) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    task_group outer;
    for (int i = 0; i < 10; ++i) {
      outer.run([&calls] {
        task_group middle;
        for (int j = 0; j < 5; ++j) {
          middle.run([&calls] {
            task_group inner;
            for (int k = 0; k < 4; ++k) inner.run([&calls] { calls.fetch_add(1); });
            takt::parallel_for(0, 3, [&calls](int) { calls.fetch_add(1); });
            inner.wait();
          });
        }
        middle.wait();
      });
    }
    outer.wait();
    EXPECT_EQ(calls.load(), 10 * 5 * 7);
  });
}

TEST(task_group, children_run_beside_the_code_before_wait) {
  takt::configure(takt_test::eager(2));
  // Inside a parallel call a child may be taken before wait(): here it has to be.
  takt::fork_join(
      [] {
        std::latch both(2);
        task_group group;
        group.run([&both] { both.arrive_and_wait(); });
        both.arrive_and_wait();
        group.wait();
      },
      [] {});
}

struct alignas(128) wide : takt_test::counted<wide> {
  std::array<std::uint64_t, 64> words{};
};

TEST(task_group, callables_of_every_kind) {
  under_each_setting([] {
    std::atomic<int> sum{0};
    {
      task_group group;
      group.run([own = std::make_unique<int>(1), &sum] { sum.fetch_add(*own); });
      const auto named = [&sum] { sum.fetch_add(10); };
      group.run(named);
      group.run(named);
      group.run([big = wide{}, &sum] {
        volatile auto address = reinterpret_cast<std::uintptr_t>(&big);
        sum.fetch_add(address % 128 == 0 ? 100 : 0);
      });
      group.run([&sum]() mutable { return sum.fetch_add(1000); });
      group.wait();
      EXPECT_EQ(wide::live(), 0) << "a child outlives wait()";
    }
    EXPECT_EQ(sum.load(), 1121);
  });
}

}  // namespace
