// What all algorithms need to know about their ranges.
#pragma once

#include <takt/detail/misfit.hpp>
#include <takt/parallel_for.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>

namespace TAKT_NAMESPACE {
namespace detail {

/// Elements that any worker can reach in constant time.
template <class R>
concept sequence = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

/// The same, to be written.
template <class R>
concept writable_sequence = sequence<R> && separate_elements<std::ranges::iterator_t<R>>;
template <class It>
concept output = std::random_access_iterator<It> && separate_elements<It>;

/// What a projection makes of an element.
template <class R, class Proj>
using projected = std::invoke_result_t<Proj&, std::ranges::range_reference_t<R>>;

/// Functions, predicates and comparisons of elements, or of what a projection makes of them.
template <class F, class R, class Proj>
concept takes_elements = std::invocable<Proj&, std::ranges::range_reference_t<R>> && std::invocable<F&, projected<R, Proj>>;
template <class Pred, class R, class Proj>
concept tests_elements =
    takes_elements<Pred, R, Proj> && std::constructible_from<bool, std::invoke_result_t<Pred&, projected<R, Proj>>>;
template <class Comp, class R, class Proj>
concept compares_elements =
    std::invocable<Proj&, std::ranges::range_reference_t<R>> &&
    std::invocable<Comp&, projected<R, Proj>, projected<R, Proj>> &&
    std::constructible_from<bool, std::invoke_result_t<Comp&, projected<R, Proj>, projected<R, Proj>>>;
template <class T, class R, class Proj>
concept equals_elements = takes_elements<Proj, R, std::identity> &&
                          requires(const std::remove_cvref_t<projected<R, Proj>>& x, const T& value) {
                            static_cast<bool>(x == value);
                          };
template <class Comp, class A, class B, class Proj>
concept compares_ranges =
    compares_elements<Comp, A, Proj> && compares_elements<Comp, B, Proj> &&
    std::invocable<Comp&, projected<A, Proj>, projected<B, Proj>> &&
    std::invocable<Comp&, projected<B, Proj>, projected<A, Proj>>;
/// The same in a range that is to be changed.
template <class Comp, class R, class Proj>
concept orders_elements = compares_elements<Comp, R, Proj> &&
                          !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
/// An output to which results are written.
template <class Out, class Result>
concept output_of = output<Out> && std::is_assignable_v<std::iter_reference_t<Out>, Result>;
/// A sum of type T of what Map makes of elements.
template <class T, class Combine, class R, class Map>
concept sums_elements = takes_elements<Map, R, std::identity> && std::invocable<Combine&, T, projected<R, Map>>;

/// Contiguous elements are reached by pointer: one kind of loop for all containers.
template <std::random_access_iterator It>
TAKT_INLINE auto cursor(It first) {
  if constexpr (std::contiguous_iterator<It>) {
    return std::to_address(first);
  } else {
    return first;
  }
}

template <class R>
TAKT_INLINE auto start_of(R&& range) {
  return detail::cursor(std::ranges::begin(range));
}

template <class R>
TAKT_INLINE std::uint64_t size_of(R&& range) {
  return static_cast<std::uint64_t>(std::ranges::size(range));
}

template <class It>
TAKT_INLINE decltype(auto) at(const It& first, std::uint64_t k) {
  return first[static_cast<std::iter_difference_t<It>>(k)];
}

template <class It>
TAKT_INLINE It advanced(It first, std::uint64_t k) {
  return first + static_cast<std::iter_difference_t<It>>(k);
}

template <class R>
TAKT_INLINE auto iterator_at(R&& range, std::uint64_t k) {
  return detail::advanced(std::ranges::begin(range), k);
}

/// body(k) for every k below `count`.
template <class Body>
TAKT_INLINE void for_count(std::uint64_t count, Body&& body) {
  detail::for_integers(std::uint64_t{0}, count, detail::capture_body(static_cast<Body&&>(body)));
}

/// to[k] = from[k] for every k below `count`. A function, so that loops around it do not have this one in each copy of
/// their body.
template <class T>
TAKT_OUTLINE void copy_elements(const T* from, T* to, std::uint64_t count) {
  detail::for_count(count, [from, to](std::uint64_t k) { to[k] = from[k]; });
}

template <class It>
using subrange_of = std::ranges::subrange<It, It>;

}  // namespace detail
}  // namespace TAKT_NAMESPACE
