// per_worker: scratch space, of which there is one for each worker that wants it.
#pragma once

#include <takt/config.hpp>
#include <takt/detail/elision.hpp>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

namespace TAKT_NAMESPACE {

/// Objects of type T for use inside parallel code, created when they are first wanted, at most one for each worker.
///
/// A computation may continue on another thread after any fork, join or loop. So an object does not belong to a thread:
/// it is lent for the duration of a call. That call must not contain forks, joins, parallel loops or algorithms, nor
/// use the same per_worker again: once all objects are lent it would wait for ever.
template <class T>
class per_worker {
 public:
  /// Objects are made by T().
  per_worker()
    requires std::is_default_constructible_v<T>
      : per_worker([] { return T(); }) {}
  /// Objects are made by make(), which may run on several workers at a time.
  /// @throws std::bad_alloc
  template <class Make>
    requires std::is_invocable_r_v<T, Make&>
  explicit per_worker(Make make) : make_(std::move(make)), cells_(workers()) {}
  per_worker(const per_worker&) = delete;
  per_worker& operator=(const per_worker&) = delete;

  /// Calls f with an object that nobody else uses meanwhile, and returns what f returns. With more callers than
  /// workers, which takes threads that are not workers, some sleep until an object is given back.
  /// @throws what f throws, or what making the object throws.
  /// Cost: one or two atomic operations on a cell that is mostly one's own.
  template <class F>
  decltype(auto) with(F&& f) {
    const lease mine(*this);
    if (mine.taken.value == nullptr) mine.taken.value = std::make_unique<T>(make_());
    return std::invoke(std::forward<F>(f), *mine.taken.value);
  }

  /// Calls f for each object that was created. Nobody may use them meanwhile.
  template <class F>
  void for_each(F&& f) {
    for (cell& c : cells_) {
      if (c.value != nullptr) std::invoke(f, *c.value);
    }
  }

 private:
  // On a cache line of its own: it is written at each use.
  struct alignas(abi::k_cache_line) cell {
    bool busy = false;
    std::unique_ptr<T> value;
  };
  struct lease {
    explicit lease(per_worker& owner) : from(owner), taken(owner.take()) {}
    ~lease() { from.give_back(taken); }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    per_worker& from;
    cell& taken;
  };

  static unsigned workers() {
    if constexpr (detail::k_elided) {
      return 1;
    } else {
      return current_config().workers;
    }
  }
  cell& take() {
    // Begin where nobody else does, if possible: a worker's stack is in a place of its own.
    const char here = 0;
    const std::size_t start = std::hash<const void*>()(&here) >> 16;
    cell* found = find_free(start);
    if (found == nullptr) [[unlikely]] {
      std::unique_lock<std::mutex> lock(mutex_);
      // EDGE per_worker.sleep: whoever gives back a cell that find_free() sees busy from here on sees that we wait.
      __atomic_fetch_add(&sleepers_, 1, __ATOMIC_SEQ_CST);
      given_back_.wait(lock, [&] { return (found = find_free(start)) != nullptr; });
      __atomic_fetch_sub(&sleepers_, 1, __ATOMIC_SEQ_CST);
    }
    return *found;
  }
  cell* find_free(std::size_t start) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cell& c = cells_[(start + i) % cells_.size()];
      if (__atomic_load_n(&c.busy, __ATOMIC_SEQ_CST)) continue;
      // EDGE per_worker.give
      if (!__atomic_exchange_n(&c.busy, true, __ATOMIC_SEQ_CST)) return &c;
    }
    return nullptr;
  }
  void give_back(cell& c) {
    // EDGE per_worker.give: what was done to the object comes before its next use.
    __atomic_store_n(&c.busy, false, __ATOMIC_SEQ_CST);
    // EDGE per_worker.sleep
    if (__atomic_load_n(&sleepers_, __ATOMIC_SEQ_CST) == 0) [[likely]]
      return;
    // A sleeper that looked before the cell was free is asleep once the mutex can be had.
    const std::lock_guard<std::mutex> lock(mutex_);
    given_back_.notify_one();
  }

  std::function<T()> make_;
  std::vector<cell> cells_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::size_t sleepers_ = 0;
};

}  // namespace TAKT_NAMESPACE
