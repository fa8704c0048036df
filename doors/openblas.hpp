// OpenBLAS on takt: its threaded calls run on takt's workers. From version 0.3.28.
//
//     takt::doors::use_in_openblas();
//     openblas_set_num_threads(static_cast<int>(takt::current_config().workers));
#pragma once

#include <takt/spawn.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

/// Weak: older versions have none.
extern "C" [[gnu::weak]] void openblas_set_threads_callback_function(void (*callback)(int, void (*)(int, void*, int), int,
                                                                                      std::size_t, void*, int));

namespace takt::doors {

/// What OpenBLAS calls with the jobs of one call. They wait for each other, by spinning: so each has a thread for itself,
/// a worker's if one is idle soon.
class openblas_jobs {
 public:
  using job = void (*)(int number, void* data, int extra);

  static void run(int, job call, int count, std::size_t bytes, void* data, int extra) noexcept {
    // Who has the same number has the same buffer.
    static std::mutex one_at_a_time;
    const std::lock_guard mine(one_at_a_time);
    const auto jobs = std::make_shared<openblas_jobs>(call, count, bytes, data, extra);
    for (int i = 1; i < count; ++i) {
      takt::spawn(priority::high, [jobs] {
        // Without memory it is called at once.
        if (std::this_thread::get_id() != jobs->caller_) jobs->run_next();
      });
    }
    jobs->wait_for_workers();
    std::vector<std::thread> own;
    for (int i = jobs->next_++; i < count; i = jobs->next_++) own.emplace_back([&jobs = *jobs, i] { jobs.run_one(i); });
    jobs->run_one(0);
    // EDGE openblas.done: what the jobs have written.
    while (jobs->done_.load(std::memory_order_acquire) < count) std::this_thread::yield();
    for (std::thread& one : own) one.join();
  }

  openblas_jobs(job call, int count, std::size_t bytes, void* data, int extra) noexcept
      : call_(call), count_(count), bytes_(bytes), data_(static_cast<std::byte*>(data)), extra_(extra) {}

 private:
  void run_one(int i) noexcept {
    call_(i, data_ + static_cast<std::size_t>(i) * bytes_, extra_);
    // EDGE openblas.done: the caller goes on after this.
    done_.fetch_add(1, std::memory_order_release);
  }
  /// The caller and its data may be gone if none is left.
  void run_next() noexcept {
    if (const int i = next_++; i < count_) run_one(i);
  }
  /// As long as the start of a thread takes.
  void wait_for_workers() const noexcept {
    constexpr std::chrono::microseconds k_patience{50};
    const auto end = std::chrono::steady_clock::now() + k_patience;
    while (next_.load(std::memory_order_relaxed) < count_ && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
  }

  const job call_;
  const int count_;
  const std::size_t bytes_;
  std::byte* const data_;
  const int extra_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<int> next_{1};
  std::atomic<int> done_{0};
};

/// Before other calls of OpenBLAS. `set` is OpenBLAS's function, for builds that give their names a prefix.
/// @throws std::runtime_error if there is none
inline void use_in_openblas(decltype(&openblas_set_threads_callback_function) set = &openblas_set_threads_callback_function) {
  if (set == nullptr) {
    throw std::runtime_error("takt: this OpenBLAS has no openblas_set_threads_callback_function (0.3.28 and later have)");
  }
  set(&openblas_jobs::run);
}

}  // namespace takt::doors
