// random_permutation and shuffle.
#pragma once

#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/for_each.hpp>
#include <takt/algorithms/radix_sort.hpp>
#include <takt/algorithms/random.hpp>

#include <vector>

namespace TAKT_NAMESPACE {

/// The numbers 0 ... n - 1 in an order that depends on n and the seed alone.
/// @throws std::bad_alloc
/// Cost: that of radix_sort for n random 64-bit keys. Extra memory: 4 n words.
inline std::vector<std::size_t> random_permutation(std::size_t n, std::uint64_t seed = 0) {
  struct entry {
    std::uint64_t key;
    std::size_t place;
  };
  const random_stream random(seed);
  auto entries = takt::tabulate(n, [random](std::size_t k) { return entry{random(k), k}; });
  takt::radix_sort(entries, [](const entry& e) { return e.key; });
  std::vector<std::size_t> places(n);
  takt::transform(entries, places.begin(), [](const entry& e) { return e.place; });
  return places;
}

TAKT_LAST_FORM(shuffle, true, "takes a range or two iterators, and a seed")

/// Puts the elements in an order that depends on their number and the seed alone. Elements may be move-only.
/// @throws std::bad_alloc, with the range as it was; what moving an element throws.
/// Cost: as random_permutation, and n elements more memory.
template <detail::writable_sequence R, detail::size_like N = std::uint64_t>
void shuffle(R&& range, N seed = 0) {
  using value = std::ranges::range_value_t<R>;
  const std::vector<std::size_t> from = takt::random_permutation(detail::size_of(range), static_cast<std::uint64_t>(seed));
  const auto first = detail::start_of(range);
  detail::buffer<value> moved(from.size(),
                              [&](std::uint64_t k) -> value&& { return std::move(detail::at(first, from[k])); });
  moved.move_to(first);
}

template <detail::output It, detail::size_like N = std::uint64_t>
void shuffle(It first, It last, N seed = 0) {
  takt::shuffle(detail::subrange_of<It>(first, last), seed);
}

}  // namespace TAKT_NAMESPACE
