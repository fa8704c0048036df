#include "wait.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

#include "state.hpp"

namespace takt::openmp {

void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept {
  while (word.load(std::memory_order_acquire) == value) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
  }
}

void wake_all(const std::atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

waiter::waiter() noexcept : on_fiber_(is_on_fiber()) {
  if (on_fiber_) takt_event_begin(&event_);
}

void waiter::wait() noexcept {
  if (on_fiber_) return takt_event_wait(&event_);
  // EDGE waiter.woken
  wait_while(woken_, 0);
}

void waiter::wake() noexcept {
  if (on_fiber_) return takt_event_end(&event_);
  std::atomic<std::uint32_t>& word = woken_;
  // EDGE waiter.woken. It may be gone from here on: at worst somebody else wakes for nothing.
  word.store(1, std::memory_order_release);
  wake_all(word);
}

void short_wait::pause() noexcept {
  ++round_ % 64 == 0 ? static_cast<void>(sched_yield()) : spin_pause();
}

void short_lock::lock() noexcept {
  for (short_wait brief; held_.exchange(1, std::memory_order_acquire) != 0;) brief.pause();
}

void condition::remove(waiter& self) noexcept {
  waiter** link = &first_;
  while (*link != &self) link = &(*link)->next;
  *link = self.next;
  if (first_ == nullptr) waiting_.store(false, std::memory_order_relaxed);
}

void condition::wake_all() noexcept {
  lock_.lock();
  waiter* at = first_;
  first_ = nullptr;
  waiting_.store(false, std::memory_order_relaxed);
  lock_.unlock();
  while (at != nullptr) {
    waiter* const next = at->next;
    at->wake();
    at = next;
  }
}

// --- locks: 0 is free, 1 held, 2 held and somebody may wait. Who waits is listed by the word's address.

namespace {

struct alignas(64) bucket {
  short_lock lock;
  waiter* first = nullptr;
  waiter* last = nullptr;
};
constexpr unsigned k_buckets = 64;
bucket buckets[k_buckets];

bucket& bucket_of(const void* key) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(key) / sizeof(lock_word);
  return buckets[(at ^ at / k_buckets) % k_buckets];
}

void go_on_alone() noexcept {
  for (bucket& b : buckets) {
    b.lock.go_on_alone();
    b.first = b.last = nullptr;
  }
}
[[maybe_unused]] const int follows_forks = pthread_atfork(nullptr, nullptr, &go_on_alone);

}  // namespace

bool try_acquire(lock_word& word) noexcept {
  std::uint32_t free = 0;
  // EDGE lock.held
  return word.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
}

void acquire(lock_word& word) noexcept {
  if (try_acquire(word)) return;
  if (look_for([&word] { return word.load(std::memory_order_relaxed) == 0 && try_acquire(word); })) return;
  // EDGE lock.held
  while (word.exchange(2, std::memory_order_acquire) != 0) {
    waiter self;
    self.key = &word;
    bucket& b = bucket_of(&word);
    b.lock.lock();
    // Who releases it has this lock when it looks for waiters, after its store.
    if (word.load(std::memory_order_seq_cst) != 2) {
      b.lock.unlock();
      continue;
    }
    (b.last != nullptr ? b.last->next : b.first) = &self;
    b.last = &self;
    b.lock.unlock();
    self.wait();
  }
}

void release(lock_word& word) noexcept {
  // EDGE lock.held
  if (word.exchange(0, std::memory_order_release) != 2) return;
  bucket& b = bucket_of(&word);
  b.lock.lock();
  waiter* before = nullptr;
  waiter* w = b.first;
  while (w != nullptr && w->key != &word) {
    before = w;
    w = w->next;
  }
  if (w != nullptr) {
    (before != nullptr ? before->next : b.first) = w->next;
    if (b.last == w) b.last = before;
  }
  b.lock.unlock();
  if (w != nullptr) w->wake();
}

void yield() noexcept {
  is_on_fiber() ? takt_team_yield() : static_cast<void>(sched_yield());
}

}  // namespace takt::openmp
