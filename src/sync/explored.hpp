// The facade's types when schedules are explored (TAKT_EXPLORE): one operating-system thread runs all virtual threads,
// so a value is a plain value, and each access is a point at which another virtual thread may go on. What comes out are
// the interleavings of whole accesses; what weaker orders allow beyond them is for the model tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>
#include <utility>

namespace takt::sync {

enum class order { relaxed, acquire, release, acq_rel, seq_cst };
inline constexpr order relaxed = order::relaxed;
inline constexpr order acquire = order::acquire;
inline constexpr order release = order::release;
inline constexpr order acq_rel = order::acq_rel;
inline constexpr order seq_cst = order::seq_cst;

/// Where in the sources an access is: what a trace shows, and what a planted bug is found by.
using source = std::source_location;

/// Before each access: another virtual thread may run, or a signal arrive. The explorer's.
void explored_point(const source& at) noexcept;
/// Until somebody calls explored_wake with the same address.
void explored_wait(const void* address, const source& at) noexcept;
void explored_wake(const void* address) noexcept;

enum class access { load, store, rmw };
enum class effect {
  lost,     ///< a store, or the write of a read-modify-write, does not happen
  torn,     ///< a read-modify-write is a load and a store, and others may come in between
  returns,  ///< a load, or a read-modify-write, returns `value`
  mistake   ///< none of an access: `function` names a mistake in a planted copy of the source
};

/// A bug for the twin of an exploration: what goes wrong with the accesses of this kind that a function with this in
/// its full name (such as "chase_lev::push(") makes. So the shipped sources need no mark for it.
struct planted_bug {
  const char* function;
  effect what;
  access kind = access::rmw;
  std::uint64_t value = 0;
};
inline const planted_bug* planted = nullptr;

/// For planted copies: whether this mistake is to be made.
inline bool makes_mistake(const char* name) {
  return planted != nullptr && planted->what == effect::mistake && std::strcmp(planted->function, name) == 0;
}

inline bool has_effect(access kind, effect what, const source& at) {
  const planted_bug* bug = planted;
  return bug != nullptr && bug->kind == kind && bug->what == what &&
         std::strstr(at.function_name(), bug->function) != nullptr;
}

template <class T>
class atomic {
 public:
  constexpr atomic() noexcept : value_{} {}
  constexpr explicit atomic(T v) noexcept : value_(v) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(order, source at = source::current()) const noexcept {
    explored_point(at);
    if constexpr (std::is_integral_v<T>) {
      if (has_effect(access::load, effect::returns, at)) [[unlikely]]
        return static_cast<T>(planted->value);
    }
    return value_;
  }
  void store(T v, order, source at = source::current()) noexcept {
    explored_point(at);
    if (has_effect(access::store, effect::lost, at)) [[unlikely]]
      return;
    value_ = v;
  }
  T exchange(T v, order o, source at = source::current()) noexcept {
    return change([v](T) { return v; }, o, at);
  }
  T fetch_add(T v, order o, source at = source::current()) noexcept {
    return change([v](T before) { return static_cast<T>(before + v); }, o, at);
  }
  T fetch_sub(T v, order o, source at = source::current()) noexcept {
    return change([v](T before) { return static_cast<T>(before - v); }, o, at);
  }
  T fetch_or(T v, order o, source at = source::current()) noexcept {
    return change([v](T before) { return static_cast<T>(before | v); }, o, at);
  }
  T fetch_and(T v, order o, source at = source::current()) noexcept {
    return change([v](T before) { return static_cast<T>(before & v); }, o, at);
  }
  bool compare_exchange_strong(T& expected, T v, order, order, source at = source::current()) noexcept {
    explored_point(at);
    if (value_ != expected) {
      expected = value_;
      return false;
    }
    if (has_effect(access::rmw, effect::torn, at)) [[unlikely]]
      explored_point(at);
    if (!has_effect(access::rmw, effect::lost, at)) [[likely]]
      value_ = v;
    return true;
  }

  /// For the platform below the scheduler, which is no part of what is explored.
  T unseen() const noexcept { return value_; }
  void set_unseen(T v) noexcept { value_ = v; }

 private:
  template <class F>
  T change(F f, order, const source& at) noexcept {
    explored_point(at);
    if (planted == nullptr) [[likely]]
      return std::exchange(value_, f(value_));
    const T before = value_;
    if (has_effect(access::rmw, effect::torn, at)) [[unlikely]]
      explored_point(at);
    if (!has_effect(access::rmw, effect::lost, at)) [[likely]]
      value_ = f(before);
    if constexpr (std::is_integral_v<T>) {
      if (has_effect(access::rmw, effect::returns, at)) [[unlikely]]
        return static_cast<T>(planted->value);
    }
    return before;
  }

  T value_;
};

/// A statistic: no point, as nothing depends on it.
template <class T>
class tally {
 public:
  constexpr tally() noexcept : value_{} {}
  constexpr explicit tally(T v) noexcept : value_(v) {}
  T load(order) const noexcept { return value_; }
  void store(T v, order) noexcept { value_ = v; }
  T fetch_add(T v, order) noexcept { return std::exchange(value_, value_ + v); }

 private:
  T value_;
};

class mutex {
 public:
  mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  void lock(source at = source::current()) noexcept {
    explored_point(at);
    while (locked_) explored_wait(this, at);
    locked_ = true;
  }
  bool try_lock(source at = source::current()) noexcept {
    explored_point(at);
    if (locked_) return false;
    locked_ = true;
    return true;
  }
  void unlock(source at = source::current()) noexcept {
    locked_ = false;
    explored_wake(this);
    explored_point(at);
  }

 private:
  bool locked_ = false;
};

}  // namespace takt::sync
