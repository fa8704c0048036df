// What a worker has of teams (src/team): fibers that are ready and go on on its thread alone.
#pragma once

#include "fiber/fiber.hpp"
#include "platform/threading.hpp"
#include "sync/spin_lock.hpp"

#include <cstdint>

namespace takt::core {

/// First come, first served. Anybody adds, the thread takes.
class bound_fibers {
 public:
  void put(fiber& f, platform::threading& threading) noexcept {
    f.stack.next = nullptr;
    lock_.lock([&threading](unsigned round) { threading.relax(round); });
    (last_ != nullptr ? last_->stack.next : first_) = &f;
    last_ = &f;
    // EDGE bound.count: seq_cst, as for an injected task: who sleeps sees it, or is seen asleep.
    count_.fetch_add(1, sync::seq_cst);
    lock_.unlock();
  }
  /// @returns null if there is none.
  fiber* take(platform::threading& threading) noexcept {
    if (!any()) return nullptr;
    lock_.lock([&threading](unsigned round) { threading.relax(round); });
    fiber* const f = first_;
    first_ = f->stack.next;
    if (first_ == nullptr) last_ = nullptr;
    count_.fetch_sub(1, sync::seq_cst);
    lock_.unlock();
    return f;
  }
  /// EDGE bound.count
  bool any() const noexcept { return count_.load(sync::seq_cst) != 0; }

  /// In a child of fork(2): they wait for what is lost.
  void go_on_alone() noexcept {
    (void)lock_.go_on_alone();
    first_ = last_ = nullptr;
    count_.store(0, sync::relaxed);
  }

 private:
  sync::atomic<std::uint32_t> count_{0};
  spin_lock lock_;
  fiber* first_ = nullptr;  ///< linked by `stack.next`
  fiber* last_ = nullptr;
};

struct worker_team {
  bound_fibers bound;   ///< others add
  bool yields = false;  ///< set by a fiber that left its stack for those that wait for the thread
  unsigned members = 0;  ///< that stay on this thread until they are done
};

}  // namespace takt::core
