// takt, which is told nothing but what is parallel.
#pragma once

#include "locality/parallel/takt_common.hpp"

namespace takt::bench::par::inline over_takt {

inline constexpr const char* k_system = "takt";

template <class F, class G>
void fork(double /*left*/, double /*right*/, std::size_t /*bytes*/, const F& f, const G& g) {
  takt::fork_join(f, g);
}

template <class Body>
void loop(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Body& body) {
  takt::parallel_for(std::size_t{0}, count, body);
}

template <class Body>
void outer_loop(std::size_t count, std::size_t bytes, affinity& same, const Body& body) {
  loop(count, bytes, same, body);
}

template <class T, class Add, class Merge>
T sum(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Add& add, const Merge& merge) {
  return sum_with<T>(count, add, merge);
}

}  // namespace takt::bench::par::inline over_takt
