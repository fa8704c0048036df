// count and count_if.
#pragma once

#include <takt/detail/sequence.hpp>
#include <takt/parallel_reduce.hpp>

namespace TAKT_NAMESPACE {

TAKT_LAST_FORM(count_if, false, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(count, false, TAKT_MISFIT_VALUE)

/// How many elements satisfy pred(proj(element)).
/// @throws the exception of the first element that threw, after all have been looked at.
/// Cost: work O(n), span O(log n), no extra memory.
template <detail::sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
TAKT_INLINE std::ranges::range_difference_t<R> count_if(R&& range, Pred&& pred, Proj proj = {}) {
  using number = std::ranges::range_difference_t<R>;
  return detail::reduce_integers(
      std::uint64_t{0}, detail::size_of(range), number{0},
      [first = detail::start_of(range), p = detail::capture_body(std::forward<Pred>(pred)), proj](
          std::uint64_t k) mutable { return static_cast<number>(p(std::invoke(proj, detail::at(first, k))) ? 1 : 0); },
      std::plus<number>{});
}

template <std::random_access_iterator It, class Pred, class Proj = std::identity>
TAKT_INLINE std::iter_difference_t<It> count_if(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::count_if(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

/// How many elements equal `value`.
template <detail::sequence R, class T, class Proj = std::identity>
  requires detail::equals_elements<T, R, Proj>
TAKT_INLINE std::ranges::range_difference_t<R> count(R&& range, const T& value, Proj proj = {}) {
  return takt::count_if(range, [&value](const auto& x) { return x == value; }, proj);
}

template <std::random_access_iterator It, class T, class Proj = std::identity>
TAKT_INLINE std::iter_difference_t<It> count(It first, It last, const T& value, Proj proj = {}) {
  return takt::count(detail::subrange_of<It>(first, last), value, proj);
}

}  // namespace TAKT_NAMESPACE
