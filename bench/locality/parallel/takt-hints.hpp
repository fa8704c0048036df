// takt with hints: how much each branch does, and how much memory all of it uses.
#pragma once

#include "locality/parallel/takt_common.hpp"

namespace takt::bench::par::inline over_takt_hints {

inline constexpr const char* k_system = "takt-hints";

template <class F, class G>
void fork(double left, double right, std::size_t bytes, const F& f, const G& g) {
  takt::fork_join(takt::weights(left, right), takt::bytes(bytes), f, g);
}

template <class Body>
void loop(std::size_t count, std::size_t bytes, affinity& /*same*/, const Body& body) {
  takt::parallel_for(std::size_t{0}, count, body, takt::hints{.bytes = bytes});
}

template <class Body>
void outer_loop(std::size_t count, std::size_t bytes, affinity& same, const Body& body) {
  loop(count, bytes, same, body);
}

template <class T, class Add, class Merge>
T sum(std::size_t count, std::size_t bytes, affinity& /*same*/, const Add& add, const Merge& merge) {
  return sum_with<T>(count, add, merge, takt::hints{.bytes = bytes});
}

}  // namespace takt::bench::par::inline over_takt_hints
