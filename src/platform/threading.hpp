// Threads: how they begin and end, sleep, wake and wait.
#pragma once

#include "sync/atomic.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::platform {

struct thread;

/// What a thread sleeps on. A token: unpark() leaves one, park() takes it.
struct parker {
  /// Several threads may wake it at once: no hint is given then where it is to run.
  bool woken_by_many = false;
  sync::atomic<std::uint32_t> token{0};
  // The platform's own: the sleeper, if the platform has started it, and since when it sleeps.
  sync::atomic<thread*> sleeper{nullptr};
  sync::atomic<std::uint64_t> since{0};
};

class threading {
 public:
  /// Starts a thread. @returns null when none can be had. `is_small`: address space is short, and it needs little.
  virtual thread* start_thread(void (*fn)(void*), void* argument, bool is_small) noexcept = 0;
  virtual void join_thread(thread* t) noexcept = 0;
  /// What a thread of start_thread() reserves.
  virtual std::size_t thread_reserve(bool is_small) noexcept {
    (void)is_small;
    return 0;
  }

  /// Blocks until the parker has a token, and takes it. @returns false when `timeout_ticks` (0: none) passed first.
  virtual bool park(parker& p, std::uint64_t timeout_ticks) noexcept = 0;
  virtual void unpark(parker& p) noexcept = 0;
  /// One step of a spin loop; later rounds give the CPU away.
  virtual void relax(unsigned round) noexcept = 0;
  /// Seed for one worker's choice of victims.
  virtual std::uint64_t seed() noexcept = 0;

  /// Names a variable of the calling thread that each thread must have for itself, beside takt_hot, and what is to be
  /// called when a thread ends. For platforms whose threads are none of the operating system's.
  virtual void keep_per_thread(void* variable, std::size_t bytes, void (*at_end)() noexcept) noexcept {
    (void)variable, (void)bytes, (void)at_end;
  }
  /// From now on `at_end` will be called when the calling thread ends. @returns false when that cannot be had.
  virtual bool watch_this_thread() noexcept { return true; }
  /// Where other threads find `variable` of the calling thread, a thread-local one; null on platforms where they
  /// cannot.
  virtual void* seen_by_others(void* variable) noexcept {
    (void)variable;
    return nullptr;
  }
  /// The process is a child of fork(2): the calling thread is its first, whatever it was before.
  virtual void begin_in_child() noexcept {}

 protected:
  ~threading() = default;
};

}  // namespace takt::platform
