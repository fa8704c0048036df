// What random programs with the library's own constructs have in common (library.py). With RULES defined, `lib` is what
// takt promises, as plain loops.
#pragma once

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <tuple>
#include <utility>

#ifdef RULES
#include "conformance/rules.hpp"

namespace lib {
template <class... F>
auto fork_join(F&&... f) {
  return takt_test::serial_engine::fork(std::forward<F>(f)...);
}
template <class Body>
void parallel_for(long first, long last, Body body) {
  takt_test::serial_engine::loop(first, last, body);
}
template <class T, class Map, class Combine>
T parallel_reduce(long first, long last, T identity, Map map, Combine combine) {
  return takt_test::serial_engine::reduce(first, last, identity, map, combine);
}
using task_group = takt_test::serial_engine::group;
}  // namespace lib
#define HINT(said)
#else
#include <takt/fork_join.hpp>
#include <takt/parallel_for.hpp>
#include <takt/parallel_reduce.hpp>
#include <takt/task_group.hpp>

namespace lib = takt;
#define HINT(said) takt::work(static_cast<double>((said) % 1000)),
#endif

using number = unsigned long;

inline constexpr int k_cells = 4000;
/// What statements add to, each to one of its own.
inline std::atomic<number> v[k_cells];
inline std::atomic<long> alive{0};

struct thrown {
  number value;
};

/// One that was copied byte by byte, or is no longer alive, gives wrong numbers; so does one that is destroyed twice,
/// or never.
struct object {
  explicit object(number of) : value_(of), self_(this) { ++alive; }
  object(const object& other) : value_(other.get()), self_(this) { ++alive; }
  object(object&& other) noexcept : value_(other.get()), self_(this) { ++alive; }
  object& operator=(const object&) = delete;
  ~object() {
    alive -= self_ == this ? 1 : 1000003;
    self_ = nullptr;
  }
  number get() const { return value_ + (self_ == this ? 0 : 1000003); }

 private:
  number value_;
  const object* self_;
};

/// Larger than a slot.
struct wide {
  explicit wide(number of) { all.fill(of); }
  number get() const { return all.front() == all.back() ? all[4] : 0; }
  std::array<number, 9> all;
};

/// Captures of N words.
template <int N>
struct pack {
  explicit pack(number of) {
    for (number& each : all) each = of++;
  }
  number get() const {
    number sum = 0;
    for (const number each : all) sum = sum * 3 + each;
    return sum;
  }
  number all[N];
};

/// x -> factor * x + term. Composition is associative and not commutative.
struct affine {
  number factor = 1;
  number term = 0;
  friend affine operator*(affine first, affine second) {
    return {first.factor * second.factor, first.term * second.factor + second.term};
  }
};

/// What is sorted by the C library, whose frames are then below those that fork.
struct keyed {
  long n;
  number x;
};

inline number value_of(number x) { return x; }
inline number value_of(const object& x) { return x.get(); }
inline number value_of(const wide& x) { return x.get(); }
template <int N>
number value_of(const pack<N>& x) {
  return x.get();
}
inline number value_of(const std::unique_ptr<number>& x) { return *x; }
template <class T>
number value_of(const T&) {
  return 0;  // takt::nothing
}

number program(long n, number x);
