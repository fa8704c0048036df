// Tasks that sleep for a number of rounds before they allocate (Hybrid, section 2.2.1). See README.md.
#pragma once

#include "sync/atomic.hpp"
#include "sync/spin_lock.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// Intrusive: `Sleeper` has `rounds`, for which it sleeps at least, set before it comes; and `wakes_after` (a round)
/// and `next_sleeper`, both plain, for the queue alone while it is in. `Relax` is called in the lock's spin loop.
/// Taking one takes time linear in the number of sleepers.
template <class Sleeper, class Relax>
class sleep_queue {
 public:
  explicit sleep_queue(Relax relax) : relax_(relax) {
    newest_.set(nullptr);
    paid_.set(0);
  }

  /// Until as many rounds as it has to sleep have begun and one after them, or somebody takes it before.
  void put(Sleeper& s) {
    lock_.lock(relax_);
    s.wakes_after.set(round_.load(sync::relaxed) + s.rounds);
    s.next_sleeper.set(newest_.get());
    newest_.set(&s);
    due_.store(std::min(due_.load(sync::relaxed), std::max(s.wakes_after.get(), paid_.get())), sync::relaxed);
    // EDGE memory.asleep: seq_cst, as whoever puts a task to sleep chooses a parked worker next, and that looks here
    // after it was listed.
    count_.fetch_add(1, sync::seq_cst);
    lock_.unlock();
  }

  /// A round begins: a worker that has nothing to do looks. @returns the newest that is due and that `mine` accepts,
  /// not in the queue any more; or null. Nobody is due until, since one was taken, as many rounds have begun as that
  /// one had to sleep. Without a lock if none is due.
  template <class Mine>
  Sleeper* take_due(Mine mine) {
    // The paper's step (section 3.3.2): the round is over when the count has passed it.
    const std::uint64_t round = round_.fetch_add(1, sync::relaxed) + 1;
    if (due_.load(sync::relaxed) >= round) return nullptr;
    return take([&](const Sleeper& s) { return s.wakes_after.get() < round && paid_.get() < round && mine(s); });
  }
  /// The newest that `mine` accepts, due or not; or null.
  template <class Mine>
  Sleeper* take_newest(Mine mine) {
    if (looks_empty()) return nullptr;
    return take(mine);
  }
  /// Whether `mine` accepts one.
  template <class Mine>
  bool is_any(Mine mine) {
    if (looks_empty()) return false;
    lock_.lock(relax_);
    const Sleeper* at = newest_.get();
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

  /// In a child of fork(2). @returns false, and the queue is empty, if somebody was at it who is not here.
  bool go_on_alone() noexcept {
    if (lock_.go_on_alone()) return true;
    newest_.set(nullptr);
    count_.store(0, sync::relaxed);
    return false;
  }

 private:
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  template <class Accept>
  Sleeper* take(Accept accept) {
    lock_.lock(relax_);
    Sleeper* before = nullptr;
    Sleeper* at = newest_.get();
    while (at != nullptr && !accept(*at)) {
      before = at;
      at = at->next_sleeper.get();
    }
    if (at != nullptr) {
      Sleeper* const next = at->next_sleeper.get();
      before != nullptr ? before->next_sleeper.set(next) : newest_.set(next);
      paid_.set(round_.load(sync::relaxed) + at->rounds);
      std::uint64_t first = k_never;
      for (const Sleeper* s = newest_.get(); s != nullptr; s = s->next_sleeper.get()) {
        first = std::min(first, s->wakes_after.get());
      }
      due_.store(std::max(first, paid_.get()), sync::relaxed);
      count_.fetch_sub(1, sync::seq_cst);
    }
    lock_.unlock();
    return at;
  }

  sync::atomic<std::uint64_t> round_{0};
  /// When the first one is due: a hint, which may be old.
  sync::atomic<std::uint64_t> due_{k_never};
  sync::atomic<std::uint32_t> count_{0};
  spin_lock lock_;
  sync::plain<Sleeper*> newest_;
  sync::plain<std::uint64_t> paid_;  ///< nobody is due before that round is over
  Relax relax_;
};

}  // namespace takt::core
