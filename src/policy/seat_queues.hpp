// The tasks of one seat under almost deterministic work stealing (ADWS paper, figures 8 and 11). See README.md.
#pragma once

#include "cost/numbers.hpp"
#include "fiber/locality.hpp"
#include "worker/invariant.hpp"
#include "sync/atomic.hpp"
#include "sync/spin_lock.hpp"
#include "worker/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace takt::core {

class worker;

/// A task that waits, and what it begins with.
struct waiting_task {
  std::uint64_t task = entry::k_none;
  locality where;
  worker* by = nullptr;  ///< who has promoted it
  waiting_task* nearer = nullptr;
  waiting_task* farther = nullptr;
};

/// Records that wait for a task. Not thread-safe.
class task_stock {
 public:
  task_stock() = default;
  task_stock(const task_stock&) = delete;
  task_stock& operator=(const task_stock&) = delete;
  ~task_stock() {
    while (first_ != nullptr) delete take();
  }

  std::size_t count() const noexcept { return count_; }
  /// There is one.
  waiting_task* take() noexcept {
    waiting_task* const t = first_;
    first_ = t->farther;
    --count_;
    return t;
  }
  void put(waiting_task* t) noexcept {
    t->farther = std::exchange(first_, t);
    ++count_;
  }
  /// Whatever was being changed when its process was copied.
  void forget() noexcept {
    first_ = nullptr;
    count_ = 0;
  }

 private:
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

/// What the seats of a policy have, whatever lists they keep: tasks are linked into those and taken out under the lock.
/// `relax` is called while somebody else has that.
struct locked_seat {
  spin_lock lock;
  sync::atomic<std::uint32_t> count{0};  ///< tasks in the lists
  /// The record of a task comes back to the seat in which it lay, but for a task that was handed over: so who promotes
  /// has as many as it ever had tasks on offer, as with a deque, and none gather elsewhere.
  task_stock unused_tasks;
  bool is_stocked = false;  ///< its holder's

  /// Of its holder. Whether `wanted` tasks can be published; with `may_grow` a signal handler has room for its own
  /// afterwards (k_handler_room), if there is memory.
  template <class Relax>
  bool reserve(std::size_t wanted, bool may_grow, Relax relax) noexcept {
    for (;;) {
      lock.lock(relax);
      const std::size_t has = unused_tasks.count();
      lock.unlock();
      waiting_task* const t = may_grow && has < cost::k_handler_room ? new (std::nothrow) waiting_task : nullptr;
      if (t == nullptr) return has >= wanted;
      lock.lock(relax);
      unused_tasks.put(t);
      lock.unlock();
    }
  }
  /// Of its holder, before it begins anything here: the first promotion may be a signal handler's.
  template <class Relax>
  void stock_up(Relax relax) noexcept {
    if (!std::exchange(is_stocked, true)) (void)reserve(0, true, relax);
  }
  /// Of its holder: a record that was reserved.
  template <class Relax>
  waiting_task& unused(Relax relax) noexcept {
    lock.lock(relax);
    TAKT_ASSERT(unused_tasks.count() > 0);
    waiting_task* const t = unused_tasks.take();
    lock.unlock();
    return *t;
  }
  template <class Link, class Relax>
  void put(Link link, Relax relax) noexcept {
    lock.lock(relax);
    link();
    // EDGE wake.task: seq_cst, because whoever puts something in looks for sleepers next (src/worker/README.md).
    count.fetch_add(1, sync::seq_cst);
    lock.unlock();
  }
  /// The task that `choose` returns, which may be null, is taken out by `unlink`. @returns whether there was one.
  template <class Choose, class Unlink, class Relax>
  bool take(Choose choose, Unlink unlink, waiting_task& taken, Relax relax) noexcept {
    // EDGE wake.task
    if (count.load(sync::seq_cst) == 0) return false;
    lock.lock(relax);
    waiting_task* t = choose();
    const bool found = t != nullptr;
    if (found) {
      unlink(*t);
      count.fetch_sub(1, sync::seq_cst);
      taken = *t;
      if (!t->where.is_part) unused_tasks.put(std::exchange(t, nullptr));
    }
    lock.unlock();
    delete t;
    return found;
  }
  /// @returns the entry of the task that `choose` returns, which may be null.
  template <class Choose, class Relax>
  std::uint64_t look(Choose choose, Relax relax) noexcept {
    // EDGE wake.task
    if (count.load(sync::seq_cst) == 0) return entry::k_none;
    lock.lock(relax);
    const waiting_task* const t = choose();
    const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
    lock.unlock();
    return e;
  }
};

}  // namespace takt::core
