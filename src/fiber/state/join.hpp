// What joins keep for the computation on a fiber (src/join).
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

struct fiber;
struct helper;
class join_word;
class worker;

struct fiber_join {
  /// A computation begins that `end` waits for, or a root call.
  void begin(const join_word* end) noexcept {
    counts_in = end;
    stays = 0;
  }
  const join_word* parent() const noexcept { return counts_in; }
  bool must_stay() const noexcept { return stays != 0; }
  bool is_held() const noexcept { return held_by != nullptr; }
  // EDGE join.held
  void release() noexcept { released.store(1, sync::release); }
  // EDGE join.held
  bool is_released() const noexcept { return released.load(sync::acquire) != 0; }
  /// It goes on. @returns what the thread goes on with after it.
  fiber* end_hold() noexcept {
    held_by = nullptr;
    return held_below;
  }

  const join_word* counts_in = nullptr;     ///< that of its task; null: a root call
  const join_word* takes_back = nullptr;    ///< while it takes tasks back: of the group that it waits for; or null
  worker* held_by = nullptr;                ///< whose thread must go on with it; null: anybody resumes it
  fiber* held_below = nullptr;              ///< the one that this thread goes on with after it
  sync::atomic<std::uint32_t> released{0};  ///< what it waits for is over, while it is held
  std::uint32_t stays = 0;                  ///< how often its code has said that it must go on on this thread
  helper* helps = nullptr;  ///< of groups whose children it runs, away from their home; the innermost
};

}  // namespace takt::core
