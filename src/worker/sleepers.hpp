// Who sleeps, and who is to be woken. See README.md beside this file for why no wake-up is lost.
#pragma once

#include "sync/atomic.hpp"
#include "sync/spin_lock.hpp"

#include <cstdint>

namespace takt::core {

/// An intrusive list of sleeping workers under a short lock; the count outside it is all that a worker which has
/// nothing to wake ever reads. `Sleeper` has a member `sleep`, with `next`, `asleep` (plain) and `eligible(scope)`;
/// `Relax` is called in the lock's spin loop.
template <class Sleeper, class Relax>
class sleepers {
 public:
  explicit sleepers(Relax relax) : relax_(relax) { first_.set(nullptr); }

  /// Announces that `s` is about to sleep. The caller must look for work once more afterwards.
  void announce(Sleeper& s) {
    lock_.lock(relax_);
    s.sleep.next.set(first_.get());
    s.sleep.asleep.set(true);
    first_.set(&s);
    // EDGE wake.count: seq_cst, so that either the announcer's second look sees the task, or the pusher's choose()
    // sees this count.
    count_.fetch_add(1, sync::seq_cst);
    lock_.unlock();
  }

  /// Takes the announcement back. @returns false when somebody has chosen `s` already: a token is on its way and
  /// must be taken.
  bool cancel(Sleeper& s) {
    lock_.lock(relax_);
    const bool still = s.sleep.asleep.get();
    if (still) unlink(s);
    lock_.unlock();
    return still;
  }

  /// After a push. Chooses at most one sleeper that may take a task of `scope`, better one that is `preferred`; the
  /// caller unparks it.
  template <class Preferred>
  Sleeper* choose(std::uint32_t scope, Preferred preferred) {
    // EDGE wake.count
    if (count_.load(sync::seq_cst) == 0) return nullptr;
    lock_.lock(relax_);
    Sleeper* chosen = nullptr;
    for (Sleeper* s = first_.get(); s != nullptr; s = s->sleep.next.get()) {
      if (!s->sleep.eligible(scope)) continue;
      if (chosen == nullptr) chosen = s;
      if (!preferred(*s)) continue;
      chosen = s;
      break;
    }
    if (chosen != nullptr) unlink(*chosen);
    lock_.unlock();
    return chosen;
  }
  Sleeper* choose(std::uint32_t scope) {
    return choose(scope, [](const Sleeper&) { return true; });
  }

  /// Chooses `s` if it sleeps.
  bool choose(Sleeper& s) {
    // EDGE wake.count
    if (count_.load(sync::seq_cst) == 0) return false;
    return cancel(s);
  }

  /// Chooses any one: for shutdown, and for tasks that everybody may take.
  Sleeper* choose_any() {
    // EDGE wake.count
    if (count_.load(sync::seq_cst) == 0) return nullptr;
    lock_.lock(relax_);
    Sleeper* s = first_.get();
    if (s != nullptr) unlink(*s);
    lock_.unlock();
    return s;
  }

  std::uint32_t count() const { return count_.load(sync::seq_cst); }
  bool any() const { return count() != 0; }

 private:
  void unlink(Sleeper& s) {
    Sleeper* before = nullptr;
    for (Sleeper* p = first_.get(); p != &s; p = p->sleep.next.get()) before = p;
    if (before == nullptr) {
      first_.set(s.sleep.next.get());
    } else {
      before->sleep.next.set(s.sleep.next.get());
    }
    s.sleep.asleep.set(false);
    count_.fetch_sub(1, sync::seq_cst);
  }
  sync::atomic<std::uint32_t> count_{0};
  spin_lock lock_;
  sync::plain<Sleeper*> first_;
  Relax relax_;
};

}  // namespace takt::core
