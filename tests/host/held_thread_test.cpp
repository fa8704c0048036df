// Code that must stay on its thread, with a lock over a join or without; callers that find no seat; tasks that sleep for
// memory below them. Whoever waits may run what it waits for (src/worker/README.md): else these do not end.
#include "host.hpp"

#include <takt/lab.hpp>
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

std::atomic<long> ran{0};

void some_work() {
  volatile int i = 0;
  while (i < 2000) i = i + 1;
  ++ran;
}

// A group that is left to a branch, which waits for it. 2.
void wait_in_a_branch() {
  takt::task_group group;
  group.run(&some_work);
  takt::fork_join([&] { group.wait(); }, &some_work);
}

// 3.
void wait_for_three() {
  takt::task_group group;
  for (int i = 0; i < 3; ++i) group.run(&some_work);
  group.wait();
}

// Children that add children. Each runs `code` as well.
void add(takt::task_group& group, int i, int count, void (*code)()) {
  if (i == count) return;
  group.run([&group, i, count, code] {
    add(group, i + 1, count, code);
    code();
  });
}

// 6.
void mixed() {
  takt::task_group group;
  group.run(&wait_in_a_branch);
  group.run(&some_work);
  group.run(&wait_for_three);
  group.wait();
}

// Each iteration has the lock while it waits for `code`, which does not want it.
long under_a_lock(int iterations, void (*code)()) {
  ran = 0;
  std::mutex lock;
  takt::parallel_for(0, iterations, [&](int) {
    const takt::stay here;
    const std::lock_guard guard(lock);
    code();
  });
  return ran;
}

void locks() {
  for (int round = 0; round < 100; ++round) {
    HOST_CHECK(under_a_lock(6, [] { takt::parallel_for(0, 6, [](int) { wait_in_a_branch(); }); }) == 6 * 6 * 2);
    HOST_CHECK(under_a_lock(6, [] {
                 takt::task_group group;
                 for (int i = 0; i < 4; ++i) group.run(&wait_in_a_branch);
                 group.wait();
               }) == 6 * 4 * 2);
    HOST_CHECK(under_a_lock(6, [] {
                 takt::task_group group;
                 add(group, 0, 4, &wait_in_a_branch);
                 group.wait();
               }) == 6 * 4 * 2);
    HOST_CHECK(under_a_lock(6, [] {
                 takt::task_group group;
                 add(group, 0, 4, &mixed);
                 group.wait();
               }) == 6 * 4 * 6);
  }
}

// A group's other children want the lock, and lie in front of what is waited for under it.
void locks_beside_siblings() {
  for (int round = 0; round < 200; ++round) {
    std::mutex lock;
    long n = 0;
    takt::task_group outer;
    const auto child = [&] {
      const std::lock_guard guard(lock);
      ++n;
    };
    for (int i = 0; i < 4; ++i) outer.run(child);
    {
      const takt::stay here;
      const std::lock_guard guard(lock);
      takt::task_group inner;
      inner.run(&some_work);
      inner.wait();
      takt::fork_join(&some_work, &some_work);
    }
    outer.wait();
    HOST_CHECK(n == 4);
  }
}

// A group that all share: added to without the lock, waited for under it.
void one_group_for_all() {
  for (int round = 0; round < 100; ++round) {
    ran = 0;
    std::mutex lock;
    takt::task_group group;
    takt::parallel_for(0, 8, [&](int) {
      group.run(&some_work);
      const takt::stay here;
      const std::lock_guard guard(lock);
      takt::parallel_for(0, 2, [&](int k) {
        if (k == 0) group.wait();
      });
    });
    group.wait();
    HOST_CHECK(ran == 8);
  }
}

// The lock of who has made a call is wanted by another call's tasks.
void a_callers_lock() {
  std::mutex lock;
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) {
      takt::parallel_for(0, 8, [&](int) {
        const std::lock_guard guard(lock);
        some_work();
      });
    }
  });
  for (int round = 0; round < 100; ++round) {
    const std::lock_guard guard(lock);
    takt::parallel_for(0, 8, [](int) { wait_in_a_branch(); });
  }
  stop = true;
  other.join();
}

void memory_under_a_lock() {
  std::mutex lock;
  long n = 0;
  for (int round = 0; round < 20; ++round) {
    takt::parallel_for(0, 24, [&](int) {
      const takt::stay here;
      const std::lock_guard guard(lock);
      takt::parallel_for(0, 4, [](int) {
        const takt::memory_scope scratch(1 << 20);
        some_work();
      });
      ++n;
    });
  }
  HOST_CHECK(n == 20 * 24);
}

void memory_without_a_lock() {
  ran = 0;
  constexpr int k_rounds = 200;
  for (int round = 0; round < k_rounds; ++round) {
    takt::task_group group(takt::group_order::oldest_first);
    for (int i = 0; i < 3; ++i) group.run(&some_work);
    group.run([] {
      const takt::stay here;
      takt::task_group inner;
      for (int k = 0; k < 5; ++k) {
        inner.run([k] {
          const takt::memory_scope scratch(std::size_t{1} << (16 + k));
          if (k < 3) some_work();
          if (k == 3) wait_in_a_branch();
          if (k == 4) takt::parallel_invoke(&some_work, &wait_in_a_branch, &some_work);
        });
      }
      inner.wait();
    });
    group.run(&some_work);
    group.wait();
  }
  HOST_CHECK(ran == k_rounds * (4 + 3 + 2 + 4));
}

// Tasks wait for threads that make calls of their own: as many as there are workers, so that no seat is free for them.
void threads_that_are_joined(unsigned workers) {
  std::atomic<int> begun{0};
  ran = 0;
  const auto task = [&] {
    // All seats are taken before any thread is started.
    ++begun;
    HOST_CHECK(host::wait_until([&] { return begun == static_cast<int>(workers); }), "%d of %u began, trigger %d", begun.load(), workers, static_cast<int>(takt::current_config().trigger));
    std::thread([] {
      takt::task_group group;
      takt::fork_join([&] { group.run(&some_work); }, [&] { group.run(&some_work); });
      group.wait();
      wait_in_a_branch();
    }).join();
  };
  takt::task_group all;
  for (unsigned i = 0; i < workers; ++i) all.run(task);
  all.wait();
  HOST_CHECK(ran == 4 * static_cast<long>(workers));
}

struct when {
  takt::trigger trigger;
  std::chrono::microseconds beat;
};

}  // namespace

int main() {
  using std::chrono::microseconds;
  for (const unsigned workers : {1u, 2u, 3u, 4u, 8u}) {
    for (const when w : {when{takt::trigger::lazy, microseconds(30)}, when{takt::lab::beat, microseconds(0)},
                         when{takt::lab::eager, microseconds(30)}}) {
      takt::lab::config c;
      c.workers = workers;
      c.trigger = w.trigger;
      c.beat = w.beat;
      takt::lab::configure(c);
      locks();
      locks_beside_siblings();
      one_group_for_all();
      a_callers_lock();
      // Where a beat is every poll, no signal comes for what a task that waits has left.
      if (w.beat.count() != 0) threads_that_are_joined(workers);

      c.lab.hybrid = true;
      takt::lab::configure(c);
      memory_under_a_lock();
      c.lab.hybrid = false;
      c.policy = takt::lab::asyncdf;
      takt::lab::configure(c);
      memory_under_a_lock();
      memory_without_a_lock();
      c.policy = takt::policy::automatic;
      c.memory = 1 << 20;
      takt::lab::configure(c);
      memory_under_a_lock();
      memory_without_a_lock();
    }
  }
}
