// What the elided and the parallel half of the elision test both instantiate: the same templates, the same arguments.
#pragma once

#include <takt/algorithms.hpp>
#include <takt/takt.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

struct add_one {
  std::uint64_t* values;
  void operator()(std::size_t i) const { values[i] += i + 1; }
};

struct itself {
  std::uint64_t operator()(std::uint64_t i) const { return i; }
};

struct seven {
  std::uint64_t operator()() const { return 7; }
};

/// Most of it are functions that a linker keeps one copy of.
[[gnu::always_inline]] inline void sort_backwards(std::vector<std::uint64_t>& v) {
  takt::sort(v, std::greater<std::uint64_t>());
}

/// One call of everything that is built differently when elided. Inlined, so that each half has its own calls.
[[gnu::always_inline]] inline std::uint64_t run_all() {
  constexpr std::size_t k_count = 100'000;
  std::vector<std::uint64_t> v(k_count);
  takt::parallel_for(std::size_t{0}, k_count, add_one{v.data()});
  std::uint64_t sum = takt::parallel_reduce(std::uint64_t{0}, std::uint64_t{k_count}, std::uint64_t{0}, itself{},
                                            std::plus<std::uint64_t>());
  takt::inclusive_scan(v, v.begin());
  sort_backwards(v);
  auto [left, right] = takt::fork_join(seven{}, seven{});
  return sum + v.front() + left + right;
}

/// In the half that is not elided. @returns the sum, and in `promotions` how many there were in a sort with the trigger
/// eager.
std::uint64_t run_all_in_parallel(std::uint64_t& promotions);
/// There, too: how many looks at the clock have been counted.
std::uint64_t polls_in_parallel();
