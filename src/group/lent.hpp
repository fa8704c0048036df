// Groups that a thread in no call has filled, and does not wait for yet. See README.md, "Children beside other code".
#pragma once

#include "worker/runtime.hpp"

#include <cstdint>

namespace takt::core {

struct lent_groups {
  /// Whether any of them has children that nobody has taken. seq_cst, so that a worker about to sleep can rely on it.
  static bool any_child() noexcept {
    // EDGE group.lent
    return with_children.load(sync::seq_cst) != 0;
  }
  /// Whether `w` may begin one: who waits for a call, or is held, may not.
  static bool any_child_for(const worker& w) noexcept { return any_child() && !awaits_one_thing(w); }
  /// For `w`, which has nothing to do. @returns an entry, or entry::k_none.
  static std::uint64_t take(worker& w) noexcept;
  /// In a child of fork(2): what others have taken is not there.
  static void go_on_alone() noexcept;

  /// How many have children.
  static inline sync::atomic<std::uint32_t> with_children{0};
};

}  // namespace takt::core
