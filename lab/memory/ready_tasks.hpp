// Tasks that have been promoted and have not begun, under asyncdf: of all workers in one list. See lab/README.md.
#pragma once

#include "sync/atomic.hpp"
#include "sync/spin_lock.hpp"
#include "worker/entry.hpp"

#include <cstdint>

namespace takt::core {

struct fiber;
class worker;

struct ready_task {
  std::uint64_t task = entry::k_none;
  fiber* parent = nullptr;  ///< the computation that has promoted it
  const worker* by = nullptr;
  ready_task* next = nullptr;
};

/// The newest first. Also for signal handlers, which never run on top of who holds the lock. Each step is one store: in
/// a child of fork(2) the list is whole.
class ready_tasks {
 public:
  template <class Relax>
  void put(ready_task& t, Relax relax) noexcept {
    lock_.lock(relax);
    t.next = newest_;
    newest_ = &t;
    // EDGE ready_tasks.any: seq_cst, as whoever publishes a task chooses a sleeper next, and that looks here after it
    // was listed.
    count_.fetch_add(1, sync::seq_cst);
    lock_.unlock();
  }
  /// `choose` is given the newest, and returns one of the list or null; under the lock. @returns that, not in the list
  /// any more.
  template <class Relax, class Choose>
  ready_task* take(Relax relax, Choose choose) noexcept {
    if (looks_empty()) return nullptr;
    lock_.lock(relax);
    ready_task* const chosen = choose(newest_);
    if (chosen != nullptr) {
      ready_task** link = &newest_;
      while (*link != chosen) link = &(*link)->next;
      *link = chosen->next;
      count_.fetch_sub(1, sync::seq_cst);
    }
    lock_.unlock();
    return chosen;
  }
  /// The newest that `mine` accepts: its entry, or entry::k_none.
  template <class Relax, class Mine>
  std::uint64_t look(Relax relax, Mine mine) noexcept {
    if (looks_empty()) return entry::k_none;
    lock_.lock(relax);
    const ready_task* const t = first(newest_, mine);
    const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
    lock_.unlock();
    return e;
  }
  template <class Task, class Mine>
  static Task* first(Task* from, Mine mine) noexcept {
    while (from != nullptr && !mine(*from)) from = from->next;
    return from;
  }
  bool looks_empty() const noexcept {
    // EDGE ready_tasks.any
    return count_.load(sync::seq_cst) == 0;
  }
  /// In a child of fork(2), where nobody else is: those of others are left where they are.
  void go_on_alone(const worker& w) noexcept {
    (void)lock_.go_on_alone();
    ready_task** link = &newest_;
    std::uint32_t left = 0;
    while (*link != nullptr) {
      if ((*link)->by == &w) {
        ++left;
        link = &(*link)->next;
      } else {
        *link = (*link)->next;
      }
    }
    count_.store(left, sync::relaxed);
  }

 private:
  spin_lock lock_;
  ready_task* newest_ = nullptr;
  sync::atomic<std::uint32_t> count_{0};
};

}  // namespace takt::core
