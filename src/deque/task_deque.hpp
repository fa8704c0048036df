// A worker's tasks, kept as TAKT_BALANCER says. See README.md beside this file.
#pragma once

#include <takt/config.hpp>

#include "deque/chase_lev.hpp"
#include "deque/private_deque.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::core {

/// What the scheduler asks of a worker's tasks. The choice is made once per deque; all of this happens at promotions,
/// joins and steals only, so a switch costs nothing that can be measured.
class task_deque {
 public:
  using entry = std::uint64_t;
  static constexpr entry k_none = chase_lev::k_none;

  explicit task_deque(balancer kind, std::size_t capacity = 256)
      : kind_(kind),
        concurrent_(kind == balancer::concurrent ? capacity : 1),
        private_(kind == balancer::private_ ? capacity : 1),
        mixed_(kind == balancer::mixed ? capacity : 1) {}

  // --- owner -------------------------------------------------------------------------------------------------
  /// Whether `count` more entries can be pushed; with `may_grow` false nothing is allocated (signal handlers).
  bool reserve(std::size_t count, bool may_grow) {
    switch (kind_) {
      case balancer::private_:
        return private_.reserve(count, may_grow);
      case balancer::mixed:
        return mixed_.reserve(count, may_grow);
      case balancer::concurrent:
        break;
    }
    return concurrent_.reserve(count, may_grow);
  }
  /// reserve() has said that there is room.
  void push(entry e) {
    switch (kind_) {
      case balancer::private_:
        return private_.push(e);
      case balancer::mixed:
        return mixed_.push(e);
      case balancer::concurrent:
        break;
    }
    concurrent_.push(e);
  }
  /// The newest entry, or k_none.
  entry pop() {
    switch (kind_) {
      case balancer::private_:
        return private_.pop();
      case balancer::mixed:
        return mixed_.pop();
      case balancer::concurrent:
        break;
    }
    return concurrent_.pop();
  }
  /// Drops all there is, which belongs to somebody who does not exist here.
  void forget() {
    while (pop() != k_none) {
    }
  }
  /// Whether the owner has nothing left here.
  bool is_empty() const { return looks_empty() && (kind_ != balancer::mixed || mixed_.nothing_private()); }
  /// How many tasks others find there now; where the owner has to answer, it is one at a time.
  std::size_t offered() const {
    return kind_ == balancer::concurrent ? concurrent_.size() : static_cast<std::size_t>(!looks_empty());
  }
  /// What the owner does for thieves at each poll. `may_give(entry, only)`: whether a thief that serves root `only` may
  /// have the entry. @returns whether an entry is on offer that was not before.
  template <class MayGive>
  bool serve(MayGive may_give) {
    switch (kind_) {
      case balancer::private_:
        private_.serve(may_give);
        return false;
      case balancer::mixed:
        return mixed_.refill();
      case balancer::concurrent:
        break;
    }
    return false;
  }

  // --- any thread --------------------------------------------------------------------------------------------
  /// Whether a thief would find nothing now; seq_cst so that a worker about to sleep can rely on it.
  bool looks_empty() const {
    switch (kind_) {
      case balancer::private_:
        return private_.oldest() == k_none;
      case balancer::mixed:
        return mixed_.oldest() == k_none;
      case balancer::concurrent:
        break;
    }
    return concurrent_.looks_empty();
  }
  /// The oldest entry that thieves may have, or k_none. It may be gone already.
  entry peek() {
    switch (kind_) {
      case balancer::private_:
        return private_.oldest();
      case balancer::mixed:
        return mixed_.oldest();
      case balancer::concurrent:
        break;
    }
    entry seen = k_none;
    entry none;
    (void)concurrent_.steal(none, [&](entry e) {
      seen = e;
      return false;
    });
    return seen;
  }
  /// Takes the oldest entry if `accept` takes it; for the balancers whose owner need not answer.
  template <class Accept>
  steal_result steal(entry& out, Accept accept) {
    return kind_ == balancer::mixed ? mixed_.steal(out, accept) : concurrent_.steal(out, accept);
  }
  /// The deque to ask, where the owner must answer; else null.
  private_deque* to_ask() { return kind_ == balancer::private_ ? &private_ : nullptr; }

 private:
  const balancer kind_;
  chase_lev concurrent_;
  private_deque private_;
  mixed_deque mixed_;
};

}  // namespace takt::core
