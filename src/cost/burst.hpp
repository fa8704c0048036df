// Loops that are known to be short, and follow each other closely: what they take together.
#pragma once

#include <algorithm>
#include <cstdint>

namespace takt::cost {

class burst {
 public:
  /// What has run since the last pause.
  std::uint64_t all() const noexcept { return all_; }

  /// A loop begins at `now` that is known to take `ticks`; what is behind a `pause` is forgotten. What is longer than
  /// `most`, or unknown, counts as that. @returns all().
  std::uint64_t add(std::uint64_t now, std::uint64_t ticks, std::uint64_t pause, std::uint64_t most) noexcept {
    ticks = std::min(ticks, most);
    // It may be over sooner than was known, but not by more than it was to take.
    if (now - over_ > pause && over_ - now > most) all_ = 0;
    all_ = std::min(all_ + ticks, most);
    over_ = now + ticks;
    return all_;
  }
  /// What took long, or was not known to be short, is over at `now`.
  void end_long(std::uint64_t now, std::uint64_t most) noexcept {
    all_ = most;
    over_ = now;
  }

 private:
  std::uint64_t all_ = 0;
  std::uint64_t over_ = 0;  ///< when the last one is likely to be over
};

}  // namespace takt::cost
