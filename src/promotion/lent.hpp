// Children that a thread in no call has added, and does not wait for yet: workers that have nothing to do take them.
// See src/join/README.md, "Children beside other code".
#pragma once

#include "promotion/promote.hpp"

#include <cstdint>

namespace takt::core {

/// One list for the process.
struct lent_children {
  /// `children` are found from here on, until remove().
  static void add(latent_children& children) noexcept;
  /// Once add() has been called for it, perhaps by another thread which is in the middle of it.
  static void remove(latent_children& children) noexcept;
  /// Wakes one worker that may begin some, or starts a thread.
  static void wake_for_some(runtime& r) noexcept;

  /// How many lists have children that nobody has taken: who owns them counts, under their lock. seq_cst, as who adds
  /// to an empty list looks for sleepers next, and who is about to sleep looks here afterwards.
  static inline sync::atomic<std::uint32_t> with_some{0};
  /// Whether `w` may begin one: who waits for one thing may not.
  static bool any_for(const worker& w) noexcept {
    return any() && !awaits_one_thing(w) && w.owner.rule.promotes();
  }
  static bool any() noexcept {
    // EDGE group.lent
    return with_some.load(sync::seq_cst) != 0;
  }
  /// For `w`, which has nothing to do. @returns an entry, or entry::k_none.
  static std::uint64_t take(worker& w) noexcept;

  /// In a child of fork(2): none is lent any more.
  static void go_on_alone() noexcept;
};

}  // namespace takt::core
