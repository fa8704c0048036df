// Scopes: what a task belongs to beside its code, named by a small number so that it fits into a deque entry.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace takt::core {

/// The scope ids of a runtime. A scope is an outermost call, or a part of one that has a limit of its own
/// (takt::with_workers).
///
/// A worker that adopts calls has an id of its own and uses it for one call after the other. Everything else that may
/// outlive a call and still names its id holds it, too: children of groups, from promotion or injection until they have
/// run. So an id stands for one call at a time, however many calls there have been. A part holds the scope around it.
class scope_table {
 public:
  /// Beside a task's address of 57 bits, without the six zeros of its alignment, an entry has room for so many.
  static constexpr unsigned k_bits = 13;
  static constexpr std::uint32_t k_most = (1u << k_bits) - 1;

  scope_table() = default;
  scope_table(const scope_table&) = delete;
  scope_table& operator=(const scope_table&) = delete;
  ~scope_table() { delete[] parts_.load(sync::relaxed); }

  /// The call that a scope is, or is a part of.
  static std::uint32_t call_of(std::uint32_t id) noexcept {
    const std::uint32_t call = calls_of_parts[id].load(sync::relaxed);
    return call != 0 ? call : id;
  }
  /// Whether it is that call's. Who has seen `id` in a task finds what was written before the task was.
  static bool is_of(std::uint32_t id, std::uint32_t call) noexcept { return id == call || call_of(id) == call; }

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
    std::uint32_t around = 0;
    if (part* const all = parts_.load(sync::relaxed); all != nullptr && is_part(all[id])) {
      around = all[id].around;
      all[id].limit.store(0, sync::relaxed);
      calls_of_parts[id].store(0, sync::relaxed);
    }
    {
      const std::lock_guard guard(mutex_);
      unused_.push_back(id);
    }
    if (around != 0) release(around);
  }
  /// The one that has taken it: whether nobody else holds it.
  bool is_alone(std::uint32_t id) const noexcept {
    // EDGE scope.free
    return holders_[id].load(sync::acquire) == 1;
  }

  // --- parts: see src/scheduler/README.md, "Parts"
  /// A part of the scope `around`, in which `limit` workers have room. Its caller runs in it, and has a place already.
  /// @returns 0 as take() does.
  std::uint32_t begin_part(std::uint32_t around, std::uint32_t limit) noexcept {
    part* const all = make_parts();
    const std::uint32_t id = all != nullptr ? take() : 0;
    if (id == 0) return 0;
    hold(around);
    hold(id);  // its place
    all[id].around = around;
    calls_of_parts[id].store(call_of(around), sync::relaxed);
    all[id].inside.fetch_add(1, sync::relaxed);
    all[id].limit.store(limit, sync::relaxed);
    return id;
  }
  /// By the same code, which has its place in `around` still. Others may have theirs, and come to the end of it.
  void end_part(std::uint32_t id) noexcept {
    if (part* const all = parts_.load(sync::relaxed); all != nullptr) all[id].inside.fetch_sub(1, sync::seq_cst);
    release(id);
    release(id);
  }
  /// Whether places are counted there. Who asks holds it, or has something that does.
  bool is_limited(std::uint32_t id) const noexcept {
    // EDGE scope.parts
    const part* const all = parts_.load(sync::acquire);
    return all != nullptr && is_part(all[id]);
  }
  /// Whether there is no place now, there or in what is around it.
  bool is_full(std::uint32_t id) const noexcept {
    for (const part* p = at(id); p != nullptr; p = at(p->around)) {
      // EDGE place.count: seq_cst, so that who is about to sleep sees that a place was left, or is seen asleep.
      if (p->inside.load(sync::seq_cst) >= p->limit.load(sync::relaxed)) return true;
    }
    return false;
  }
  /// Takes a place. @returns false if there is none.
  bool enter(std::uint32_t id) noexcept {
    for (part* p = at(id); p != nullptr; p = at(p->around)) {
      std::uint32_t inside = p->inside.load(sync::relaxed);
      do {
        if (inside >= p->limit.load(sync::relaxed)) {
          for (part* taken = at(id); taken != p; taken = at(taken->around)) taken->inside.fetch_sub(1, sync::seq_cst);
          return false;
        }
      } while (!p->inside.compare_exchange_strong(inside, inside + 1, sync::relaxed, sync::relaxed));
    }
    hold(id);
    return true;
  }
  /// The same beyond the limit.
  void enter_anyway(std::uint32_t id) noexcept {
    for (part* p = at(id); p != nullptr; p = at(p->around)) p->inside.fetch_add(1, sync::relaxed);
    hold(id);
  }
  void leave(std::uint32_t id) noexcept {
    // EDGE place.count
    for (part* p = at(id); p != nullptr; p = at(p->around)) p->inside.fetch_sub(1, sync::seq_cst);
    release(id);
  }
  /// In a child of fork(2): nobody else is there, and nothing is limited.
  void forget_parts() noexcept { parts_.store(nullptr, sync::relaxed); }

 private:
  struct part {
    sync::atomic<std::uint32_t> limit{0};   ///< 0: it is none
    sync::atomic<std::uint32_t> inside{0};  ///< workers that run what is of it
    std::uint32_t around = 0;
  };
  static bool is_part(const part& p) noexcept { return p.limit.load(sync::relaxed) != 0; }
  /// Null: it is a call.
  part* at(std::uint32_t id) const noexcept {
    // EDGE scope.parts
    part* const all = parts_.load(sync::acquire);
    return all != nullptr && is_part(all[id]) ? &all[id] : nullptr;
  }
  part* make_parts() noexcept {
    const std::lock_guard guard(mutex_);
    part* all = parts_.load(sync::relaxed);
    if (all == nullptr && (all = new (std::nothrow) part[k_most + 1]) != nullptr) {
      // EDGE scope.parts: they are whole before anybody looks for one.
      parts_.store(all, sync::release);
    }
    return all;
  }

  // By the id of a part; 0: it is none.
  static inline sync::atomic<std::uint32_t> calls_of_parts[k_most + 1];
  sync::atomic<part*> parts_{nullptr};
  std::unique_ptr<sync::atomic<std::uint32_t>[]> holders_;
  sync::mutex mutex_;
  std::vector<std::uint32_t> unused_;
  std::uint32_t used_ = 0;
};

}  // namespace takt::core
