// A lock for lists that are held for a few instructions, with no user code among them.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

/// `relax(round)` is called while somebody else has it.
class spin_lock {
 public:
  template <class Relax>
  void lock(Relax&& relax) noexcept {
    for (unsigned round = 0;; ++round) {
      // EDGE spin_lock.held: all as the last holder left it.
      if (held_.exchange(1, sync::acquire) == 0) return;
      relax(round);
    }
  }
  bool try_lock() noexcept {
    // EDGE spin_lock.held
    return held_.exchange(1, sync::acquire) == 0;
  }
  void unlock() noexcept {
    // EDGE spin_lock.held
    held_.store(0, sync::release);
  }

  /// In a child of fork(2), where who held it may be gone. @returns whether nobody did.
  bool go_on_alone() noexcept { return held_.exchange(0, sync::relaxed) == 0; }

 private:
  sync::atomic<std::uint32_t> held_{0};
};

}  // namespace takt::core
