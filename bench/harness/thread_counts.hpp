// Counters of the libraries that are loaded before a runner; see preloaded_counts.hpp.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace takt::bench {

// Threads beyond the last slot share it, so every slot is atomic; a slot of one's own keeps
// what is counted from being slowed down by it.
struct alignas(64) count_slot {
  std::atomic<std::uint64_t> tasks{0};
  std::atomic<std::int64_t> working_ns{0};
};

inline std::array<count_slot, 256> the_slots;

inline count_slot& my_slot() {
  static std::atomic<std::size_t> next{0};
  thread_local const std::size_t mine = next.fetch_add(1, std::memory_order_relaxed);
  return the_slots[mine < the_slots.size() ? mine : the_slots.size() - 1];
}

inline void count_task() { my_slot().tasks.fetch_add(1, std::memory_order_relaxed); }

inline std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

inline std::uint64_t tasks_of_all() {
  std::uint64_t sum = 0;
  for (const count_slot& slot : the_slots) {
    sum += slot.tasks.load(std::memory_order_relaxed);
  }
  return sum;
}

inline double working_s_of_all() {
  std::int64_t sum = 0;
  for (const count_slot& slot : the_slots) {
    sum += slot.working_ns.load(std::memory_order_relaxed);
  }
  return static_cast<double>(sum) * 1e-9;
}

}  // namespace takt::bench
