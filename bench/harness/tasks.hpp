// Counts of the tasks that a program made, for systems that have no counters of their own.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace takt::bench {

// One counter per thread, so that counting does not slow down what it counts.
class task_counters {
 public:
  static void add(std::uint64_t tasks) {
    std::atomic<std::uint64_t>& mine = cells_[index()].value;
    mine.store(mine.load(std::memory_order_relaxed) + tasks, std::memory_order_relaxed);
  }
  // Of all threads; call it when no task runs.
  static std::uint64_t total() {
    std::uint64_t sum = 0;
    for (const cell& one : cells_) {
      sum += one.value.load(std::memory_order_relaxed);
    }
    return sum;
  }

 private:
  struct alignas(64) cell {
    std::atomic<std::uint64_t> value;
  };
  // More threads than the runners can be asked for share counters, and would lose counts.
  static constexpr std::size_t k_most_threads = 4096;

  static std::size_t index() {
    thread_local const std::size_t mine = threads_.fetch_add(1) % k_most_threads;
    return mine;
  }

  static inline std::array<cell, k_most_threads> cells_;
  static inline std::atomic<std::size_t> threads_{0};
};

}  // namespace takt::bench
