// How members, and threads outside of regions, wait for each other. See README.md.
#pragma once

#include <takt/team.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace takt::openmp {

/// One that waits: a fiber leaves its stack, a thread outside of regions sleeps. On its stack.
class waiter {
 public:
  waiter() noexcept;
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;

  void wait() noexcept;
  /// Once. The waiter may be gone afterwards.
  void wake() noexcept;

  waiter* next = nullptr;
  const void* key = nullptr;

 private:
  const bool on_fiber_;
  abi::event event_{};
  std::atomic<std::uint32_t> woken_{0};
};

/// Held for a few instructions, never while code of the program runs.
class short_lock {
 public:
  void lock() noexcept;
  void unlock() noexcept { held_.store(0, std::memory_order_release); }
  /// In a child of fork(2), where who held it may be gone.
  void go_on_alone() noexcept { held_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> held_{0};
};

inline void spin_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Between looks at what somebody else does in a few instructions, who may have lost its CPU.
class short_wait {
 public:
  void pause() noexcept;

 private:
  unsigned round_ = 0;
};

/// Looks for a microsecond: what lies with others is looked at in between, and they fetch it again. Nobody yields:
/// beside others' processes that costs a time slice, and with it the whole team.
template <class Predicate>
bool is_soon(Predicate&& is_true) noexcept {
  for (unsigned i = 0; i < 64; ++i) {
    if (is_true()) return true;
    spin_pause();
  }
  return false;
}

/// Threads outside of takt's calls: as long as that is its value. Who changes it wakes all.
void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept;
void wake_all(const std::atomic<std::uint32_t>& word) noexcept;

bool is_on_fiber() noexcept;

/// Before a wait: looks in place, on a fiber as long as an idle worker stays awake and nobody wants the thread. A thread
/// outside of takt's calls looks once, as there are more threads than CPUs. @returns whether it has become true.
template <class Predicate>
bool look_for(Predicate&& is_true) noexcept {
  const auto has_come = [](void* self) noexcept {
    return is_soon(*static_cast<std::remove_reference_t<Predicate>*>(self));
  };
  return is_true() || (is_on_fiber() ? takt_team_linger(has_come, &is_true) : has_come(&is_true));
}

/// Where those wait for whom something must become true.
class condition {
 public:
  template <class Predicate>
  void wait(Predicate&& is_true) noexcept {
    if (look_for(is_true)) return;
    while (!is_true()) {
      waiter self;
      lock_.lock();
      self.next = first_;
      first_ = &self;
      // EDGE condition.waiting: seq_cst, as is what makes it true: who does that sees the waiter, or the waiter
      // sees that.
      waiting_.store(true, std::memory_order_seq_cst);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      if (is_true()) {
        remove(self);
        lock_.unlock();
        return;
      }
      lock_.unlock();
      self.wait();
    }
  }

  /// After it may have become true by a seq_cst write, for all.
  void notify() noexcept {
    // EDGE condition.waiting
    if (waiting_.load(std::memory_order_seq_cst)) wake_all();
  }

 private:
  void remove(waiter& self) noexcept;
  void wake_all() noexcept;

  std::atomic<bool> waiting_{false};
  short_lock lock_;
  waiter* first_ = nullptr;
};

/// Of four bytes that are zero at first, as programs have them: omp_lock_t, the names of critical constructs.
using lock_word = std::atomic<std::uint32_t>;
void acquire(lock_word& word) noexcept;
bool try_acquire(lock_word& word) noexcept;
void release(lock_word& word) noexcept;

/// Lets those go first who wait for the thread.
void yield() noexcept;

}  // namespace takt::openmp
