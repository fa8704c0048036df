// What the memory of its tasks needs of a worker (src/memory).
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

struct worker_memory {
  /// By its thread. @returns all that is unreported now.
  std::int64_t note(std::int64_t bytes) noexcept {
    const std::int64_t all = unreported.load(sync::relaxed) + bytes;
    unreported.store(all, sync::relaxed);
    return all;
  }
  /// By its thread.
  std::int64_t take() noexcept {
    const std::int64_t all = untold();
    unreported.store(0, sync::relaxed);
    return all;
  }
  /// By anybody. A hint.
  std::int64_t untold() const noexcept { return unreported.load(sync::relaxed); }

  /// What its code has taken, less what it has given back, since this was last told. Bytes.
  sync::tally<std::int64_t> unreported{0};
  /// Those of its thread when that came, where allocations are watched.
  std::uint64_t blocked_signals = 0;
};

}  // namespace takt::core
