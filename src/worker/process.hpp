// What outlives a runtime: which one is in force, and the outermost calls under way.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>
#include <mutex>

namespace takt::core {

class runtime;

/// One for the process.
struct process {
  /// Added to the calls while a runtime is being replaced.
  static constexpr std::int64_t k_replacing = std::int64_t{1} << 40;

  /// Counts a call of this thread, once no runtime is being replaced. While it has one, the thread is not cancelled: it
  /// may hold locks and have files open, and run parts of a computation whose other parts are elsewhere, on stacks that
  /// cannot be unwound to its own.
  static void begin_call() noexcept;
  static void end_call() noexcept;
  static bool any_call() noexcept { return (calls.load(sync::seq_cst) & (k_replacing - 1)) != 0; }
  /// Whether there is one at most.
  static bool is_only_call() noexcept { return (calls.load(sync::relaxed) & (k_replacing - 1)) <= 1; }
  /// Null before the first call. Whoever uses it counts as a call.
  static runtime* current() noexcept {
    // EDGE runtime.made
    return in_force.load(sync::acquire);
  }
  /// The calls that this thread has counted: in a child of fork(2) there are no others.
  static int calls_here() noexcept;

  static inline sync::atomic<std::int64_t> calls{0};
  static inline sync::atomic<runtime*> in_force{nullptr};
  /// Of runtimes: what was kept for later of another one is worth nothing.
  static inline sync::atomic<std::uint64_t> generation{0};
  /// When a start that memory was too short for is tried again; 0: none has failed.
  static inline sync::atomic<std::uint64_t> next_start{0};
  /// Held while one is made or replaced.
  static inline sync::mutex making;

  // What loops look at before they know whether they are in a worker; relaxed.
  /// What a loop must take at least to be worth a parallel call of its own; 0 before there is a runtime.
  static inline sync::atomic<std::uint64_t> short_call_ticks{0};
  /// The same after a loop of which others have had a part.
  static inline sync::atomic<std::uint64_t> parted_call_ticks{0};
  /// What loops must take together that follow each other within `pause_ticks`; 0: nothing.
  static inline sync::atomic<std::uint64_t> least_wake_ticks{0};
  static inline sync::atomic<std::uint64_t> pause_ticks{0};
  /// 1 once some code has changed its floating-point environment in the middle of a call (src/promotion).
  static inline sync::atomic<std::uint32_t> environments_change{0};
  /// takt_team_follow; or null.
  static inline sync::atomic<void* (*)()> state_outside{nullptr};
};

/// In a child of fork(2) something is needed that was running on other threads.
[[noreturn]] void lost_in_child() noexcept;

}  // namespace takt::core
