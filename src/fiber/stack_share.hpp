// What stacks may reserve of a limited address space. See README.md, "A limited address space".
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

/// Thread-safe, without a lock. Sizes in bytes of address space.
class stack_share {
 public:
  /// `most_bytes`: of all stacks together.
  explicit stack_share(std::uint64_t most_bytes) noexcept : most_bytes_(most_bytes) {}

  /// A stack more. @returns false if it does not fit, and is not in the place of a block that is as large.
  bool take(std::uint64_t bytes, std::uint64_t in_place_of) noexcept {
    std::uint64_t before = taken_.load(sync::relaxed);
    do {
      if (bytes > in_place_of && before + bytes > most_bytes_) return false;
    } while (!taken_.compare_exchange_strong(before, before + bytes, sync::relaxed, sync::relaxed));
    return true;
  }
  void give(std::uint64_t bytes) noexcept { taken_.fetch_sub(bytes, sync::relaxed); }

  /// Whether stacks have taken more.
  bool is_exceeded() const noexcept { return taken_.load(sync::relaxed) > most_bytes_; }
  /// Whether it is enough for two of that size, if there are no others: with fewer there is no parallelism.
  bool has_room_for_two(std::uint64_t bytes) const noexcept { return bytes <= most_bytes_ / 2; }

 private:
  const std::uint64_t most_bytes_;
  sync::atomic<std::uint64_t> taken_{0};
};

}  // namespace takt::core
