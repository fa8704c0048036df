// What random stealing keeps a seat's tasks in where the owner has a hand in what thieves get: as task_deque.
#pragma once

#include "lab/worker/private_deque.hpp"
#include "worker/entry.hpp"
#include "worker/runtime.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::core {

/// The owner hands its oldest task over, at its next poll.
class private_tasks {
 public:
  explicit private_tasks(std::size_t capacity = 256) : tasks_(capacity) {}

  bool reserve(std::size_t count, bool may_grow) { return tasks_.reserve(count, may_grow); }
  void push(std::uint64_t e) { tasks_.push(e); }
  std::uint64_t pop() { return tasks_.pop(); }
  void forget() {
    while (pop() != entry::k_none) {
    }
  }
  bool is_empty() const { return looks_empty(); }
  /// One at a time.
  std::size_t offered() const { return static_cast<std::size_t>(!looks_empty()); }
  /// Answers a thief that has asked. `may_give(entry, only)`: whether one that serves scope `only` may have the entry.
  /// @returns whether an entry is on offer that was not before.
  template <class MayGive>
  bool serve(MayGive may_give) {
    tasks_.serve(may_give);
    return false;
  }

  bool looks_empty() const { return tasks_.oldest() == entry::k_none; }
  bool has_nothing_for(std::uint32_t only) const {
    const std::uint64_t oldest = tasks_.oldest();
    return oldest == entry::k_none || !entry::is_for(oldest, only);
  }
  std::uint64_t peek() const { return tasks_.oldest(); }
  /// Asks, and waits for the answer. Another thief may have asked before: that counts as a refusal.
  template <class Thief>
  steal_result steal(std::uint64_t& out, std::uint32_t only, Thief&& thief) {
    private_tasks* const mine = thief.own();
    if (mine == nullptr || !tasks_.ask(mine->transfer_, only)) return steal_result::refused;
    runtime& r = thief.w.owner;
    const std::uint64_t begun = r.clock.now();
    for (unsigned round = 0; !private_deque::answered(mine->transfer_, out); ++round) {
      // Others may be asking this worker meanwhile; and two may be asking each other.
      thief.served_by().serve(thief.w, false);
      const std::uint64_t waited = r.clock.now() - begun;
      // The question stays while the signal is on its way: the handler answers it.
      if (waited > r.spin_ticks) r.reach_silent_workers(thief.w);
      // A question that cannot be withdrawn is being answered.
      if (waited > 4 * r.spin_ticks && tasks_.withdraw(mine->transfer_)) return steal_result::refused;
      // The victim may need this CPU to answer.
      r.threading.relax(r.more_workers_than_cpus ? round | 63u : round);
    }
    return out == entry::k_none ? steal_result::refused : steal_result::taken;
  }

 private:
  private_deque tasks_;
  /// Where the owner, as a thief, gets its answer.
  transfer_cell transfer_;
};

/// The oldest task is in a cell that thieves may empty; the owner refills it at its next poll.
class mixed_tasks {
 public:
  explicit mixed_tasks(std::size_t capacity = 256) : tasks_(capacity) {}

  bool reserve(std::size_t count, bool may_grow) { return tasks_.reserve(count, may_grow); }
  void push(std::uint64_t e) { tasks_.push(e); }
  std::uint64_t pop() { return tasks_.pop(); }
  void forget() {
    while (pop() != entry::k_none) {
    }
  }
  /// With what only the owner touches: nobody else would see what is left.
  bool is_empty() const { return looks_empty() && tasks_.nothing_private(); }
  std::size_t offered() const { return static_cast<std::size_t>(!looks_empty()); }
  template <class MayGive>
  bool serve(MayGive) {
    return tasks_.refill();
  }

  bool looks_empty() const { return tasks_.oldest() == entry::k_none; }
  bool has_nothing_for(std::uint32_t) const { return looks_empty(); }
  std::uint64_t peek() const { return tasks_.oldest(); }
  template <class Thief>
  steal_result steal(std::uint64_t& out, std::uint32_t only, Thief&&) {
    return tasks_.steal(out, [only](std::uint64_t seen) { return entry::is_for(seen, only); });
  }

 private:
  mixed_deque tasks_;
};

}  // namespace takt::core
