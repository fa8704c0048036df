// What a worker has of teams (src/team): fibers that are ready and go on on its thread alone.
#pragma once

#include "fiber/fiber.hpp"
#include "platform/threading.hpp"
#include "sync/spin_lock.hpp"

#include <cstdint>
#include <utility>

namespace takt::core {

/// First come, first served. Anybody adds, the thread takes; another one where that runs something for long.
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
  /// By the thread. @returns null if there is none.
  fiber* take(platform::threading& threading) noexcept {
    if (!any()) return nullptr;
    fiber* const f = take_any(threading);
    if (f != nullptr) taken_.store(taken_.load(sync::relaxed) + 1, sync::relaxed);
    return f;
  }
  /// How many wait, if the thread has taken none since the last look, else 0. By one at a time.
  std::uint32_t look_for_stuck() noexcept {
    const std::uint32_t taken = taken_.load(sync::relaxed);
    const bool is_stuck = any() && taken == seen_.exchange(taken, sync::relaxed);
    stuck_.store(is_stuck ? 1 : 0, sync::relaxed);
    return is_stuck ? count_.load(sync::relaxed) : 0;
  }
  /// By another thread, for itself: one of those.
  fiber* take_stuck(platform::threading& threading) noexcept {
    return stuck_.load(sync::relaxed) != 0 && any() ? take_any(threading) : nullptr;
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
  fiber* take_any(platform::threading& threading) noexcept {
    lock_.lock([&threading](unsigned round) { threading.relax(round); });
    fiber* const f = first_;
    if (f != nullptr) {
      first_ = f->stack.next;
      if (first_ == nullptr) last_ = nullptr;
      count_.fetch_sub(1, sync::seq_cst);
    }
    lock_.unlock();
    return f;
  }

  sync::atomic<std::uint32_t> count_{0};
  sync::atomic<std::uint32_t> taken_{0};  ///< by the thread
  sync::atomic<std::uint32_t> seen_{0};   ///< of those, at the last look
  sync::atomic<std::uint32_t> stuck_{0};
  spin_lock lock_;
  fiber* first_ = nullptr;  ///< linked by `stack.next`
  fiber* last_ = nullptr;
};

struct worker_team {
  bound_fibers& waiting() noexcept { return bound; }
  bool any_waiting() const noexcept { return bound.any(); }
  /// A fiber leaves its stack for those that wait for the thread.
  void yield() noexcept { yields = true; }
  bool is_yielding() const noexcept { return yields; }
  bool end_yield() noexcept { return std::exchange(yields, false); }
  /// A member leaves its stack, having looked out in vain on it.
  void has_lingered(std::uint64_t begun, std::uint64_t now) noexcept {
    lingered = now - begun;
    waits_since = begun;
  }
  void ends_look() noexcept { lingered = 0; }
  /// A member goes on. `brief`: up to so many ticks are worth a look.
  void goes_on(std::uint64_t now, std::uint64_t brief) noexcept {
    if (waits_since != 0) waits_briefly = now - std::exchange(waits_since, 0) < brief;
  }
  /// By its thread, of one that begins here; by any thread, of one that began here.
  void begin_member() noexcept { members.fetch_add(1, sync::relaxed); }
  void end_member() noexcept { members.fetch_sub(1, sync::relaxed); }
  /// Whether the thread has to stay for some, or for what is to begin here.
  bool has_members() const noexcept { return bound.any() || members.load(sync::acquire) != 0; }

  bound_fibers bound;   ///< others add
  bool yields = false;
  std::uint64_t lingered = 0;  ///< ticks that a member has looked out in vain on its stack, since it ran anything
  std::uint64_t waits_since = 0;  ///< when that one began to look; 0: none has since one went on
  bool waits_briefly = false;  ///< the last one, all in all
  sync::atomic<std::uint32_t> members{0};  ///< that began here, and have not ended: another thread may end them
};

}  // namespace takt::core
