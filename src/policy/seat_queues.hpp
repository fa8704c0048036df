// The tasks of one seat under almost deterministic work stealing (ADWS paper, figures 8 and 11). See README.md.
#pragma once

#include "fiber/locality.hpp"
#include "sync/atomic.hpp"
#include "task/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace takt::core {

/// A task that waits, and what it begins with.
struct waiting_task {
  std::uint64_t task = entry::k_none;
  locality where;
  waiting_task* nearer = nullptr;
  waiting_task* farther = nullptr;
};

/// Records that wait for a task: of the holder of a seat, who allocates none in a signal handler.
class task_stock {
 public:
  task_stock() = default;
  task_stock(const task_stock&) = delete;
  task_stock& operator=(const task_stock&) = delete;
  ~task_stock() {
    while (first_ != nullptr) delete take();
  }

  /// Whether there are `count`. With `may_grow` there are twice as many afterwards, if there is memory: for a promotion
  /// in a signal handler, too.
  bool has(std::size_t count, bool may_grow) noexcept {
    while (may_grow && count_ < 2 * count) {
      auto* const t = new (std::nothrow) waiting_task;
      if (t == nullptr) break;
      put(t);
    }
    return count_ >= count;
  }
  /// There is one.
  waiting_task* take() noexcept {
    waiting_task* const t = first_;
    first_ = t->farther;
    --count_;
    return t;
  }
  /// `t` is not used any more.
  void keep(waiting_task* t) noexcept {
    if (count_ < k_most) {
      put(t);
    } else {
      delete t;
    }
  }

 private:
  static constexpr std::size_t k_most = 64;
  void put(waiting_task* t) noexcept {
    t->farther = std::exchange(first_, t);
    ++count_;
  }

  waiting_task* first_ = nullptr;
  std::size_t count_ = 0;
};

/// The holder of a seat pushes at the near end and takes from there; what comes from other seats is put at the far end,
/// and thieves take from there.
class task_list {
 public:
  bool is_empty() const noexcept { return near_ == nullptr; }
  void put_near(waiting_task& t) noexcept {
    t.nearer = nullptr;
    t.farther = near_;
    (near_ != nullptr ? near_->nearer : far_) = &t;
    near_ = &t;
  }
  void put_far(waiting_task& t) noexcept {
    t.farther = nullptr;
    t.nearer = far_;
    (far_ != nullptr ? far_->farther : near_) = &t;
    far_ = &t;
  }
  void remove(waiting_task& t) noexcept {
    (t.nearer != nullptr ? t.nearer->farther : near_) = t.farther;
    (t.farther != nullptr ? t.farther->nearer : far_) = t.nearer;
  }
  /// The first from the near end, or from the far one, that `accept` takes; or null.
  template <class Accept>
  waiting_task* from_near(Accept accept) const noexcept {
    waiting_task* t = near_;
    while (t != nullptr && !accept(*t)) t = t->farther;
    return t;
  }
  template <class Accept>
  waiting_task* from_far(Accept accept) const noexcept {
    waiting_task* t = far_;
    while (t != nullptr && !accept(*t)) t = t->nearer;
    return t;
  }

 private:
  waiting_task* near_ = nullptr;
  waiting_task* far_ = nullptr;
};

/// Not thread-safe: the policy locks it. Tasks go by their depth (figure 8); deeper ones than there are lists share the
/// last.
class seat_queues {
 public:
  static constexpr unsigned k_depths = 8;

  void put(waiting_task& t, bool from_here) noexcept {
    task_list& list = list_of(t);
    from_here ? list.put_near(t) : list.put_far(t);
  }
  void remove(waiting_task& t) noexcept { list_of(t).remove(t); }

  /// What the seat's holder is to run next: what has to be handed on to others first, then in the order of the serial
  /// program (figure 11, lines 33 to 38).
  template <class Accept>
  waiting_task* next(Accept accept) const noexcept {
    if (waiting_task* t = cross_worker_.from_near(accept)) return t;
    for (unsigned d = k_depths; d-- > 0;) {
      if (waiting_task* t = primary_[d].from_near(accept)) return t;
    }
    for (const task_list& list : migration_) {
      if (waiting_task* t = list.from_near(accept)) return t;
    }
    return nullptr;
  }
  /// What a thief takes who steals within a construct of that depth (figure 11, lines 43 to 50).
  template <class Accept>
  waiting_task* stealable(unsigned depth, bool migrated, bool primary, Accept accept) const noexcept {
    const unsigned from = at(depth);
    for (unsigned d = k_depths; migrated && d-- > from;) {
      if (waiting_task* t = migration_[d].from_far(accept)) return t;
    }
    for (unsigned d = from; primary && d < k_depths; ++d) {
      if (waiting_task* t = primary_[d].from_far(accept)) return t;
    }
    return nullptr;
  }
  /// One that a join asks for: what came last is the most likely.
  template <class Accept>
  waiting_task* wanted(Accept accept) const noexcept {
    for (unsigned d = k_depths; d-- > 0;) {
      if (waiting_task* t = primary_[d].from_near(accept)) return t;
      if (waiting_task* t = migration_[d].from_near(accept)) return t;
    }
    return cross_worker_.from_near(accept);
  }
  /// Any, those first that a thief would take.
  template <class Accept>
  waiting_task* any(Accept accept) const noexcept {
    waiting_task* const t = stealable(0, true, true, accept);
    return t != nullptr ? t : cross_worker_.from_far(accept);
  }

 private:
  static unsigned at(unsigned depth) noexcept { return depth < k_depths ? depth : k_depths - 1; }
  task_list& list_of(const waiting_task& t) noexcept {
    if (t.where.crosses) return cross_worker_;
    return (t.where.migrated ? migration_ : primary_)[at(t.where.depth)];
  }

  task_list cross_worker_;
  task_list primary_[k_depths];
  task_list migration_[k_depths];
};

}  // namespace takt::core
