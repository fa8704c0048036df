// Threads that stand in for those that have given their seats away. See src/scheduler/README.md, "Seats that change
// hands".
#include "worker/runtime.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace takt::core {

// Each thread that is away leaves room for one.
bool runtime::may_stand_in() const noexcept {
  const std::uint32_t n = stand_ins_.load(sync::seq_cst);
  // EDGE seat.away: seq_cst, so that who gives its seat away sees the task of whoever finds nobody to wake, or is counted.
  if (n >= away_.load(sync::seq_cst)) return false;
  return share.stack_bytes == platform::stacks::k_no_limit ||
         n + threads_started_.load(sync::relaxed) < share.threads;
}

bool runtime::start_stand_in() noexcept {
  auto* const self = new (std::nothrow) stand_in{*this, nullptr};
  if (self == nullptr) return false;
  // It ends under the same lock: not before it is in the list.
  const std::lock_guard guard(workers_mutex);
  try {
    // And room for all of the pool.
    threads.reserve(threads.size() + 1 + most_workers);
    self->thread = threading.start_thread(above_.stand_in, self, share.is_short);
  } catch (...) {
  }
  if (self->thread == nullptr) {
    delete self;
    return false;
  }
  threads.push_back(self->thread);
  stand_ins_.fetch_add(1, sync::relaxed);
  next_start_.store(0, sync::relaxed);
  return true;
}

// Beside those for who is away so many are kept for later as there are workers.
bool runtime::are_too_many() const noexcept {
  // EDGE seat.away: who is about to sleep sees that somebody is back, or is seen asleep.
  return stand_ins_.load(sync::relaxed) > away_.load(sync::seq_cst) + worker_count();
}

void runtime::wake_one_too_many() noexcept {
  if (!are_too_many()) return;
  worker* const s = sleeping.choose(0, [](const worker& v) { return v.seat.is_stand_in(); });
  if (s != nullptr) threading.unpark(s->sleep.parker);
}

bool runtime::may_do_without(const worker& w) noexcept {
  if (!is_too_many(w)) return false;
  std::uint32_t n = stand_ins_.load(sync::relaxed);
  do {
    if (n <= away_.load(sync::relaxed) + worker_count()) return false;
    // EDGE seat.away: seq_cst, so that who goes away meanwhile sees one less, or is seen.
  } while (!stand_ins_.compare_exchange_strong(n, n - 1, sync::seq_cst, sync::relaxed));
  if (n - 1 < away_.load(sync::seq_cst)) {
    stand_ins_.fetch_add(1, sync::relaxed);
    return false;
  }
  wake_one_too_many();
  return true;
}

void runtime::counts_away() noexcept {
  // EDGE seat.away: seq_cst, and then a look for tasks.
  away_.fetch_add(1, sync::seq_cst);
  // Nobody may be left to ask again later.
  next_start_.store(0, sync::relaxed);
}

void runtime::counts_back() noexcept {
  // It went away in the parent.
  if (orphaned) return;
  // EDGE seat.away
  away_.fetch_sub(1, sync::seq_cst);
  wake_one_too_many();
}

void runtime::end_stand_in(stand_in* self) noexcept {
  platform::thread* before = nullptr;
  {
    const std::lock_guard guard(workers_mutex);
    // Whoever takes the runtime down waits for all in the list; and for the last one to leave it.
    if (stopping.load(sync::relaxed) == 0) {
      threads.erase(std::find(threads.begin(), threads.end(), self->thread));
      before = std::exchange(ended_, self->thread);
    }
  }
  // Each waits for the one before, which is at its end, so that one at most is left.
  if (before != nullptr) threading.join_thread(before);
  delete self;
}

}  // namespace takt::core
