// min_element, max_element and minmax_element.
#pragma once

#include <takt/detail/order.hpp>
#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>

#include <algorithm>

namespace TAKT_NAMESPACE {
namespace detail {

/// The first element that no other one comes before. `Before(a, b)` on elements, a strict weak order.
template <class It, class Before>
struct extremum_work {
  struct state {
    std::uint64_t best;
  };
  void run(state& s, std::uint64_t begin, std::uint64_t end) const {
    const It own_first = first;
    Before own_before = before;
    std::uint64_t best = s.best;
    for (std::uint64_t k = begin; k < end; ++k) {
      if (own_before(detail::at(own_first, k), detail::at(own_first, best))) best = k;
    }
    s.best = best;
  }
  state fresh(std::uint64_t begin) const { return {begin}; }
  void absorb(state& earlier, state&& part) const {
    Before own_before = before;
    if (own_before(detail::at(first, part.best), detail::at(first, earlier.best))) earlier.best = part.best;
  }

  It first;
  Before before;
};

template <class It, class Before>
TAKT_INLINE std::uint64_t first_extremum(It first, std::uint64_t count, const Before& before) {
  const extremum_work<It, Before> work{first, before};
  typename extremum_work<It, Before>::state all{0};
  detail::run_parts(work, all, count);
  return count == 0 ? 0 : all.best;
}

}  // namespace detail

TAKT_LAST_FORM(min_element, false, TAKT_MISFIT_COMPARISON)
TAKT_LAST_FORM(max_element, false, TAKT_MISFIT_COMPARISON)
TAKT_LAST_FORM(minmax_element, false, TAKT_MISFIT_COMPARISON)

/// The smallest element, the first of several; the end of an empty range.
/// @throws the first exception of a comparison
/// Cost: work O(n), span O(log n), no extra memory.
template <detail::sequence R, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_elements<Comp, R, Proj>
TAKT_INLINE auto min_element(R&& range, Comp comp = {}, Proj proj = {}) {
  const detail::projected_order<Comp, Proj> order{comp, proj};
  return detail::iterator_at(range, detail::first_extremum(detail::start_of(range), detail::size_of(range), order));
}

template <std::random_access_iterator It, class Comp = std::ranges::less, class Proj = std::identity>
TAKT_INLINE It min_element(It first, It last, Comp comp = {}, Proj proj = {}) {
  return takt::min_element(detail::subrange_of<It>(first, last), comp, proj);
}

/// The largest element, the first of several; the end of an empty range. Cost: as min_element.
template <detail::sequence R, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_elements<Comp, R, Proj>
TAKT_INLINE auto max_element(R&& range, Comp comp = {}, Proj proj = {}) {
  const auto order = [before = detail::projected_order<Comp, Proj>{comp, proj}](auto&& a, auto&& b) mutable {
    return before(b, a);
  };
  return detail::iterator_at(range, detail::first_extremum(detail::start_of(range), detail::size_of(range), order));
}

template <std::random_access_iterator It, class Comp = std::ranges::less, class Proj = std::identity>
TAKT_INLINE It max_element(It first, It last, Comp comp = {}, Proj proj = {}) {
  return takt::max_element(detail::subrange_of<It>(first, last), comp, proj);
}

namespace detail {

/// As std::minmax_element: the first smallest and the last largest element.
template <class It, class Before>
struct minmax_work {
  struct state {
    std::uint64_t low;
    std::uint64_t high;
  };
  void run(state& s, std::uint64_t begin, std::uint64_t end) const {
    const It own_first = first;
    Before own_before = before;
    std::uint64_t low = s.low;
    std::uint64_t high = s.high;
    for (std::uint64_t k = begin; k < end; ++k) {
      if (own_before(detail::at(own_first, k), detail::at(own_first, low))) low = k;
      if (!own_before(detail::at(own_first, k), detail::at(own_first, high))) high = k;
    }
    s = {low, high};
  }
  state fresh(std::uint64_t begin) const { return {begin, begin}; }
  void absorb(state& earlier, state&& part) const {
    Before own_before = before;
    if (own_before(detail::at(first, part.low), detail::at(first, earlier.low))) earlier.low = part.low;
    if (!own_before(detail::at(first, part.high), detail::at(first, earlier.high))) earlier.high = part.high;
  }

  It first;
  Before before;
};

}  // namespace detail

/// @returns {min, max}: the first smallest and the last largest element, as in the standard. Cost: as min_element,
/// 2 n comparisons.
template <detail::sequence R, class Comp = std::ranges::less, class Proj = std::identity>
  requires detail::compares_elements<Comp, R, Proj>
TAKT_INLINE auto minmax_element(R&& range, Comp comp = {}, Proj proj = {}) {
  using order = detail::projected_order<Comp, Proj>;
  using work_type = detail::minmax_work<decltype(detail::start_of(range)), order>;
  const work_type work{detail::start_of(range), order{comp, proj}};
  typename work_type::state all{0, 0};
  detail::run_parts(work, all, detail::size_of(range));
  using iterator = std::ranges::iterator_t<R>;
  return std::ranges::min_max_result<iterator>{detail::iterator_at(range, all.low),
                                               detail::iterator_at(range, all.high)};
}

template <std::random_access_iterator It, class Comp = std::ranges::less, class Proj = std::identity>
TAKT_INLINE auto minmax_element(It first, It last, Comp comp = {}, Proj proj = {}) {
  return takt::minmax_element(detail::subrange_of<It>(first, last), comp, proj);
}

}  // namespace TAKT_NAMESPACE
