// What takt and the library that watches a program's allocations (preload/) know of each other.
#pragma once

#include <takt/abi.hpp>

#include <cstdint>

namespace takt::core {

/// What the watcher calls.
struct memory_reports {
  /// A task's code is about to allocate so much. With `may_wait` it may be made to wait, and come back on another
  /// thread.
  /// @returns whether that is counted. False: this is no task's code.
  bool (*take)(std::uint64_t bytes, bool may_wait) noexcept;
  /// It has freed what has been counted. Anywhere, in signal handlers too; never waits.
  void (*give)(std::uint64_t bytes) noexcept;
};

}  // namespace takt::core

/// Called once by the first runtime of a takt that finds it; of several the first counts.
extern "C" TAKT_EXPORT void takt_memory_watcher(const takt::core::memory_reports* reports) noexcept
    __asm__(TAKT_ABI_SYMBOL(memory_watcher));
