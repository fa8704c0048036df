// Chunks of leaf loops sized by counting polls (HBC paper, sections 3.2 and 5.1). See README.md beside this file.
#pragma once

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// How many iterations of leaf loops one worker runs between two polls. A chunk goes on from one loop to the next.
class polled_chunks {
 public:
  /// Heartbeats whose least number of polls decides about the next size.
  static constexpr unsigned k_window = 8;
  /// Polls per heartbeat that are aimed at.
  static constexpr std::uint64_t k_target = 4;
  /// Far beyond any loop, and far enough below 2^64 for sums.
  static constexpr std::uint64_t k_most = std::uint64_t{1} << 60;

  /// `fixed`: iterations of every chunk, at most k_most; 0: adapted, beginning with one.
  explicit polled_chunks(std::uint64_t fixed) noexcept
      : size_(fixed == 0 ? 1 : fixed), left_(size_), adapts_(fixed == 0) {}

  std::uint64_t size() const noexcept { return size_; }
  /// Iterations that the chunk under way still has, at least one.
  std::uint64_t left() const noexcept { return left_; }

  /// A task begins on this worker, or is resumed: with a whole chunk.
  void begin_task(std::uint64_t now) noexcept {
    left_ = size_;
    begin_interval(now);
  }

  /// `iterations` have been run. @returns true when they end the chunk: a poll is due. They may be more than left()
  /// says now: a loop that nests, or goes on here after it waited, asked before others took from the chunk.
  bool ran(std::uint64_t iterations) noexcept {
    const bool ends = iterations >= left_;
    left_ = ends ? size_ : left_ - iterations;
    return ends;
  }

  /// That poll, at the time `now`, with a heartbeat every `beat` ticks.
  void polled(std::uint64_t now, std::uint64_t beat) noexcept {
    ++polls_;
    if (now - since_ < beat) return;
    least_polls_ = std::min(least_polls_, polls_);
    if (++beats_ == k_window) {
      if (adapts_) resize();
      beats_ = 0;
      least_polls_ = ~0ull;
    }
    left_ = size_;
    begin_interval(now);
  }

 private:
  void begin_interval(std::uint64_t now) noexcept {
    polls_ = 0;
    since_ = now;
  }
  void resize() noexcept {
    const double wanted = static_cast<double>(size_) * static_cast<double>(least_polls_) / double{k_target};
    size_ = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(wanted, double{k_most})), 1, k_most);
  }

  std::uint64_t size_;
  std::uint64_t left_;
  bool adapts_;
  unsigned beats_ = 0;                 ///< in this window
  std::uint64_t polls_ = 0;            ///< in this interval between heartbeats
  std::uint64_t least_polls_ = ~0ull;  ///< in an interval of this window
  std::uint64_t since_ = 0;            ///< when this interval began
};

}  // namespace takt::core
