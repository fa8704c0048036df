// The atomics facade: the only file of the runtime that includes <atomic>. Under TAKT_MODEL the same names mean
// Relacy's modelled types, so that the model checker runs the shipped sources; under TAKT_EXPLORE those of
// explored.hpp, so that a simulated machine can change threads at each access.
#pragma once

#include <cstdint>

#if defined(TAKT_MODEL)

#include <cstring>
#include <source_location>

// All of relacy.hpp but what turns keywords and system calls (new, malloc, errno, pthread_create ...) into macros.
#include <relacy/atomic.hpp>
#include <relacy/atomic_fence.hpp>
#include <relacy/backoff.hpp>
#include <relacy/base.hpp>
#include <relacy/context.hpp>
#include <relacy/context_base_impl.hpp>
#include <relacy/dyn_thread.hpp>
#include <relacy/stdlib/condition_variable.hpp>
#include <relacy/stdlib/event.hpp>
#include <relacy/stdlib/mutex.hpp>
#include <relacy/stdlib/semaphore.hpp>
#include <relacy/test_suite.hpp>
#include <relacy/thread_local.hpp>
#include <relacy/var.hpp>

namespace takt::sync {

inline constexpr rl::memory_order relaxed = rl::mo_relaxed;
inline constexpr rl::memory_order acquire = rl::mo_acquire;
inline constexpr rl::memory_order release = rl::mo_release;
inline constexpr rl::memory_order acq_rel = rl::mo_acq_rel;
inline constexpr rl::memory_order seq_cst = rl::mo_seq_cst;

/// Where in the sources an access is: what the checker shows, and what a planted bug is found by.
using source = std::source_location;

enum class access { load, store, rmw };

/// A bug for the twin of a model test: accesses of this kind and order, made by a function with this in its full name
/// (such as "chase_lev::push("), get another order. So a twin runs the shipped sources with one edge missing, and
/// those need no mark for it.
struct planted_bug {
  access kind;
  const char* function;
  rl::memory_order shipped;
  rl::memory_order instead;
};
inline const planted_bug* planted = nullptr;

inline rl::memory_order order_at(access kind, rl::memory_order shipped, const source& where) {
  const planted_bug* bug = planted;
  if (bug == nullptr || bug->kind != kind || bug->shipped != shipped) return shipped;
  return std::strstr(where.function_name(), bug->function) != nullptr ? bug->instead : shipped;
}

inline rl::debug_info info(const source& where) {
  return rl::debug_info(where.function_name(), where.file_name(), where.line());
}

/// std::atomic's interface over Relacy's, which wants a source location with each access.
template <class T>
class atomic {
 public:
  // As std::atomic since C++20: zero, not indeterminate.
  atomic() : atomic(T{}) {}
  explicit atomic(T v, source at = source::current()) { value_.store(v, rl::mo_relaxed, info(at)); }
  T load(rl::memory_order o, source at = source::current()) const {
    return value_.load(order_at(access::load, o, at), info(at));
  }
  void store(T v, rl::memory_order o, source at = source::current()) {
    value_.store(v, order_at(access::store, o, at), info(at));
  }
  T exchange(T v, rl::memory_order o, source at = source::current()) {
    return value_.exchange(v, order_at(access::rmw, o, at), info(at));
  }
  T fetch_add(T v, rl::memory_order o, source at = source::current()) {
    return value_.fetch_add(v, order_at(access::rmw, o, at), info(at));
  }
  T fetch_sub(T v, rl::memory_order o, source at = source::current()) {
    return value_.fetch_sub(v, order_at(access::rmw, o, at), info(at));
  }
  T fetch_or(T v, rl::memory_order o, source at = source::current()) {
    return value_.fetch_or(v, order_at(access::rmw, o, at), info(at));
  }
  bool compare_exchange_strong(T& expected, T v, rl::memory_order o, rl::memory_order failure,
                               source at = source::current()) {
    const rl::debug_info where = info(at);
    return value_.compare_exchange_strong(expected, v, order_at(access::rmw, o, at), where, failure, where);
  }

 private:
  rl::atomic<T> value_;
};

/// Data that the protocol claims is free of races: the checker reports one if the claim is wrong.
template <class T>
class plain {
 public:
  plain() = default;
  explicit plain(T v, source at = source::current()) { set(v, at); }
  T get(source at = source::current()) const { return value_(info(at)).load(); }
  void set(T v, source at = source::current()) { value_(info(at)).store(v); }

 private:
  mutable rl::var<T> value_;
};

}  // namespace takt::sync

#elif defined(TAKT_EXPLORE)

#include "sync/explored.hpp"

#else

#include <atomic>
#include <mutex>

namespace takt::sync {

#if defined(TAKT_EMULATED)

/// For programs that run under qemu-user alone (cmake/aarch64-linux-gnu.cmake). ARMv8 keeps a sequentially consistent
/// store (stlr) before a later such load (ldar); qemu on x86-64 emits no barrier between them, and the processor lets
/// the load pass the store: a deque then gives an entry away twice. A read-modify-write is a barrier there.
template <class T>
class atomic : public std::atomic<T> {
 public:
  using std::atomic<T>::atomic;
  void store(T v, std::memory_order o) noexcept {
    if (o == std::memory_order_seq_cst) {
      (void)this->exchange(v, o);
    } else {
      std::atomic<T>::store(v, o);
    }
  }
};

#else

template <class T>
using atomic = std::atomic<T>;

#endif

/// A statistic: nothing depends on when another thread sees it.
template <class T>
using tally = std::atomic<T>;

using mutex = std::mutex;

inline constexpr std::memory_order relaxed = std::memory_order_relaxed;
inline constexpr std::memory_order acquire = std::memory_order_acquire;
inline constexpr std::memory_order release = std::memory_order_release;
inline constexpr std::memory_order acq_rel = std::memory_order_acq_rel;
inline constexpr std::memory_order seq_cst = std::memory_order_seq_cst;

}  // namespace takt::sync

#endif

#if !defined(TAKT_MODEL)

namespace takt::sync {

/// Data that the protocol claims is free of races; the model checker's twin of this class verifies the claim.
template <class T>
class plain {
 public:
  T get() const { return value_; }
  void set(T v) { value_ = v; }

 private:
  T value_;
};

}  // namespace takt::sync

#endif
