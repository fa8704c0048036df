// OpenMP: tasks and task loops, and a static schedule for a loop that stands alone.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/omp_support.hpp"

#if defined(__clang__)
// Clang converts the bounds of a taskloop to and fro by itself and then warns of it.
#pragma clang diagnostic ignored "-Wsign-conversion"
#endif

namespace takt::bench::par::inline over_omp {

inline constexpr const char* k_system = "omp";

struct affinity {};

inline void touch(const void* /*first*/, std::size_t /*bytes*/) {}

template <class F>
void root(const F& f) {
  omp_root(f);
}

template <class F, class G>
void fork(double /*left*/, double /*right*/, std::size_t /*bytes*/, const F& f, const G& g) {
#pragma omp task shared(g)
  g();
  f();
#pragma omp taskwait
}

template <class Body>
void loop(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Body& body) {
#pragma omp taskloop shared(body)
  for (std::size_t i = 0; i < count; ++i) {
    body(i);
  }
}

template <class Body>
void outer_loop(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Body& body) {
  omp_outer_loop<schedule::fixed>(static_cast<std::int64_t>(count),
                                  [&body](std::int64_t i) { body(static_cast<std::size_t>(i)); });
}

// Each thread adds to a sum of its own: tasks do not move between threads.
template <class T, class Add, class Merge>
T sum(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Add& add, const Merge& merge) {
  std::vector<T> sums(static_cast<std::size_t>(omp_get_num_threads()));
#pragma omp taskloop shared(sums, add)
  for (std::size_t i = 0; i < count; ++i) {
    add(sums[static_cast<std::size_t>(omp_get_thread_num())], i);
  }
  T all{};
  for (const T& one : sums) {
    merge(all, one);
  }
  return all;
}

}  // namespace takt::bench::par::inline over_omp
