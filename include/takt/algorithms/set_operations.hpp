// set_union, set_intersection, set_difference and set_symmetric_difference of sorted ranges.
#pragma once

#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/merge.hpp>

#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// Whether an element of `a` has one of `b` to go with it, each of which goes with one element only. The position is
/// that in `b`.
template <bool Matched, class A, class B, class Order>
struct match_finder {
  std::uint64_t seek(std::uint64_t k) {
    // Of elements equal to a[k], those before it in `a` have used up as many of `b`.
    const std::uint64_t first_equal = lower_bound(a, 0, k, detail::at(a, k));
    const std::uint64_t used = k - first_equal;
    std::uint64_t j = lower_bound(b, 0, b_size, detail::at(a, k));
    std::uint64_t limit = j;
    while (limit < b_size && limit - j < used && !order(detail::at(a, k), detail::at(b, limit))) ++limit;
    return limit;
  }
  TAKT_INLINE bool operator()(std::uint64_t k, std::uint64_t& j) {
    if (j < b_size && order(detail::at(b, j), detail::at(a, k))) skip(k, j);
    const bool matched = j < b_size && !order(detail::at(a, k), detail::at(b, j));
    j += matched ? 1 : 0;
    return matched == Matched;
  }

  A a;
  B b;
  std::uint64_t b_size;
  Order order;

 private:
  // By steps that double: how far it goes may be anything.
  void skip(std::uint64_t k, std::uint64_t& j) {
    std::uint64_t step = 1;
    while (j + step < b_size && order(detail::at(b, j + step), detail::at(a, k))) {
      j += step;
      step *= 2;
    }
    const std::uint64_t end = j + step < b_size ? j + step : b_size;
    j = lower_bound(b, j + 1, end, detail::at(a, k));
  }
  template <class It, class T>
  std::uint64_t lower_bound(const It& in, std::uint64_t low, std::uint64_t high, const T& value) {
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (order(detail::at(in, middle), value)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

template <bool Matched, class A, class B, class Order>
auto matches(A&& a, B&& b, const Order& order) {
  const auto first = detail::start_of(a);
  const auto second = detail::start_of(b);
  using finder =
      match_finder<Matched, std::remove_const_t<decltype(first)>, std::remove_const_t<decltype(second)>, Order>;
  return detail::select_to_vector<std::ranges::range_value_t<A>>(
      detail::size_of(a), finder{first, second, detail::size_of(b), order},
      [first](std::uint64_t k) -> decltype(auto) { return detail::at(first, k); });
}

}  // namespace detail

TAKT_LAST_FORM(set_difference, false,
               "takes two ranges, and a comparison of two elements, or of what the projection makes of them")
TAKT_LAST_FORM(set_intersection, false,
               "takes two ranges, and a comparison of two elements, or of what the projection makes of them")
TAKT_LAST_FORM(set_union, false,
               "takes two ranges, and a comparison of two elements, or of what the projection makes of them")
TAKT_LAST_FORM(set_symmetric_difference, false,
               "takes two ranges, and a comparison of two elements, or of what the projection makes of them")

/// A vector of the elements of sorted `a` that have no partner in sorted `b`, as std::set_difference.
/// @throws the first exception of a comparison or a copy, or std::bad_alloc.
/// Cost of all four: work O(m + n), span O(log^2(m + n)); extra memory as filter, and for the union and the symmetric
/// difference one copy of their unmatched elements.
template <detail::sequence A, detail::sequence B, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_ranges<Comp, A, B, Proj>
auto set_difference(A&& a, B&& b, Comp comp = {}, Proj proj = {}) {
  return detail::matches<false>(a, b, detail::projected_order<Comp, Proj>{comp, proj});
}

/// The elements of `a` that have a partner in `b`.
template <detail::sequence A, detail::sequence B, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_ranges<Comp, A, B, Proj>
auto set_intersection(A&& a, B&& b, Comp comp = {}, Proj proj = {}) {
  return detail::matches<true>(a, b, detail::projected_order<Comp, Proj>{comp, proj});
}

/// The elements of `a`, and those of `b` that have no partner in `a`, merged.
template <detail::sequence A, detail::sequence B, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_ranges<Comp, A, B, Proj>
auto set_union(A&& a, B&& b, Comp comp = {}, Proj proj = {}) {
  const auto rest = takt::set_difference(b, a, comp, proj);
  std::vector<std::ranges::range_value_t<A>> all(detail::size_of(a) + rest.size());
  takt::merge(a, rest, all.begin(), comp, proj);
  return all;
}

/// The elements of both that have no partner in the other one, merged.
template <detail::sequence A, detail::sequence B, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_ranges<Comp, A, B, Proj>
auto set_symmetric_difference(A&& a, B&& b, Comp comp = {}, Proj proj = {}) {
  const auto of_a = takt::set_difference(a, b, comp, proj);
  const auto of_b = takt::set_difference(b, a, comp, proj);
  std::vector<std::ranges::range_value_t<A>> all(of_a.size() + of_b.size());
  takt::merge(of_a, of_b, all.begin(), comp, proj);
  return all;
}

}  // namespace TAKT_NAMESPACE
