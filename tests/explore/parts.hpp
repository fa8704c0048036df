// What the programs have in common.
#pragma once

#include "explore/explorer.hpp"

#include <takt/takt.hpp>

#include "conformance/program.hpp"
#include "support/counted.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace takt_explore {

using takt_test::mix;

// A little of the program's own work, in which anything may happen.
inline void work(explorer& on, unsigned steps = 2) {
  for (unsigned i = 0; i < steps; ++i) {
    on.point(source::current());
    on.pass_time(1);
  }
}

/// In its scope memory may be refused to the runtime.
class short_of_memory {
 public:
  explicit short_of_memory(explorer& on) : on_(on) { on.may_refuse_memory = true; }
  ~short_of_memory() { on_.may_refuse_memory = false; }
  short_of_memory(const short_of_memory&) = delete;
  short_of_memory& operator=(const short_of_memory&) = delete;

 private:
  explorer& on_;
};

/// A thread of the program's own.
template <class F>
class outside_thread {
 public:
  outside_thread(explorer& on, F f) : on_(on), f_(std::move(f)) {
    thread_ = on.start_outside([](void* self) { static_cast<outside_thread*>(self)->f_(); }, this);
  }
  outside_thread(const outside_thread&) = delete;
  outside_thread& operator=(const outside_thread&) = delete;
  void join() { on_.join_thread(thread_); }

 private:
  explorer& on_;
  F f_;
  takt::platform::thread* thread_;
};

/// Of a group: full lists are rare elsewhere.
inline takt::at_most some_bound(explorer& on) { return {on.chosen_below(2) == 0 ? 3 : ~std::size_t{0}}; }

/// The worker that runs here, or null.
[[gnu::noinline]] inline const void* worker_here() {
  __asm__ volatile("" ::: "memory");
  return takt_hot.worker;
}

// A tree of forks.
inline std::uint64_t serial_tree(unsigned depth, std::uint64_t path) {
  if (depth == 0) return mix(path, 1);
  const std::uint64_t left = serial_tree(depth - 1, 2 * path);
  return mix(left, serial_tree(depth - 1, 2 * path + 1));
}

inline std::uint64_t tree(explorer& on, unsigned depth, std::uint64_t path) {
  work(on);
  if (depth == 0) return mix(path, 1);
  const auto [a, b] = takt::fork_join([&on, depth, path] { return tree(on, depth - 1, 2 * path); },
                                      [&on, depth, path] { return tree(on, depth - 1, 2 * path + 1); });
  return mix(a, b);
}

template <std::size_t N>
std::uint64_t in_order(const std::array<std::uint64_t, N>& cells) {
  return std::accumulate(cells.begin(), cells.end(), std::uint64_t{0}, [](auto a, auto b) { return mix(a, b); });
}

template <std::size_t N>
std::uint64_t serial_cells() {
  std::array<std::uint64_t, N> cells{};
  for (std::size_t i = 0; i < N; ++i) cells[i] = mix(i, 3);
  return in_order(cells);
}

// Associative, not commutative.
struct affine {
  std::uint64_t factor = 1;
  std::uint64_t term = 0;
  friend affine operator*(affine a, affine b) { return {a.factor * b.factor, a.term * b.factor + b.term}; }
};
inline affine nth(std::uint64_t i) { return {2 * mix(i, 1) + 1, mix(i, 2)}; }
inline std::uint64_t serial_reduction(std::uint64_t n) {
  affine all;
  for (std::uint64_t i = 0; i < n; ++i) all = all * nth(i);
  return mix(all.factor, all.term);
}

/// The number of the error that comes out of `f`; 0: none.
template <class F>
std::uint64_t error_of(F f) {
  try {
    f();
  } catch (const takt_test::planned_error& e) {
    return static_cast<std::uint64_t>(e.id);
  }
  return 0;
}

}  // namespace takt_explore
