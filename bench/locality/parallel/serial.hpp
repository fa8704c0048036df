// The programs of bench/locality without any runtime.
#pragma once

#include <cstddef>

namespace takt::bench::par::inline over_serial {

inline constexpr const char* k_system = "serial";

// Kept by who runs the same loop over the same data again.
struct affinity {};

inline void touch(const void* /*first*/, std::size_t /*bytes*/) {}

// What runs the whole.
template <class F>
void root(const F& f) {
  f();
}

// Two branches, so much work each, which use so many bytes together.
template <class F, class G>
void fork(double /*left*/, double /*right*/, std::size_t /*bytes*/, const F& f, const G& g) {
  f();
  g();
}

// body(i) for i from 0 to count - 1.
template <class Body>
void loop(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Body& body) {
  for (std::size_t i = 0; i < count; ++i) {
    body(i);
  }
}

// The same, outside root().
template <class Body>
void outer_loop(std::size_t count, std::size_t bytes, affinity& same, const Body& body) {
  loop(count, bytes, same, body);
}

// add(sum, i) for all i, and merge(sum, other) for sums that began as T{}.
template <class T, class Add, class Merge>
T sum(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Add& add, const Merge& /*merge*/) {
  T all{};
  for (std::size_t i = 0; i < count; ++i) {
    add(all, i);
  }
  return all;
}

}  // namespace takt::bench::par::inline over_serial
