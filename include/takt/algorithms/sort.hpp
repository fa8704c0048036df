// sort, stable_sort and is_sorted.
#pragma once

#include <takt/algorithms/fill.hpp>
#include <takt/detail/almost_sorted.hpp>
#include <takt/detail/buffer.hpp>
#include <takt/detail/order.hpp>

#include <algorithm>

namespace TAKT_NAMESPACE {
namespace detail {

template <bool Stable, class T, class Order>
void sort_array(T* keys, std::uint64_t count, const Order& order) {
  // What is sorted already, forwards or backwards, costs a look; what is not is seen at its first few elements.
  if (detail::end_of_run(keys, count, order, true) == count) return;
  if (detail::end_of_run(keys, count, order, false) == count) {
    detail::for_count(count / 2, [keys, count](std::uint64_t k) {
      T low = std::move(keys[k]);
      keys[k] = std::move(keys[count - 1 - k]);
      keys[count - 1 - k] = std::move(low);
    });
    return;
  }
  if constexpr (merges_branch_free<T>) {
    raw_memory<T> other(count);
    if (!Stable && detail::sort_almost_sorted(keys, other.data(), count, order)) return;
    detail::sample_sort(keys, other.data(), count, false, order);
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    raw_memory<T> other(count);
    merge_sorter<T, Order>(keys, other.data(), order).sort(0, count, false);
  } else {
    buffer<T> other(count, [keys](std::uint64_t k) -> T&& { return std::move(keys[k]); });
    merge_sorter<T, Order>(keys, other.data(), order).sort(0, count, false);
  }
}

template <bool Stable, class R, class Order>
void sort_sequence(R&& range, const Order& order) {
  using value = std::ranges::range_value_t<R>;
  const std::uint64_t count = detail::size_of(range);
  if constexpr (!std::is_nothrow_move_constructible_v<value> || !std::is_nothrow_move_assignable_v<value>) {
    // Elements that must not be moved to and fro stay until their places are known.
    const auto first = detail::start_of(range);
    std::vector<std::uint64_t> places(count);
    takt::iota(places, std::uint64_t{0});
    detail::sort_array<true>(places.data(), count,
                             [&first, own_order = order](std::uint64_t a, std::uint64_t b) mutable {
                               return own_order(detail::at(first, a), detail::at(first, b));
                             });
    buffer<value> moved(count, [&](std::uint64_t k) -> value&& { return std::move(detail::at(first, places[k])); });
    moved.move_to(first);
  } else if constexpr (std::is_same_v<decltype(detail::start_of(range)), value*>) {
    detail::sort_array<Stable>(detail::start_of(range), count, order);
  } else {
    const auto first = detail::start_of(range);
    buffer<value> all(count, [&first](std::uint64_t k) -> value&& { return std::move(detail::at(first, k)); });
    TAKT_TRY {
      detail::sort_array<Stable>(all.data(), count, order);
    } TAKT_CATCH_ALL {
      all.move_to(first);
      TAKT_RETHROW();
    }
    all.move_to(first);
  }
}

}  // namespace detail

TAKT_LAST_FORM(sort, true, TAKT_MISFIT_COMPARISON ", or the elements are const")
TAKT_LAST_FORM(stable_sort, true, TAKT_MISFIT_COMPARISON ", or the elements are const")
TAKT_LAST_FORM(is_sorted, false, TAKT_MISFIT_COMPARISON)

/// Sorts by comp(proj(a), proj(b)), a strict weak order. Elements may be move-only.
///
/// A merge sort. Trivially copyable elements of at most 32 bytes are first distributed to buckets by a sample; a range
/// of them in which only a few elements are out of order is repaired instead.
/// @throws the first exception of a comparison, when all that was under way has ended, or std::bad_alloc. After a
/// comparison threw, all elements are valid objects, in no order, and some may have been moved from or overwritten.
/// Cost: work O(n log n), O(n) if the range is sorted, strictly descending or sorted but for O(n / log n) elements;
/// span O(log^3 n + n / 2^15). Extra memory: 1.2 n elements, and n words if moves may throw.
template <detail::writable_sequence R, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::orders_elements<Comp, R, Proj>
void sort(R&& range, Comp comp = {}, Proj proj = {}) {
  detail::sort_sequence<false>(range, detail::projected_order<Comp, Proj>{comp, proj});
}

template <detail::output It, class Comp = std::ranges::less, class Proj = std::identity>
void sort(It first, It last, Comp comp = {}, Proj proj = {}) {
  takt::sort(detail::subrange_of<It>(first, last), comp, proj);
}

/// As sort, and equal elements keep their order.
template <detail::writable_sequence R, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::orders_elements<Comp, R, Proj>
void stable_sort(R&& range, Comp comp = {}, Proj proj = {}) {
  detail::sort_sequence<true>(range, detail::projected_order<Comp, Proj>{comp, proj});
}

template <detail::output It, class Comp = std::ranges::less, class Proj = std::identity>
void stable_sort(It first, It last, Comp comp = {}, Proj proj = {}) {
  takt::stable_sort(detail::subrange_of<It>(first, last), comp, proj);
}

/// Whether the range is sorted: no element is less than its predecessor. Stops at the first that is. Costs as find_if.
template <detail::sequence R, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_elements<Comp, R, Proj>
bool is_sorted(R&& range, Comp comp = {}, Proj proj = {}) {
  const std::uint64_t count = detail::size_of(range);
  return detail::end_of_run(detail::start_of(range), count, detail::projected_order<Comp, Proj>{comp, proj}, true) ==
         count;
}

template <std::random_access_iterator It, class Comp = std::ranges::less, class Proj = std::identity>
bool is_sorted(It first, It last, Comp comp = {}, Proj proj = {}) {
  return takt::is_sorted(detail::subrange_of<It>(first, last), comp, proj);
}

}  // namespace TAKT_NAMESPACE
