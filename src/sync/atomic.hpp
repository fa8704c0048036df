// The atomics facade: the only file of the runtime that includes <atomic>. Under TAKT_MODEL the same names mean
// Relacy's modelled types, so that the model checker runs the shipped sources.
#pragma once

#include <cstdint>

#if defined(TAKT_MODEL)

#include <relacy/relacy.hpp>

namespace takt::sync {

inline constexpr rl::memory_order relaxed = rl::mo_relaxed;
inline constexpr rl::memory_order acquire = rl::mo_acquire;
inline constexpr rl::memory_order release = rl::mo_release;
inline constexpr rl::memory_order acq_rel = rl::mo_acq_rel;
inline constexpr rl::memory_order seq_cst = rl::mo_seq_cst;

/// std::atomic's interface over Relacy's, which wants a source location with each access.
template <class T>
class atomic {
 public:
  atomic() = default;
  explicit atomic(T v) { value_.store(v, rl::mo_relaxed, RL_INFO); }
  T load(rl::memory_order o) const { return value_.load(o, RL_INFO); }
  void store(T v, rl::memory_order o) { value_.store(v, o, RL_INFO); }
  T exchange(T v, rl::memory_order o) { return value_.exchange(v, o, RL_INFO); }
  T fetch_add(T v, rl::memory_order o) { return value_.fetch_add(v, o, RL_INFO); }
  T fetch_sub(T v, rl::memory_order o) { return value_.fetch_sub(v, o, RL_INFO); }
  bool compare_exchange_strong(T& expected, T v, rl::memory_order o, rl::memory_order failure) {
    return value_.compare_exchange_strong(expected, v, o, failure, RL_INFO);
  }

 private:
  rl::atomic<T> value_;
};

/// Data that the protocol claims is free of races: the checker reports one if the claim is wrong.
template <class T>
class plain {
 public:
  plain() = default;
  T get() const { return value_(RL_INFO).load(); }
  void set(T v) { value_(RL_INFO).store(v); }

 private:
  mutable rl::var<T> value_;
};

}  // namespace takt::sync

#else

#include <atomic>

namespace takt::sync {

template <class T>
using atomic = std::atomic<T>;

inline constexpr std::memory_order relaxed = std::memory_order_relaxed;
inline constexpr std::memory_order acquire = std::memory_order_acquire;
inline constexpr std::memory_order release = std::memory_order_release;
inline constexpr std::memory_order acq_rel = std::memory_order_acq_rel;
inline constexpr std::memory_order seq_cst = std::memory_order_seq_cst;

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
