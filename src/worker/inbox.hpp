// A list of entries that anybody may put into and take from: for what is rare. See README.md beside this file.
#pragma once

#include "sync/atomic.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace takt::core {

template <class Mutex>
class inbox {
 public:
  using entry = std::uint64_t;
  static constexpr entry k_none = 0;

  /// Once there is room, and `counts()` says that the entry may be put in. @returns false, and nothing has happened, if
  /// it says no, or there is no memory.
  template <class Counts>
  bool put(entry e, Counts counts) {
    const std::lock_guard guard(mutex_);
    try {
      if (entries_.size() == entries_.capacity()) entries_.reserve(2 * entries_.size() + 8);
    } catch (...) {
      return false;
    }
    if (!counts()) return false;
    entries_.push_back(e);
    // EDGE wake.task: seq_cst, because whoever puts something in looks for sleepers next (src/worker/README.md).
    count_.fetch_add(1, sync::seq_cst);
    return true;
  }
  bool put(entry e) {
    return put(e, [] { return true; });
  }

  /// The oldest that `accept` takes, or k_none. What `accept` is shown lies here and nowhere else.
  template <class Accept>
  entry take(Accept accept) {
    if (looks_empty()) return k_none;
    const std::lock_guard guard(mutex_);
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
      if (!accept(*it)) continue;
      const entry e = *it;
      entries_.erase(it);
      count_.fetch_sub(1, sync::seq_cst);
      return e;
    }
    return k_none;
  }
  /// The oldest that `accept` takes, which stays; or k_none.
  template <class Accept>
  entry find(Accept accept) {
    if (looks_empty()) return k_none;
    const std::lock_guard guard(mutex_);
    for (const entry e : entries_) {
      if (accept(e)) return e;
    }
    return k_none;
  }

  /// seq_cst so that a worker about to sleep can rely on it.
  bool looks_empty() const {
    // EDGE wake.task
    return count_.load(sync::seq_cst) == 0;
  }
  /// A recent number of entries.
  std::uint32_t size() const { return count_.load(sync::relaxed); }

  /// In a child of fork(2). The list is whole unless somebody was at it: then what it holds is lost, as what was
  /// running is.
  void go_on_alone() {
    if (mutex_.try_lock()) {
      mutex_.unlock();
    } else {
      new (&mutex_) Mutex;
      new (&entries_) std::vector<entry>;
      count_.store(0, sync::relaxed);
    }
  }
  void clear() {
    const std::lock_guard guard(mutex_);
    entries_.clear();
    count_.store(0, sync::relaxed);
  }

 private:
  Mutex mutex_;
  std::vector<entry> entries_;
  sync::atomic<std::uint32_t> count_{0};
};

}  // namespace takt::core
