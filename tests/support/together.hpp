// Making two pieces of code run at the same time, without a clock: both wait until both have begun. Such a test hangs,
// and ends in ctest's time limit, when the runtime does not give the second piece to another thread.
#pragma once

#include <takt/takt.hpp>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <latch>
#include <thread>
#include <utility>

namespace takt_test {

/// The thread that runs this. std::this_thread::get_id() will not do across a join: the C library promises that
/// pthread_self() is constant, so a compiler may take the value from before.
[[gnu::noinline]] inline pid_t current_thread() noexcept {
  __asm__ volatile("" ::: "memory");
  return static_cast<pid_t>(::syscall(SYS_gettid));
}

/// A fork whose right branch is certainly stolen. The settings must make every fork a task, with a worker to spare.
template <class Left, class Right>
auto fork_apart(Left left, Right right) {
  std::latch both(2);
  return takt::fork_join(
      [&] {
        both.arrive_and_wait();
        return left();
      },
      [&] {
        both.arrive_and_wait();
        return right();
      });
}

/// As a latch, but without a system call: code that waits here never polls, blocks or yields.
class spin_latch {
 public:
  explicit spin_latch(int parties) : missing_(parties) {}
  void arrive_and_spin() {
    missing_.fetch_sub(1, std::memory_order_acq_rel);
    while (missing_.load(std::memory_order_acquire) > 0) {
    }
  }

 private:
  std::atomic<int> missing_;
};

/// A join that the computation most likely leaves on another thread than it came on, because the stolen branch ends
/// last. `left` is what the left branch does. @returns whether it did. For the eager trigger and two workers.
template <class Left>
bool join_that_moves(Left left) {
  std::latch both(2);
  std::atomic<bool> left_done{false};
  const auto before = current_thread();
  takt::fork_join(
      [&] {
        both.arrive_and_wait();
        left();
        left_done.store(true, std::memory_order_release);
      },
      [&] {
        both.arrive_and_wait();
        while (!left_done.load(std::memory_order_acquire)) std::this_thread::yield();
        // The left branch is about to wait: let it get there.
        for (int i = 0; i < 50; ++i) std::this_thread::yield();
      });
  return current_thread() != before;
}
inline bool join_that_moves() {
  return join_that_moves([] {});
}

}  // namespace takt_test
