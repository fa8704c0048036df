// Real time and virtual time.
#pragma once

#include "generated/engines.hpp"
#include "sim/stand_in.hpp"
#include "support/together.hpp"

#include <semaphore.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace takt_generated {

/// How many may hold one at a time.
constexpr std::uint32_t holders_of_semaphore(std::uint32_t number) { return number + 1; }

class real_world : public world {
 public:
  real_world() {
    for (std::uint32_t s = 0; s < k_locks; ++s) sem_init(&semaphores_[s], 0, holders_of_semaphore(s));
  }
  void spend(std::uint64_t ns) override {
    // About so long, faster or slower as the machine is.
    std::uint64_t value = ns;
    for (std::uint64_t i = 0; i < ns / 8; ++i) value = mix(value, i);
    sink_.store(value, std::memory_order_relaxed);
  }
  std::uint64_t this_thread() override { return static_cast<std::uint64_t>(takt_test::current_thread()); }
  void lock(std::uint32_t number) override { locks_[number].lock(); }
  void unlock(std::uint32_t number) override { locks_[number].unlock(); }
  void acquire(std::uint32_t number) override {
    while (sem_wait(&semaphores_[number]) != 0) {
    }
  }
  void release(std::uint32_t number) override { sem_post(&semaphores_[number]); }
  std::function<void()> start(std::function<void()> f) override {
    auto thread = std::make_shared<std::thread>(std::move(f));
    return [thread] { thread->join(); };
  }
  bool has_foreign_locks() override { return true; }

 private:
  std::array<std::mutex, k_locks> locks_;
  std::array<sem_t, k_locks> semaphores_;
  std::atomic<std::uint64_t> sink_{0};
};

/// Ends the process, as a deadlock does, when for a second of its time nobody has done anything but look for work.
class watched_time : public takt::sim::virtual_time {
 public:
  using virtual_time::virtual_time;
  void relax(unsigned round) noexcept override {
    look();
    virtual_time::relax(round);
  }
  bool park(takt::platform::parker& p, std::uint64_t timeout_ticks) noexcept override {
    look();
    return virtual_time::park(p, timeout_ticks);
  }
  void note_progress() { progress_ = std::max(progress_, time()); }

 private:
  void look() {
    if (time() < progress_ + 1'000'000'000) return;
    std::fputs("nothing happens any more\n", stderr);
    std::_Exit(2);
  }
  std::uint64_t progress_ = time();
};

// A thread that blocks is a virtual thread that waits, so that a deadlock is one of the machine's.
class virtual_world : public world {
 public:
  explicit virtual_world(watched_time& on) : on_(on) {
    for (std::uint32_t s = 0; s < k_locks; ++s) semaphores_[s].free = holders_of_semaphore(s);
  }

  void spend(std::uint64_t ns) override {
    on_.spend(ns);
    on_.note_progress();
  }
  std::uint64_t this_thread() override { return on_.this_thread(); }
  void lock(std::uint32_t number) override { take(locks_[number]); }
  void unlock(std::uint32_t number) override { give(locks_[number]); }
  void acquire(std::uint32_t number) override { take(semaphores_[number]); }
  void release(std::uint32_t number) override { give(semaphores_[number]); }
  std::function<void()> start(std::function<void()> f) override {
    auto run = std::make_shared<std::function<void()>>(std::move(f));
    takt::platform::thread* const thread = on_.start_thread(
        [](void* self) { (*static_cast<std::function<void()>*>(self))(); }, run.get(), false);
    if (thread == nullptr) std::abort();
    return [this, run, thread] { on_.join_thread(thread); };
  }
  bool has_foreign_locks() override { return false; }

 private:
  struct sim_lock {
    std::uint32_t free = 1;
    std::deque<takt::platform::parker*> waiters;
  };
  void take(sim_lock& l) {
    // In the order of time.
    on_.spend(1);
    while (l.free == 0) {
      takt::platform::parker here;
      l.waiters.push_back(&here);
      while (!on_.park(here, 0)) {
      }
    }
    --l.free;
  }
  void give(sim_lock& l) {
    ++l.free;
    if (l.waiters.empty()) return;
    takt::platform::parker* const next = l.waiters.front();
    l.waiters.pop_front();
    on_.unpark(*next);
  }

  watched_time& on_;
  std::array<sim_lock, k_locks> locks_, semaphores_;
};

}  // namespace takt_generated
