// Scopes: what a task belongs to beside its code, named by a small number so that it fits into a deque entry.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace takt::core {

/// The scope ids of a runtime. Today a scope is an outermost call, and all there is to know of it is who holds it.
///
/// A worker that adopts calls has an id of its own and uses it for one call after the other. Everything else that may
/// outlive a call and still names its id holds it, too: children of groups, from promotion or injection until they have
/// run. So an id stands for one call at a time, however many calls there have been.
class scope_table {
 public:
  /// Beside a task's address of 57 bits, without the six zeros of its alignment, an entry has room for so many.
  static constexpr unsigned k_bits = 13;
  static constexpr std::uint32_t k_most = (1u << k_bits) - 1;

  /// For a call. @returns 0 when all are taken, or memory is short: the call then runs serially.
  std::uint32_t take() noexcept {
    const std::lock_guard guard(mutex_);
    try {
      if (holders_ == nullptr) holders_.reset(new sync::atomic<std::uint32_t>[k_most + 1]);
      // Room for it first: giving an id back must not fail.
      if (unused_.capacity() == 0) unused_.reserve(k_most);
    } catch (...) {
      return 0;
    }
    std::uint32_t id = 0;
    if (!unused_.empty()) {
      id = unused_.back();
      unused_.pop_back();
    } else if (used_ < k_most) {
      id = ++used_;
    }
    if (id != 0) holders_[id].store(1, sync::relaxed);
    return id;
  }

  /// Somebody who holds `id`, or acts for its call, holds it once more.
  void hold(std::uint32_t id) noexcept { holders_[id].fetch_add(1, sync::relaxed); }
  void release(std::uint32_t id) noexcept {
    // EDGE scope.free: all that was done under the id comes before its next use.
    if (holders_[id].fetch_sub(1, sync::acq_rel) != 1) return;
    const std::lock_guard guard(mutex_);
    unused_.push_back(id);
  }
  /// The one that has taken it: whether nobody else holds it.
  bool is_alone(std::uint32_t id) const noexcept {
    // EDGE scope.free
    return holders_[id].load(sync::acquire) == 1;
  }

 private:
  std::unique_ptr<sync::atomic<std::uint32_t>[]> holders_;
  sync::mutex mutex_;
  std::vector<std::uint32_t> unused_;
  std::uint32_t used_ = 0;
};

}  // namespace takt::core
