#include "explore/free_programs.hpp"

#include "explore/parts.hpp"

#include <chrono>
#include <functional>

namespace takt_explore {

namespace {

// This thread's state, asked for anew each time: the code may have gone on elsewhere.
[[gnu::noinline]] std::uint64_t polls_here() {
  __asm__ volatile("" ::: "memory");
  return takt_hot.polls;
}
[[gnu::noinline]] std::uintptr_t free_top_here() {
  __asm__ volatile("" ::: "memory");
  return takt_hot.free_top;
}

// With a beat of a few ticks nothing is short. @returns its ticks.
std::uint64_t choose_long_beat(explorer& on) {
  const std::uint64_t beat = on.chosen_below(2) == 0 ? 100 : 400;
  takt::config c = takt::current_config();
  c.beat = std::chrono::microseconds(beat);
  takt::configure(c);
  return beat;
}

// Long code that calls nothing: what polls in it is a signal. `holds` is asked after one.
template <class F>
bool after_a_signal(explorer& on, std::uint64_t ticks, F holds) {
  const std::uint64_t before = polls_here();
  for (unsigned step = 0; step < 4; ++step) {
    on.point(source::current());
    on.pass_time(ticks);
    if (polls_here() != before && !holds()) return false;
  }
  return true;
}

// --- loops -----------------------------------------------------------------------------------------------------

template <unsigned Leaf>
struct number {
  std::uint64_t operator()(std::uint64_t k) const { return mix(k, Leaf); }
};

// Of its own for each leaf: what it lets run free was granted by the worker that runs the leaf.
template <unsigned Leaf>
takt::abi::site& site_of_leaf() {
  return takt::detail::site_of<
      takt::detail::reduce_operations<std::uint64_t, std::uint64_t, number<Leaf>, std::plus<>>>;
}

template <unsigned Leaf>
bool is_nothing_free() {
  return takt::detail::relaxed(site_of_leaf<Leaf>().free_below) == 0;
}

constexpr std::uint64_t iterations(std::uint64_t round) { return 1 + round % 4; }

template <unsigned Leaf>
std::uint64_t serial_leaf() {
  std::uint64_t value = 0;
  for (std::uint64_t round = 0; round < 12; ++round) {
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < iterations(round); ++k) sum += mix(k, Leaf);
    value = mix(value, sum);
  }
  return value;
}

template <unsigned Leaf>
std::uint64_t leaf(explorer& on, std::uint64_t beat) {
  std::uint64_t value = 0;
  for (std::uint64_t round = 0; round < 12; ++round) {
    const std::uint64_t n = iterations(round);
    if (takt::detail::relaxed(site_of_leaf<Leaf>().free_below) > n) on.witness();
    const std::uint64_t sum =
        takt::parallel_reduce(std::uint64_t{0}, n, std::uint64_t{0}, number<Leaf>{}, std::plus<>{});
    value = mix(value, sum);
    if (round % 4 == 3 && !after_a_signal(on, beat, is_nothing_free<Leaf>)) return 0;
  }
  return value;
}

// --- forks -----------------------------------------------------------------------------------------------------

constexpr unsigned k_depth = 5;
constexpr unsigned k_edge = 3;  // here many forks seem to have been pushed since the last poll

// `leaf(path)` at the end of each path.
template <class Leaf>
std::uint64_t recurse(explorer& on, unsigned depth, std::uint64_t path, const Leaf& leaf, bool& is_free) {
  if (depth == 0) return leaf(path, is_free);
  if (depth == k_edge) (void)takt::detail::spend(65 * takt::abi::k_fork_units);
  const takt::abi::slot* const before = takt::detail::head();
  const auto [a, b] = takt::fork_join(
      [&] {
        bool pushed_nothing = takt::detail::head() == before;
        return recurse(on, depth - 1, 2 * path, leaf, pushed_nothing);
      },
      [&] {
        bool unknown = false;
        return recurse(on, depth - 1, 2 * path + 1, leaf, unknown);
      });
  return mix(a, b);
}

}  // namespace

std::uint64_t free_loops(explorer& on) {
  const std::uint64_t beat = choose_long_beat(on);
  const auto [a, rest] = takt::fork_join([&] { return leaf<0>(on, beat); },
                                         [&] {
                                           const auto [b, c] = takt::fork_join([&] { return leaf<1>(on, beat); },
                                                                               [&] { return leaf<2>(on, beat); });
                                           return mix(b, c);
                                         });
  // Nobody may write to a site once the call is over: it may be part of a library that is unloaded.
  if (!is_nothing_free<0>() || !is_nothing_free<1>() || !is_nothing_free<2>()) return 0;
  return mix(a, rest);
}

std::uint64_t serial_free_loops() { return mix(serial_leaf<0>(), mix(serial_leaf<1>(), serial_leaf<2>())); }

std::uint64_t free_forks(explorer& on) {
  const std::uint64_t beat = choose_long_beat(on);
  bool outside = false;
  return recurse(
      on, k_depth, 1,
      [&](std::uint64_t path, bool is_free) {
        if (is_free) on.witness();
        const bool ended = path % 4 != 0 || after_a_signal(on, beat, [] { return free_top_here() == 0; });
        return ended ? mix(path, 1) : 0;
      },
      outside);
}

std::uint64_t serial_free_forks() { return serial_tree(k_depth, 1); }

std::uint64_t groups_in_free_code(explorer& on) {
  const std::uint64_t beat = choose_long_beat(on);
  constexpr unsigned k_levels = k_edge + 1;
  constexpr std::uint64_t k_leaves = std::uint64_t{1} << k_levels;
  std::array<std::uint64_t, k_leaves> cells{};
  takt::task_group members(some_bound(on));
  bool outside = false;
  recurse(
      on, k_levels, 1,
      [&](std::uint64_t path, bool is_free) {
        if (is_free) on.witness();
        members.run([&, path] {
          work(on);
          cells[path - k_leaves] += mix(path - k_leaves, 3);
        });
        if (path % 4 == 0) on.pass_time(beat);
        if (path == k_leaves + 1) members.wait();
        return path;
      },
      outside);
  members.wait();
  return in_order(cells);
}

}  // namespace takt_explore
