// reverse and rotate.
#pragma once

#include <takt/detail/sequence.hpp>

#include <utility>

namespace TAKT_NAMESPACE {

TAKT_LAST_FORM(reverse, true, "takes a range or two iterators")
TAKT_LAST_FORM(rotate, true, "takes three iterators")

/// Cost: work O(n), span O(log n), no extra memory.
template <detail::writable_sequence R>
void reverse(R&& range) {
  const std::uint64_t count = detail::size_of(range);
  detail::for_count(count / 2, [first = detail::start_of(range), count](std::uint64_t k) {
    std::ranges::iter_swap(detail::advanced(first, k), detail::advanced(first, count - 1 - k));
  });
}

template <detail::output It>
void reverse(It first, It last) {
  takt::reverse(detail::subrange_of<It>(first, last));
}

/// Exchanges [first, middle) and [middle, last).
/// @returns where the element that was first is now.
/// Cost: work O(n), span O(log n), no extra memory.
template <detail::output It>
It rotate(It first, It middle, It last) {
  takt::reverse(first, middle);
  takt::reverse(middle, last);
  takt::reverse(first, last);
  return first + (last - middle);
}

}  // namespace TAKT_NAMESPACE
