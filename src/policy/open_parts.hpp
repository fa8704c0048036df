// Parts that several workers take from one record by setting a bit each. See README.md, "A start like a broadcast".
#pragma once

#include "sync/atomic.hpp"

#include <bit>
#include <cstdint>

namespace takt::core {

/// `What` says what the parts are of: it can be read by whoever has taken a part, until the record is closed. The record
/// itself is never freed while others may look at it, and is opened again and again.
template <class What>
class open_parts {
 public:
  static constexpr unsigned k_none = ~0u;

  struct part {
    unsigned index = k_none;
    bool is_last = false;  ///< nobody will find another one
  };

  // --- owner
  /// Whether it has been closed, or never opened.
  bool is_unused() const noexcept {
    // EDGE offer.closed
    return in_use_.load(sync::acquire) == 0;
  }
  /// Nobody can take a part yet.
  void prepare(const What& is, unsigned parts) noexcept {
    in_use_.store(1, sync::relaxed);
    is_.set(is);
    parts_.store(parts, sync::relaxed);
  }
  /// Others may take any part but the first, which is the owner's.
  void open() noexcept {
    // EDGE offer.part: what it says is written before anybody takes a part.
    taken_.store(~std::uint64_t{0} << parts() | 1, sync::release);
  }
  /// By whoever knows that all who have taken a part are done with it.
  void close() noexcept {
    // EDGE offer.closed
    in_use_.store(0, sync::release);
  }

  // --- any thread
  /// Takes the first part from `wanted` on that is free, or any. `index`: k_none if there is none.
  part take(unsigned wanted) noexcept {
    std::uint64_t taken = taken_.load(sync::relaxed);
    for (;;) {
      const std::uint64_t free = ~taken;
      if (free == 0) return {};
      const std::uint64_t beyond = free >> wanted << wanted;
      const auto index = static_cast<unsigned>(std::countr_zero(beyond != 0 ? beyond : free));
      const std::uint64_t bit = std::uint64_t{1} << index;
      // EDGE offer.part
      taken = taken_.fetch_or(bit, sync::acq_rel);
      if ((taken & bit) == 0) return {index, (taken | bit) == ~std::uint64_t{0}};
    }
  }
  /// How many are free.
  unsigned left() const noexcept { return static_cast<unsigned>(std::popcount(~taken_.load(sync::relaxed))); }
  /// Of how many it was opened last.
  unsigned parts() const noexcept { return parts_.load(sync::relaxed); }
  /// For who has taken a part, and the owner.
  What is() const noexcept { return is_.get(); }

 private:
  sync::atomic<std::uint64_t> taken_{~std::uint64_t{0}};
  sync::plain<What> is_;
  sync::atomic<std::uint32_t> parts_{0};
  sync::atomic<std::uint32_t> in_use_{0};
};

}  // namespace takt::core
