// unique, unique_copy and remove_duplicates.
#pragma once

#include <takt/algorithms/filter.hpp>

#include <bit>
#include <span>
#include <vector>

namespace TAKT_NAMESPACE {

namespace detail {

/// Selects the elements that differ from the one in front of them.
template <class It, class Equal, class Proj>
TAKT_INLINE auto unlike_the_one_before(It first, Equal same, Proj proj) {
  auto answer = [first, same, proj](std::uint64_t k) mutable {
    return k == 0 ||
           !std::invoke(same, std::invoke(proj, detail::at(first, k - 1)), std::invoke(proj, detail::at(first, k)));
  };
  return plain_finder<decltype(answer)>{answer};
}

}  // namespace detail

TAKT_LAST_FORM(unique_copy, false, TAKT_MISFIT_COMPARISON TAKT_MISFIT_OUTPUT)
TAKT_LAST_FORM(unique, true, TAKT_MISFIT_COMPARISON)
TAKT_LAST_FORM(remove_duplicates, false, "takes a range, a hash of an element, and a comparison of two")

/// Copies the elements that differ from their predecessor to `out`, which must not overlap the range. `same`
/// must be an equivalence.
/// @returns the end of the output. Throws and costs as filter does.
template <detail::sequence R, detail::output Out, class Equal = std::ranges::equal_to,
          class Proj = std::identity>
  requires detail::compares_elements<Equal, R, Proj>
Out unique_copy(R&& range, Out out, Equal same = {}, Proj proj = {}) {
  const auto first = detail::start_of(range);
  const auto emit = [first, to = detail::cursor(out)](std::uint64_t k, std::uint64_t place) {
    detail::at(to, place) = detail::at(first, k);
  };
  return detail::advanced(
      out, detail::select<true>(detail::size_of(range), detail::unlike_the_one_before(first, same, proj), emit,
                                [&emit](std::uint64_t) { return emit; }));
}

template <std::random_access_iterator It, detail::output Out, class Equal = std::ranges::equal_to,
          class Proj = std::identity>
Out unique_copy(It first, It last, Out out, Equal same = {}, Proj proj = {}) {
  return takt::unique_copy(detail::subrange_of<It>(first, last), out, same, proj);
}

/// Moves the elements that differ from their predecessor to the front, in their order. The elements behind them are
/// moved from, or as they were. To erase them: v.erase(unique(v), v.end()). `same` must be an equivalence.
/// @returns the end of those that stay. Throws and costs as remove_if does; elements that are not trivially copyable
/// need room for all that stay.
template <detail::writable_sequence R, class Equal = std::ranges::equal_to, class Proj = std::identity>
  requires detail::compares_elements<Equal, R, Proj>
auto unique(R&& range, Equal same = {}, Proj proj = {}) {
  const auto first = detail::start_of(range);
  const std::uint64_t count = detail::size_of(range);
  const auto finder = detail::unlike_the_one_before(first, same, proj);
  if constexpr (std::is_trivially_copyable_v<std::ranges::range_value_t<R>>) {
    return detail::iterator_at(range, detail::select_in_place(first, count, finder));
  } else {
    // The one in front is looked at once more when it may have gone already: all answers come first.
    const std::vector<std::uint64_t> places =
        detail::select_to_vector<std::uint64_t>(count, finder, [](std::uint64_t k) { return k; });
    detail::buffer<std::ranges::range_value_t<R>> moved(
        places.size(), [first, from = places.data()](std::uint64_t k) -> decltype(auto) {
          return std::ranges::iter_move(detail::advanced(first, from[k]));
        });
    moved.move_to(first);
    return detail::iterator_at(range, places.size());
  }
}

template <detail::output It, class Equal = std::ranges::equal_to, class Proj = std::identity>
It unique(It first, It last, Equal same = {}, Proj proj = {}) {
  return takt::unique(detail::subrange_of<It>(first, last), same, proj);
}

namespace detail {

/// A hash table of places that keeps the lowest place of each key. Any number of workers may insert.
template <class It, class Hash, class Equal>
class first_places {
 public:
  first_places(It first, std::uint64_t count, Hash hash, Equal same)
      : first_(first),
        hash_(std::move(hash)),
        same_(std::move(same)),
        mask_(std::bit_ceil(2 * count + 2) - 1),
        cells_(mask_ + 1) {
    detail::for_count(cells_.size(), [cells = cells_.data()](std::uint64_t c) { cells[c] = k_free; });
  }

  void insert(std::uint64_t place) {
    // Multiplied, because many hash functions give integers unchanged.
    std::uint64_t c = (static_cast<std::uint64_t>(hash_(detail::at(first_, place))) * 0x9E3779B97F4A7C15) >> 20;
    for (;; ++c) {
      std::uint64_t& cell = cells_.data()[c & mask_];
      std::uint64_t there = __atomic_load_n(&cell, __ATOMIC_RELAXED);
      // Places only: the elements were there before the loop began. A cell never changes to another key.
      if (there == k_free &&
          __atomic_compare_exchange_n(&cell, &there, place, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        return;
      }
      if (!same_(detail::at(first_, there), detail::at(first_, place))) continue;
      while (place < there &&
             !__atomic_compare_exchange_n(&cell, &there, place, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      }
      return;
    }
  }
  /// flags[place] = 1 for all places that are kept.
  void mark(std::uint8_t* flags) const {
    detail::for_count(cells_.size(), [cells = cells_.data(), flags](std::uint64_t c) {
      if (cells[c] != k_free) flags[cells[c]] = 1;
    });
  }

 private:
  static constexpr std::uint64_t k_free = ~std::uint64_t{0};
  It first_;
  Hash hash_;
  Equal same_;
  std::uint64_t mask_;
  raw_memory<std::uint64_t> cells_;
};

}  // namespace detail

/// A vector of copies of the elements that equal none before them, in their order.
/// @throws the first exception of `hash`, `same` or a copy, or std::bad_alloc.
/// Cost: work O(n) expected; span O(log^2 n + the longest probe). Extra memory: 2 to 4 n words and n bytes.
template <detail::sequence R, class Hash = std::hash<std::ranges::range_value_t<R>>,
          class Equal = std::ranges::equal_to>
  requires detail::takes_elements<Hash, R, std::identity> && detail::compares_elements<Equal, R, std::identity>
std::vector<std::ranges::range_value_t<R>> remove_duplicates(R&& range, Hash hash = {}, Equal same = {}) {
  const std::uint64_t count = detail::size_of(range);
  const auto first = detail::start_of(range);
  const detail::raw_memory<std::uint8_t> flags(count);
  detail::for_count(count, [to = flags.data()](std::uint64_t k) { to[k] = 0; });
  {
    detail::first_places<std::remove_const_t<decltype(first)>, Hash, Equal> table(first, count, hash, same);
    detail::for_count(count, [&table](std::uint64_t k) { table.insert(k); });
    table.mark(flags.data());
  }
  return takt::pack(range, std::span<const std::uint8_t>(flags.data(), count));
}

}  // namespace TAKT_NAMESPACE
