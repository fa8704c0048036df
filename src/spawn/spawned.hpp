// Functions that belong to no call, and that nobody has begun. See README.md.
#pragma once

#include "worker/runtime.hpp"

#include <cstdint>

namespace takt::core {

/// One list for each priority and process.
struct spawned {
  /// How many there are. seq_cst, as who adds one looks for sleepers next, and who is about to sleep looks here
  /// afterwards.
  static inline sync::atomic<std::uint32_t> waiting{0};
  static bool any() noexcept {
    // EDGE spawn.waiting
    return waiting.load(sync::seq_cst) != 0;
  }
  /// Those, and what has been begun.
  static inline sync::tally<std::uint64_t> not_done{0};
  /// For who has left a seat: somebody else is to begin one there, or may have one to go on with, which no adopter does.
  static bool want_seat(const runtime& r) noexcept {
    return any() || (r.any_ready() && not_done.load(sync::relaxed) != 0);
  }
  /// Whether `w` may begin one: who waits for one thing may not.
  static bool any_for(const worker& w) noexcept { return any() && !awaits_one_thing(w); }
  /// For `w`, which has nothing to do: the oldest of the highest priority, or `urgent` ones alone. @returns an entry, or
  /// entry::k_none.
  static std::uint64_t take(worker& w, bool urgent) noexcept;

  /// In a child of fork(2): all are the parent's.
  static void go_on_alone() noexcept;
};

}  // namespace takt::core
