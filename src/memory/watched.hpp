// What takt and the library that watches a program's allocations (preload/) know of each other.
#pragma once

#include <takt/abi.hpp>

#include <cstdint>

namespace takt::core {

/// What has been counted: nothing, if `bytes` is 0.
struct counted_memory {
  std::uint64_t bytes = 0;
  std::uint16_t place = 0;  ///< where, for statistics; 0: nobody knows
};

/// What the watcher calls.
struct memory_reports {
  /// A task's code is about to allocate so much. With `may_wait` it may be made to wait, and come back on another
  /// thread. `code`: where the allocation returns to; null: it is more of what has been counted at `place`.
  /// @returns nothing: this is no task's code.
  counted_memory (*take)(std::uint64_t bytes, bool may_wait, const void* code, std::uint16_t place) noexcept;
  /// It has freed so much of what has been counted. Anywhere, in signal handlers too; never waits.
  void (*give)(counted_memory what) noexcept;
};

}  // namespace takt::core

/// Called once by the first runtime of a takt that finds it; of several the first counts. If what they hand over changes,
/// so does the name: else a program linked with an older takt would be told what it does not understand.
extern "C" TAKT_EXPORT void takt_memory_watcher(const takt::core::memory_reports* reports) noexcept
    __asm__(TAKT_ABI_SYMBOL(memory_watcher_with_places));
