// What the process has reported of its memory. See README.md.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

/// One for the process: what is taken in one call may be given back in another, or outside of all.
struct memory_ledger {
  /// What a worker gathers before it tells; and what a live fiber's stack counts for. Bytes.
  static constexpr std::int64_t k_least_report = 64 << 10;
  static constexpr std::int64_t k_stack_bytes = 64 << 10;

  /// `bytes` more; less, if negative.
  static void add(std::int64_t bytes) noexcept {
    const std::int64_t now = reported.fetch_add(bytes, sync::relaxed) + bytes;
    std::int64_t before = most.load(sync::relaxed);
    while (now > before && !most.compare_exchange_strong(before, now, sync::relaxed, sync::relaxed)) {
    }
  }
  static std::int64_t now() noexcept { return reported.load(sync::relaxed); }
  /// The most there has been since begin().
  static std::int64_t peak() noexcept { return most.load(sync::relaxed); }
  static void begin() noexcept { most.store(now(), sync::relaxed); }

  static inline sync::atomic<std::int64_t> reported{0};
  static inline sync::atomic<std::int64_t> most{0};
};

}  // namespace takt::core
