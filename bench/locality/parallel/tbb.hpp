// oneTBB: loops that run again over the same data have an affinity_partitioner.
#pragma once

#include <cstddef>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>

namespace takt::bench::par::inline over_tbb {

inline constexpr const char* k_system = "tbb";

using affinity = tbb::affinity_partitioner;

inline void touch(const void* /*first*/, std::size_t /*bytes*/) {}

template <class F>
void root(const F& f) {
  f();
}

template <class F, class G>
void fork(double /*left*/, double /*right*/, std::size_t /*bytes*/, const F& f, const G& g) {
  tbb::task_group group;
  group.run(g);
  f();
  group.wait();
}

template <class Body>
void loop(std::size_t count, std::size_t /*bytes*/, affinity& same, const Body& body) {
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count),
      [&body](const tbb::blocked_range<std::size_t>& some) {
        for (std::size_t i = some.begin(); i < some.end(); ++i) {
          body(i);
        }
      },
      same);
}

template <class Body>
void outer_loop(std::size_t count, std::size_t bytes, affinity& same, const Body& body) {
  loop(count, bytes, same, body);
}

template <class T, class Add, class Merge>
T sum(std::size_t count, std::size_t /*bytes*/, affinity& same, const Add& add, const Merge& merge) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, count), T{},
      [&add](const tbb::blocked_range<std::size_t>& some, T all) {
        for (std::size_t i = some.begin(); i < some.end(); ++i) {
          add(all, i);
        }
        return all;
      },
      [&merge](T a, const T& b) {
        merge(a, b);
        return a;
      },
      same);
}

}  // namespace takt::bench::par::inline over_tbb
