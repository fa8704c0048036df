// Tasks that sleep for a number of rounds before they allocate (Hybrid, section 2.2.1). See lab/README.md.
#pragma once

#include "sync/atomic.hpp"
#include "sync/spin_lock.hpp"

#include <cstdint>

namespace takt::core {

/// Intrusive: `Sleeper` has `wakes_after` (a round) and `next_sleeper`, both plain, for the queue alone while it is in.
/// `Relax` is called in the lock's spin loop. put() takes time linear in the number of sleepers.
template <class Sleeper, class Relax>
class sleep_queue {
 public:
  explicit sleep_queue(Relax relax) : relax_(relax) { first_.set(nullptr); }

  /// Until `rounds` more have begun and one after them, or somebody takes it before.
  void put(Sleeper& s, std::uint64_t rounds) {
    lock_.lock(relax_);
    const std::uint64_t after = round_.load(sync::relaxed) + rounds;
    s.wakes_after.set(after);
    Sleeper* before = nullptr;
    for (Sleeper* at = first_.get(); at != nullptr && at->wakes_after.get() <= after; at = at->next_sleeper.get()) {
      before = at;
    }
    link(before, s);
    // EDGE memory.asleep: seq_cst, as whoever puts a task to sleep chooses a parked worker next, and that looks here
    // after it was listed.
    count_.fetch_add(1, sync::seq_cst);
    lock_.unlock();
  }

  /// A round begins: a worker that has nothing to do looks. @returns the first that is due and that `mine` accepts, not
  /// in the queue any more; or null. Without a lock if none is due.
  template <class Mine>
  Sleeper* take_due(Mine mine) {
    // The paper's step (section 3.3.2): the round is over when the count has passed it.
    const std::uint64_t round = round_.fetch_add(1, sync::relaxed) + 1;
    if (first_due_.load(sync::relaxed) >= round) return nullptr;
    return take([&](const Sleeper& s) { return s.wakes_after.get() < round && mine(s); });
  }
  /// The first that `mine` accepts, due or not; or null.
  template <class Mine>
  Sleeper* take_first(Mine mine) {
    if (looks_empty()) return nullptr;
    return take(mine);
  }
  /// Whether `mine` accepts one.
  template <class Mine>
  bool is_any(Mine mine) {
    if (looks_empty()) return false;
    lock_.lock(relax_);
    const Sleeper* at = first_.get();
    while (at != nullptr && !mine(*at)) at = at->next_sleeper.get();
    lock_.unlock();
    return at != nullptr;
  }

  /// How many have begun.
  std::uint64_t round() const { return round_.load(sync::relaxed); }

  /// seq_cst so that a worker about to park can rely on it.
  bool looks_empty() const {
    // EDGE memory.asleep
    return count_.load(sync::seq_cst) == 0;
  }

  /// In a child of fork(2). The queue is empty if somebody was at it who is not here.
  void go_on_alone() noexcept {
    if (lock_.go_on_alone()) return;
    first_.set(nullptr);
    count_.store(0, sync::relaxed);
  }

 private:
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  void link(Sleeper* before, Sleeper& s) {
    s.next_sleeper.set(before != nullptr ? before->next_sleeper.get() : first_.get());
    if (before != nullptr) {
      before->next_sleeper.set(&s);
    } else {
      first_.set(&s);
      first_due_.store(s.wakes_after.get(), sync::relaxed);
    }
  }
  template <class Accept>
  Sleeper* take(Accept accept) {
    lock_.lock(relax_);
    Sleeper* before = nullptr;
    Sleeper* at = first_.get();
    while (at != nullptr && !accept(*at)) {
      before = at;
      at = at->next_sleeper.get();
    }
    if (at != nullptr) {
      Sleeper* const next = at->next_sleeper.get();
      if (before != nullptr) {
        before->next_sleeper.set(next);
      } else {
        first_.set(next);
        first_due_.store(next != nullptr ? next->wakes_after.get() : k_never, sync::relaxed);
      }
      count_.fetch_sub(1, sync::seq_cst);
    }
    lock_.unlock();
    return at;
  }

  sync::atomic<std::uint64_t> round_{0};
  /// When the first one wakes: a hint, which may be old.
  sync::atomic<std::uint64_t> first_due_{k_never};
  sync::atomic<std::uint32_t> count_{0};
  spin_lock lock_;
  sync::plain<Sleeper*> first_;
  Relax relax_;
};

}  // namespace takt::core
