// task_group and exceptions; task_group and several threads of the program.
#include <takt/takt.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

using takt::task_group;
using takt_test::fib;
using takt_test::planned_error;
using takt_test::under_each_setting;

// The number that wait() throws; -1 when it returns.
long thrown_by_wait(task_group& group) {
  try {
    group.wait();
  } catch (const planned_error& error) {
    return error.id;
  }
  return -1;
}

TEST(task_group_errors, the_first_in_spawn_order_arrives_after_all_have_run) {
  under_each_setting([] {
    const auto check = [] {
      std::atomic<int> calls{0};
      task_group group;
      for (int i = 0; i < 60; ++i) {
        group.run([&calls, i] {
          calls.fetch_add(1);
          if (i % 10 == 7) throw planned_error(i);
        });
      }
      EXPECT_EQ(thrown_by_wait(group), 7);
      EXPECT_EQ(calls.load(), 60);
      // Reported once.
      EXPECT_EQ(thrown_by_wait(group), -1);
      group.run([] { throw planned_error(99); });
      EXPECT_EQ(thrown_by_wait(group), 99);
    };
    check();
    takt::fork_join(check, check);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(task_group_errors, more_children_than_it_keeps_latent) {
  under_each_setting([] {
    const auto check = [] {
      std::atomic<int> calls{0};
      task_group group;
      for (int i = 0; i < 3000; ++i) {
        group.run([&calls, i] {
          calls.fetch_add(1);
          if (i >= 500) throw planned_error(i);
        });
      }
      EXPECT_EQ(thrown_by_wait(group), 500);
      EXPECT_EQ(calls.load(), 3000);
    };
    check();
    takt::fork_join(check, [] {});
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(task_group_errors, the_destructor_drops_them) {
  under_each_setting([] {
    {
      task_group group;
      group.run([] { throw planned_error(1); });
    }
    takt::fork_join(
        [] {
          task_group group;
          group.run([] { throw planned_error(2); });
        },
        [] {});
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(task_group_errors, code_between_run_and_wait_throws) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    const auto body = [&calls] {
      task_group group;
      for (int i = 0; i < 20; ++i) {
        group.run([&calls] {
          calls.fetch_add(1);
          throw planned_error(1);
        });
      }
      throw planned_error(2);
    };
    const auto id = [](const auto& f) {
      try {
        f();
      } catch (const planned_error& error) {
        return error.id;
      }
      return -1L;
    };
    EXPECT_EQ(id(body), 2);
    EXPECT_EQ(id([&] { takt::fork_join(body, [] {}); }), 2);
    EXPECT_EQ(calls.load(), 40);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(task_group_errors, of_children_added_by_children) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    task_group group;
    for (int i = 0; i < 20; ++i) {
      group.run([&group, &calls, i] {
        group.run([&calls, i] {
          calls.fetch_add(1);
          if (i == 11) throw planned_error(11);
        });
      });
    }
    EXPECT_EQ(thrown_by_wait(group), 11);
    EXPECT_EQ(calls.load(), 20);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(task_group_threads, many_threads_add_to_one_group) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    task_group group;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) {
          const auto child = [&calls] { calls.fetch_add(1); };
          // Half of the threads are inside a parallel call of their own when they do.
          if (t % 2 == 0) {
            group.run(child);
          } else {
            takt::fork_join([&] { group.run(child); }, [] { (void)fib(3); });
          }
        }
      });
    }
    for (auto& t : threads) t.join();
    group.wait();
    EXPECT_EQ(calls.load(), 400);
  });
}

TEST(task_group_threads, waited_for_by_another_thread_than_the_one_that_made_it) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    auto group = std::make_unique<task_group>();
    for (int i = 0; i < 30; ++i) group->run([&calls] { calls.fetch_add(1); });
    std::thread([&group] { group->wait(); }).join();
    EXPECT_EQ(calls.load(), 30);
    for (int i = 0; i < 30; ++i) group->run([&calls] { calls.fetch_add(1); });
    std::thread([&group] { group.reset(); }).join();
    EXPECT_EQ(calls.load(), 60);
  });
}

TEST(task_group_threads, a_call_under_way_gets_children_from_another_call) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    takt::fork_join(
        [&calls] {
          task_group group;
          group.run([&calls] { calls.fetch_add(1); });
          std::thread([&] {
            takt::fork_join([&] { group.run([&calls] { calls.fetch_add(10); }); }, [] { (void)fib(5); });
          }).join();
          group.wait();
        },
        [] {});
    EXPECT_EQ(calls.load(), 11);
  });
}

TEST(task_group_threads, a_child_adds_children_through_a_thread_of_its_own) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    task_group group;
    group.run([&] {
      // The child is not done before its thread is, so wait() has to see what the thread adds.
      std::thread([&] { group.run([&calls] { calls.fetch_add(1); }); }).join();
    });
    group.wait();
    EXPECT_EQ(calls.load(), 1);
  });
}

}  // namespace
