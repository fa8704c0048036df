// Code that says that it stays goes on on its thread after each join, and what it forks runs on others all the same.
#include <takt/lab.hpp>

#include "host.hpp"

#include <mutex>

namespace {

// Its address is asked for anew each time.
thread_local int of_this_thread = 0;
[[gnu::noinline]] int* mine_now() {
  __asm__ volatile("" ::: "memory");
  return &of_this_thread;
}

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

// A fork whose right branch is on another worker when the left one is done, and for a while after it.
void wait_for_another_worker() {
  std::atomic<bool> taken{false};
  std::atomic<bool> left_done{false};
  takt::fork_join(
      [&] {
        HOST_CHECK(host::wait_until([&] { return taken.load(); }));
        left_done = true;
      },
      [&] {
        taken = true;
        HOST_CHECK(host::wait_until([&] { return left_done.load(); }));
        (void)fib(18);
      });
}

void stays_where_it_is() {
  const auto once = [] {
    const takt::stay here;
    const pid_t before = host::current_thread();
    int& mine = *mine_now();
    ++mine;
    wait_for_another_worker();
    takt::parallel_for(0, 100, [](int i) { (void)fib(i % 12); });
    HOST_CHECK(host::current_thread() == before && &mine == mine_now());
    --mine;
    HOST_CHECK(mine == 0);
  };
  takt::fork_join(
      [&] {
        for (int round = 0; round < 50; ++round) once();
      },
      [] {});
}

// A mutex across a join, which only its own thread may unlock.
void keeps_a_mutex() {
  std::recursive_mutex mutex;
  takt::fork_join(
      [&] {
        const takt::stay here;
        const std::lock_guard guard(mutex);
        wait_for_another_worker();
        const std::lock_guard again(mutex);
      },
      [] {});
}

// Children that add children, all with forks of their own, with any number of workers, one included.
void waits_for_a_group() {
  takt::fork_join(
      [] {
        const takt::stay here;
        const pid_t before = host::current_thread();
        takt::task_group group;
        std::atomic<int> ran{0};
        for (int i = 0; i < 40; ++i) {
          group.run([&] {
            (void)fib(10);
            group.run([&] {
              const takt::stay there;
              const pid_t its = host::current_thread();
              (void)fib(12);
              HOST_CHECK(host::current_thread() == its);
              ran.fetch_add(1);
            });
          });
        }
        group.wait();
        HOST_CHECK(ran == 40);
        HOST_CHECK(host::current_thread() == before);
      },
      [] { (void)fib(15); });
}

}  // namespace

int main() {
  const takt::stay outside;  // does nothing
  for (const takt::policy policy : {takt::policy::random, takt::lab::random_private, takt::lab::random_mixed}) {
    for (const unsigned workers : {1u, 2u, 4u}) {
      for (const auto beat : {std::chrono::microseconds(1), std::chrono::microseconds(30)}) {
        takt::config settings;
        settings.workers = workers;
        settings.beat = beat;
        settings.policy = policy;
        takt::configure(settings);
        for (int round = 0; round < 10; ++round) waits_for_a_group();
        if (workers == 1) continue;
        // Every fork is a task, so that each join has something to wait for.
        settings.trigger = takt::lab::eager;
        takt::configure(settings);
        stays_where_it_is();
        keeps_a_mutex();
      }
    }
  }
}
