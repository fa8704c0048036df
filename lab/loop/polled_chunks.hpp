// Chunks of leaf loops sized by counting polls (HBC paper, sections 3.2 and 5.1). See lab/README.md.
#pragma once

#include <takt/abi.hpp>
#include <takt/lab.hpp>

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// How many iterations of leaf loops one worker runs between two polls. A chunk goes on from one loop to the next: what
/// is left of it is the worker's credit.
class polled_chunks {
 public:
  /// Heartbeats whose least number of polls decides about the next size.
  static constexpr unsigned k_window = 8;
  /// What one iteration takes from the credit: as much as 16 iterations of a loop around it.
  static constexpr std::uint32_t k_units = 16 * abi::k_iteration_units;
  /// A whole chunk is less than one iteration of a loop that has never run, or nests, costs.
  static constexpr std::uint64_t k_most = (abi::k_unknown_cost - 1) / k_units;
  static_assert(lab::k_most_chunk <= k_most);

  /// Chunks of so many iterations, at most k_most.
  static polled_chunks fixed(std::uint64_t size) noexcept { return {size, 0}; }
  /// Chunks that adapt, beginning with one iteration; `target`: the polls per heartbeat that are aimed at, at least 1.
  static polled_chunks adapted(std::uint64_t target) noexcept { return {1, target}; }

  std::uint64_t size() const noexcept { return size_; }
  /// The credit for a chunk.
  std::int64_t refill() const noexcept { return static_cast<std::int64_t>(size_) * k_units; }

  /// A task begins on this worker, or is resumed.
  void begin_task(std::uint64_t now) noexcept {
    polls_ = 0;
    since_ = now;
  }

  /// A poll at the time `now`, with a heartbeat every `beat` ticks.
  void polled(std::uint64_t now, std::uint64_t beat) noexcept {
    ++polls_;
    if (now - since_ < beat) return;
    least_polls_ = std::min(least_polls_, polls_);
    if (++beats_ == k_window) {
      if (target_ != 0) resize();
      beats_ = 0;
      least_polls_ = ~0ull;
    }
    polls_ = 0;
    since_ = now;
  }

 private:
  polled_chunks(std::uint64_t size, std::uint64_t target) noexcept : size_(size), target_(target) {}

  void resize() noexcept {
    const double wanted = static_cast<double>(size_) * static_cast<double>(least_polls_) / static_cast<double>(target_);
    size_ = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::min(wanted, double{k_most})), 1);
  }

  std::uint64_t size_;
  std::uint64_t target_;               ///< 0: the size stays
  unsigned beats_ = 0;                 ///< in this window
  std::uint64_t polls_ = 0;            ///< in this interval between heartbeats
  std::uint64_t least_polls_ = ~0ull;  ///< in an interval of this window
  std::uint64_t since_ = 0;            ///< when this interval began
};

}  // namespace takt::core
