// What a computation holds, and where it stands in serial order (src/memory). It travels with its fiber.
#pragma once

#include "fiber/pause_state.hpp"
#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

struct fiber;
struct sleeping_task;
class join_word;

/// Where the computation that promoted it has given a task away.
struct task_place {
  const void* record = nullptr;  ///< this task's, on the other's stacks
  std::uint32_t slot = 0;        ///< of the fork, or of the loop whose half it is: larger for inner ones
  const join_word* loop = nullptr;
  bool is_second = false;  ///< half
};

/// What tasks have left that have ended before the serial program comes to them, until their join.
class left_ahead {
 public:
  void clear() noexcept {
    count_ = 0;
    rest_ = 0;
  }
  void add(const void* join, std::int64_t bytes) noexcept {
    unsigned at = 0;
    while (at < count_ && all_[at].join != join) ++at;
    // If there is no more room: ahead for as long as the task runs.
    if (at == k_most) {
      rest_ += bytes;
      return;
    }
    if (at == count_) all_[count_++] = {join, 0};
    all_[at].bytes += bytes;
  }
  /// @returns what `join` has waited for; it is not ahead any more.
  std::int64_t take(const void* join) noexcept {
    unsigned at = 0;
    while (at < count_ && all_[at].join != join) ++at;
    if (at == count_) return 0;
    const std::int64_t bytes = all_[at].bytes;
    --count_;
    for (; at < count_; ++at) all_[at] = all_[at + 1];
    return bytes;
  }
  std::int64_t all() const noexcept {
    std::int64_t sum = rest_;
    for (unsigned at = 0; at < count_; ++at) sum += all_[at].bytes;
    return sum;
  }

 private:
  static constexpr unsigned k_most = 8;
  struct of_join {
    const void* join;
    std::int64_t bytes;
  };
  of_join all_[k_most];
  unsigned count_ = 0;
  std::int64_t rest_ = 0;  ///< of further joins
};

struct memory_use {
  /// A computation begins.
  void begin() noexcept {
    held.store(0, sync::relaxed);
    sleeps = false;
  }
  /// Bytes that the code on this fiber has taken less those that it has given back. Written by its own code, or for it
  /// by who wakes it; read by all.
  sync::tally<std::int64_t> held{0};
  void hold(std::int64_t bytes) noexcept { held.store(held.load(sync::relaxed) + bytes, sync::relaxed); }
  /// The report with which it began to hold anything that counts; 0: the next one. Written under the lock of the serial
  /// order, but for 0, which its own code writes without.
  sync::tally<std::int64_t> first{0};
  /// Set by its own code before it leaves the stack to sleep: it does not wait at a join.
  bool sleeps = false;
  /// Set by its own code before it leaves the stack: the join of a fork or loop that it waits for; null: another one.
  const void* waits_for = nullptr;

  // Under the lock of the serial order, while it is in that.
  std::int64_t left_behind = 0;  ///< by its tasks that have ended: bytes that it holds now; may be less than 0
  left_ahead ahead;              ///< the same that it does not hold yet in serial order
  fiber* parent = nullptr;       ///< whose fork or loop this task is of; null: nobody's, or a group's
  task_place place;              ///< there
  fiber* above = nullptr;        ///< the parent, or the one that a group's child was listed behind; null: nobody
  bool listed = false;
  bool done = false;                ///< its code is over, and its parent may be gone
  bool waits = false;               ///< at a join
  const void* counts_in = nullptr;  ///< the join that waits for this task, or will
  sleeping_task* asleep = nullptr;  ///< it sleeps for the budget
  [[no_unique_address]] pause_state pause;
  fiber* left = nullptr;
  fiber* right = nullptr;
};

}  // namespace takt::core
