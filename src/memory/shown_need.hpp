// How much the path to the leftmost may need, from what it has held so far. See README.md, "What is kept free".
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace takt::core {

/// Not thread-safe. All in bytes.
class shown_need {
 public:
  /// `unknown`: what is assumed as long as nothing has been shown.
  explicit shown_need(std::int64_t unknown) noexcept : unknown_(unknown) {}

  /// The path holds so much now.
  void note(std::int64_t held) noexcept {
    note_most(held);
    if (held > top_) {
      top_ = low_ = held;
    }
    low_ = std::min(low_, held);
    if (repeats_ != 0) {
      grows_ = std::max(grows_, static_cast<double>(top_ - from_) / static_cast<double>(repeats_));
    }
    const std::int64_t step = std::max<std::int64_t>(most_ / k_steps, 1);
    // Neither a fall that is over, nor a rise before it: nothing that could be told from noise.
    if (held - low_ < step) return;
    const std::int64_t rise = top_ - from_;
    const std::int64_t kept = low_ - from_;
    if (rise >= step && kept <= rise / k_near && -kept <= rise / k_near) {
      is_shown_ = true;
      shown_most_ = most_;
      if (repeats_ == 0) repeats_ = rise;
    } else {
      repeats_ = 0;
    }
    from_ = low_;
    top_ = low_ = held;
  }
  /// The same of a path whose course is not looked at.
  void note_most(std::int64_t held) noexcept {
    most_ = std::max(most_, held);
    if (most_ - shown_most_ > shown_most_ / k_near) is_shown_ = false;
  }
  /// The next note() is of another path.
  void begin(std::int64_t held) noexcept {
    from_ = top_ = low_ = held;
    begin_call();
  }
  /// What follows what is repeated is that of one call.
  void begin_call() noexcept {
    repeats_ = 0;
    grows_ = 1;
  }

  /// The most that has been seen.
  std::int64_t most() const noexcept { return most_; }
  /// To be kept free, with what the path holds already. `before`: of what is assumed, so much was held before it began.
  /// What is repeated may be followed by more, as it has been before: a recursion does on each level what it did above.
  std::int64_t bytes(std::int64_t before = 0) const noexcept {
    const std::int64_t assumed = unknown_ - before;
    const double next = static_cast<double>(from_) + grows_ * static_cast<double>(repeats_);
    const bool is_known = is_shown_ && next < static_cast<double>(assumed);
    return std::max(most_, is_known ? static_cast<std::int64_t>(next) : assumed);
  }

 private:
  /// Rises and falls of less than a sixteenth of the most are not looked at; within an eighth of its rise it has come
  /// back to where it began.
  static constexpr std::int64_t k_steps = 16;
  static constexpr std::int64_t k_near = 8;

  const std::int64_t unknown_;
  std::int64_t most_ = 0;
  bool is_shown_ = false;
  std::int64_t shown_most_ = 0;  ///< the most when it was
  std::int64_t from_ = 0;        ///< where the last rise began
  std::int64_t top_ = 0;         ///< the most since
  std::int64_t low_ = 0;         ///< the least since that
  std::int64_t repeats_ = 0;     ///< the first rise from there that has been shown; 0: none has
  double grows_ = 1;             ///< the most that a path has risen from where it repeated something, in those rises
};

/// How much a computation may come to hold, from what it takes at first. Not thread-safe. Bytes.
class grown_need {
 public:
  /// One that took `first` at first holds so much.
  void note(std::int64_t first, std::int64_t held) noexcept {
    if (first <= 0) return;
    const double grows = static_cast<double>(held) / static_cast<double>(first);
    double& by_size = by_size_[size(first)];
    by_size = std::max(by_size, grows);
    grows_ = std::max(grows_, grows);
  }
  /// As many times as much as others that took about as much at first, or as any, if there are none; but no more than a
  /// path has ever held.
  std::int64_t of(std::int64_t first, std::int64_t most) const noexcept {
    if (most <= first) return first;
    const double by_size = by_size_[size(first)];
    const double grown = (by_size > 0 ? by_size : grows_) * static_cast<double>(first);
    return grown < static_cast<double>(most) ? std::max(first, static_cast<std::int64_t>(grown)) : most;
  }

 private:
  // By powers of two.
  static unsigned size(std::int64_t bytes) noexcept {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0))));
  }

  double by_size_[65] = {};  ///< 0: none has been seen
  double grows_ = 1;
};

}  // namespace takt::core
