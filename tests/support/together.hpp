// Making two pieces of code run at the same time, without a clock: both wait until both have begun. Such a test hangs,
// and ends in ctest's time limit, when the runtime does not give the second piece to another thread.
#pragma once

#include <takt/takt.hpp>

#include "worker/join_word.hpp"

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <latch>
#include <new>
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

/// Asked while the right branch of a promoted fork runs, whose frame is `pushed`: whether the computation has left its
/// stack to wait for this branch.
inline bool is_waited_for(const takt::abi::slot* pushed) {
  // Two are counted until then, itself and the branch.
  return std::launder(reinterpret_cast<const takt::core::join_word*>(pushed->join))->children_done();
}

/// A join that the computation leaves on another thread than it came on: the stolen branch ends after the computation
/// has left its stack to wait. `left` is what the left branch does. @returns whether the computation has moved. For the
/// eager trigger and two workers.
template <class Left>
bool join_that_moves(Left left) {
  std::latch both(2);
  std::atomic<takt::abi::slot*> frame{nullptr};
  const auto before = current_thread();
  takt::fork_join(
      [&] {
        both.arrive_and_wait();
        left();
        frame.store(takt::detail::head() - 1, std::memory_order_release);
      },
      [&] {
        both.arrive_and_wait();
        takt::abi::slot* pushed = nullptr;
        while ((pushed = frame.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
        while (!is_waited_for(pushed)) std::this_thread::yield();
      });
  return current_thread() != before;
}
inline bool join_that_moves() {
  return join_that_moves([] {});
}

}  // namespace takt_test
