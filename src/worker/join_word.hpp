// The join word: counts what is outstanding at a join and hands the waiter to whoever finishes last.
// See src/join/README.md for the protocol.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

struct fiber;

/// What a task starts with beside its captures.
class task_start {
 public:
  static constexpr unsigned k_environment_bits = 27;
  static constexpr std::uint32_t k_most_depth = (1u << (32 - k_environment_bits)) - 1;

  task_start() = default;
  explicit task_start(std::uint32_t both) : both_(both) {}
  task_start(std::uint32_t environment, std::uint32_t depth)
      : both_(environment | (depth < k_most_depth ? depth : k_most_depth) << k_environment_bits) {}

  /// Floating-point, as platform::floating_point_environment().
  std::uint32_t environment() const { return both_ & ((1u << k_environment_bits) - 1); }
  /// Frames around it, at most k_most_depth.
  std::uint32_t depth() const { return both_ >> k_environment_bits; }
  std::uint32_t both() const { return both_; }

 private:
  std::uint32_t both_ = 0;
};

class join_word {
 public:
  /// Called at promotion by the only thread that knows the frame. `start`: what the task starts with; `note`: what else,
  /// the address of a word, or null.
  void begin(std::uint32_t children, task_start start, void* note = nullptr) {
    start_ = start;
    waiter_.store(noted(note), sync::relaxed);
    pending_.store(children + 1, sync::relaxed);  // + 1: the owner, until it arrives
  }

  /// What a task is to the join word that counts it; and what a latent slot says of itself where floating-point
  /// environments are watched (src/promotion).
  enum class kind : std::uint32_t { half = ~0u, child = ~0u - 1, noted = ~0u - 2, unknown = ~0u - 3 };

  /// This task's outcome counts in another join word: that of a loop, or of a group.
  void delegate(kind k, join_word* target, task_start start) {
    start_ = start;
    pending_.store(static_cast<std::uint32_t>(k), sync::relaxed);
    count_in(target);
  }
  /// Once delegated, and before anybody else sees the task: in that one instead.
  void count_in(join_word* target) { waiter_.store(reinterpret_cast<struct fiber*>(target), sync::relaxed); }
  /// The join word in which the task counts: this one unless it was delegated. Asked before the task runs.
  join_word* target() {
    const std::uint32_t p = pending_.load(sync::relaxed);
    const bool delegated = p == static_cast<std::uint32_t>(kind::half) || p == static_cast<std::uint32_t>(kind::child);
    return delegated ? reinterpret_cast<join_word*>(waiter_.load(sync::relaxed)) : this;
  }
  /// A latent slot: pushed in `environment`, or nobody knows in which.
  void note_environment(std::uint32_t environment) {
    start_ = task_start(environment, 0);
    pending_.store(static_cast<std::uint32_t>(kind::noted), sync::relaxed);
  }
  void note_unknown_environment() { pending_.store(static_cast<std::uint32_t>(kind::unknown), sync::relaxed); }
  bool is_noted() const { return pending_.load(sync::relaxed) == static_cast<std::uint32_t>(kind::noted); }
  bool is_unknown() const { return pending_.load(sync::relaxed) == static_cast<std::uint32_t>(kind::unknown); }
  bool is_half() const { return pending_.load(sync::relaxed) == static_cast<std::uint32_t>(kind::half); }
  bool is_child() const { return pending_.load(sync::relaxed) == static_cast<std::uint32_t>(kind::child); }

  /// One more child. @returns false, and the child is not counted, when the waiter is about to go on: that is never
  /// so for the owner, and for a child that is still counted.
  bool add() {
    std::uint32_t p = pending_.load(sync::relaxed);
    while (p != 0) {
      if (pending_.compare_exchange_strong(p, p + 1, sync::relaxed, sync::relaxed)) return true;
    }
    return false;
  }

  /// A child is done. @returns true when the owner waits and nothing else is outstanding: the caller must then
  /// resume waiter(), and nobody else will. Otherwise the frame may be gone by the time this returns.
  bool finish() {
    // EDGE join.done: the child's effects are written before the owner, or the last child, sees the count.
    // EDGE join.waiter: the waiter was written before the owner's arrival in this count.
    return pending_.fetch_sub(1, sync::acq_rel) == 1;
  }

  /// Owner: whether all children are done (without waiting).
  bool children_done() const {
    // EDGE join.done
    return pending_.load(sync::acquire) == 1;
  }

  /// Owner, before it leaves its stack: who is to be resumed.
  // EDGE join.awaited: who finds the waiter here finds what that counts in.
  void set_waiter(struct fiber* w) { waiter_.store(w, sync::release); }
  /// Of a task's join, for who alone could begin the task: as long as it has not begun, nothing of this goes on.
  /// @returns null as long as the owner has not come to the join.
  struct fiber* awaited_by() const { return owner_of_task().waits; }
  /// The same, and until then what was noted.
  struct owner {
    struct fiber* waits;
    void* noted;
  };
  owner owner_of_task() const {
    // EDGE join.awaited
    struct fiber* const w = waiter_.load(sync::acquire);
    const auto word = reinterpret_cast<std::uintptr_t>(w);
    if ((word & k_noted) == 0) return {w, nullptr};
    return {nullptr, reinterpret_cast<void*>(word & ~k_noted)};
  }

  /// Owner, after it has left its stack. @returns true when all children are done already and nobody else will
  /// resume the waiter.
  bool arrive() {
    // EDGE join.waiter: the waiter, and the suspended stack, are written before the last child sees the count.
    // EDGE join.done
    return pending_.fetch_sub(1, sync::acq_rel) == 1;
  }

  /// Owner, when all is done: ready for more children.
  void reopen() {
    waiter_.store(nullptr, sync::relaxed);
    pending_.store(1, sync::relaxed);
  }

  /// A loop's, with which no task starts: the place of its slot on the latent stack, and whether its second half runs
  /// on the computation that promoted it while another one has the first (src/memory). Written by that computation: the
  /// place before anybody sees the halves, the rest under the lock of the serial order.
  void begin_loop(std::uint32_t halves, std::uint32_t slot, void* note = nullptr) {
    begin(halves, task_start(slot << 1), note);
  }
  void note_second_first() { start_ = task_start(start_.both() | 1u); }
  std::uint32_t loop_slot() const { return start_.both() >> 1; }
  bool is_second_first() const { return (start_.both() & 1u) != 0; }

  struct fiber* waiter() const { return waiter_.load(sync::relaxed); }
  task_start start() const { return start_; }

 private:
  static constexpr std::uintptr_t k_noted = 1;
  static struct fiber* noted(void* note) {
    return note == nullptr ? nullptr
                           : reinterpret_cast<struct fiber*>(reinterpret_cast<std::uintptr_t>(note) | k_noted);
  }

  sync::atomic<std::uint32_t> pending_;
  task_start start_;
  sync::atomic<struct fiber*> waiter_;
};

}  // namespace takt::core
