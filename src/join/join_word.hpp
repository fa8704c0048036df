// The join word: counts what is outstanding at a join and hands the waiter to whoever finishes last.
// See README.md beside this file for the protocol.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

struct fiber;

class join_word {
 public:
  /// Called at promotion by the only thread that knows the frame.
  void begin(std::uint32_t children, std::uint32_t environment) {
    environment_ = environment;
    pending_.store(children + 1, sync::relaxed);  // + 1: the owner, until it arrives
  }

  /// What a task is to the join word that counts it.
  enum class kind : std::uint32_t { half = ~0u, child = ~0u - 1 };

  /// This task's outcome counts in another join word: that of a loop, or of a group.
  void delegate(kind k, join_word* target, std::uint32_t environment) {
    environment_ = environment;
    pending_.store(static_cast<std::uint32_t>(k), sync::relaxed);
    waiter_.set(reinterpret_cast<fiber*>(target));
  }
  /// The join word in which the task counts: this one unless it was delegated. Asked before the task runs.
  join_word* target() {
    const std::uint32_t p = pending_.load(sync::relaxed);
    const bool delegated = p == static_cast<std::uint32_t>(kind::half) || p == static_cast<std::uint32_t>(kind::child);
    return delegated ? reinterpret_cast<join_word*>(waiter_.get()) : this;
  }
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
  void set_waiter(fiber* waiter) { waiter_.set(waiter); }

  /// Owner, after it has left its stack. @returns true when all children are done already and nobody else will
  /// resume the waiter.
  bool arrive() {
    // EDGE join.waiter: the waiter, and the suspended stack, are written before the last child sees the count.
    // EDGE join.done
    return pending_.fetch_sub(1, sync::acq_rel) == 1;
  }

  /// Owner, when all is done: ready for more children.
  void reopen() { pending_.store(1, sync::relaxed); }

  fiber* waiter() const { return waiter_.get(); }
  /// The floating-point environment that the task starts with.
  std::uint32_t environment() const { return environment_; }

 private:
  sync::atomic<std::uint32_t> pending_;
  std::uint32_t environment_;
  sync::plain<fiber*> waiter_;
};

}  // namespace takt::core
