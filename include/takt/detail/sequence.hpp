// What all algorithms need to know about their ranges.
#pragma once

#include <takt/parallel_for.hpp>

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>

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
