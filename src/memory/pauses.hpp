// Schedulers that hold tasks back before they allocate, beside the budget: none. (A build with TAKT_LAB has
// lab/seams/memory/pauses.hpp in this header's place.)
#pragma once

#include "worker/runtime.hpp"

#include <cstdint>

namespace takt::core {

struct sleeping_task;

/// What memory_keeper has of them.
class memory_pauses {
 public:
  explicit memory_pauses(runtime&) noexcept {}

  /// `w` has nothing to do. @returns a fiber for it to resume whose time has come.
  static constexpr fiber* take_due(worker&) noexcept { return nullptr; }
  /// `w` has found nothing. @returns a fiber for it to resume, due or not, if nobody else runs anything.
  static constexpr fiber* take_early(worker&) noexcept { return nullptr; }
  /// The second look before `w` parks: whether it may resume one, and the scope of the first.
  static constexpr bool is_any_for(const worker&) noexcept { return false; }
  static constexpr std::uint32_t scope_of_any_for(const worker&) noexcept { return 0; }
  /// `w` will not come by any more: those of its call are everybody's.
  void hand_over_all(worker&) noexcept {}
  /// Somebody is about to run `f`.
  void is_taken(fiber&) const noexcept {}
  /// `f`, which has slept for the budget, takes so much now.
  void has_slept(fiber&, std::int64_t) const noexcept {}
  /// `f` is ready, on its stack, and `w` would resume it. @returns whether it is left to who comes to it.
  static constexpr bool leaves_in_order(const worker&, fiber&) noexcept { return false; }

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
