// per_worker: scratch space, of which there is one for each worker that wants it.
#pragma once

#include <takt/config.hpp>
#include <takt/detail/elision.hpp>

#include <functional>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace TAKT_NAMESPACE {

/// Objects of type T for use inside parallel code, created when they are first wanted, at most one for each worker.
///
/// A computation may go on on another thread after any fork, join or loop, so an object does not belong to a thread: it
/// is lent for the duration of a call. That call must not itself contain forks, joins, parallel loops or algorithms,
/// nor use the same per_worker again: with as many borrowers as objects it would wait for ever.
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

  /// Calls f with an object that nobody else uses meanwhile, and returns what f returns.
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
    explicit lease(per_worker& from) : taken(from.take()) {}
    // EDGE per_worker.give: what was done to the object comes before its next use.
    ~lease() { __atomic_store_n(&taken.busy, false, __ATOMIC_RELEASE); }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
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
    for (std::size_t i = 0;; ++i) {
      cell& c = cells_[(start + i) % cells_.size()];
      // EDGE per_worker.give
      if (!__atomic_load_n(&c.busy, __ATOMIC_RELAXED) && !__atomic_exchange_n(&c.busy, true, __ATOMIC_ACQUIRE)) {
        return c;
      }
      // More threads than workers: those that found no place in the pool run serially.
      if (i % cells_.size() == cells_.size() - 1) std::this_thread::yield();
    }
  }

  std::function<T()> make_;
  std::vector<cell> cells_;
};

}  // namespace TAKT_NAMESPACE
