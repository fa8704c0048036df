// Schedulers that hold tasks back before they allocate, beside the budget: none. (A build with TAKT_LAB has
// lab/seams/memory/pauses.hpp in this header's place.)
#pragma once

#include "memory/memory_observer.hpp"
#include "worker/runtime.hpp"

#include <cstdint>

namespace takt::core {

struct sleeping_task;

/// What memory_keeper has of them.
class memory_pauses : public memory_observer {
 public:
  explicit memory_pauses(runtime&) noexcept {}

  /// `f`, which has slept for the budget, takes so much now.
  void has_slept(fiber&, std::int64_t) const noexcept {}

 protected:
  static constexpr bool pause() noexcept { return false; }
  /// Whether they need the serial order.
  static constexpr bool need_order() noexcept { return false; }
  /// `w` waits for one thing, in vain so far. @returns a fiber for it to resume, that it awaits.
  static constexpr fiber* take_awaited_pause(worker&) noexcept { return nullptr; }
  /// In a child of fork(2): for `f`, with the serial order. @returns its record, if it waits with one.
  static constexpr sleeping_task* end_pause_in_child(fiber&) noexcept { return nullptr; }
  void pauses_go_on_alone() noexcept {}
};

}  // namespace takt::core
