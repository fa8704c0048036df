// A worker's tasks: the owner's newest at one end, thieves at the other. The deque is described in src/worker/README.md.
#pragma once

#include "worker/chase_lev.hpp"
#include "worker/entry.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::core {

/// What random stealing (src/policy/random_stealing.hpp) asks of the tasks of a seat.
class task_deque {
 public:
  explicit task_deque(std::size_t capacity = 256) : tasks_(capacity) {}

  // --- owner -------------------------------------------------------------------------------------------------
  /// Whether `count` more entries can be pushed; with `may_grow` false nothing is allocated (signal handlers).
  bool reserve(std::size_t count, bool may_grow) { return tasks_.reserve(count, may_grow); }
  /// reserve() has said that there is room.
  void push(std::uint64_t e) { tasks_.push(e); }
  /// The newest entry, or entry::k_none.
  std::uint64_t pop() { return tasks_.pop(); }
  /// Drops all there is, which belongs to somebody who does not exist here.
  void forget() {
    while (pop() != entry::k_none) {
    }
  }
  /// Whether the owner has nothing left here.
  bool is_empty() const { return looks_empty(); }
  /// How many tasks others find there now.
  std::size_t offered() const { return tasks_.size(); }

  // --- any thread --------------------------------------------------------------------------------------------
  /// Whether a thief would find nothing now; seq_cst so that a worker about to sleep can rely on it.
  bool looks_empty() const { return tasks_.looks_empty(); }
  /// Whether a thief of that scope (0: of any) need not try.
  bool has_nothing_for(std::uint32_t) const { return looks_empty(); }
  /// The oldest entry that thieves may have, or entry::k_none. It may be gone already.
  std::uint64_t peek() {
    std::uint64_t seen = entry::k_none;
    std::uint64_t none;
    (void)tasks_.steal(none, [&](std::uint64_t e) {
      seen = e;
      return false;
    });
    return seen;
  }
  /// Takes the oldest entry if it is of scope `only`, or that is 0.
  template <class Thief>
  steal_result steal(std::uint64_t& out, std::uint32_t only, Thief&&) {
    return tasks_.steal(out, [only](std::uint64_t seen) { return entry::is_for(seen, only); });
  }

 private:
  chase_lev tasks_;
};

}  // namespace takt::core
