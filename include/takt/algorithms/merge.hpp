// merge.
#pragma once

#include <takt/detail/merge.hpp>
#include <takt/detail/order.hpp>

namespace TAKT_NAMESPACE {

TAKT_LAST_FORM(merge, false,
               "takes two ranges, or four iterators, an output that workers can write side by side, and a comparison"
               " of two elements")

/// Copies two sorted ranges to one sorted output, which must not overlap them; of equal elements those of `a` come
/// first, and otherwise equal elements keep their order.
/// @returns the end of the output.
/// @throws the first exception of a comparison or a copy; the output is unspecified then.
/// Cost: work O(m + n), span O(log^2(m + n)), no extra memory.
template <detail::sequence A, detail::sequence B, detail::output Out, class Comp = std::ranges::less,
          class Proj = std::identity>
  requires detail::compares_ranges<Comp, A, B, Proj>
Out merge(A&& a, B&& b, Out out, Comp comp = {}, Proj proj = {}) {
  const std::uint64_t of_a = detail::size_of(a);
  const std::uint64_t of_b = detail::size_of(b);
  detail::merge_copies(detail::start_of(a), of_a, detail::start_of(b), of_b, detail::cursor(out),
                       detail::projected_order<Comp, Proj>{comp, proj});
  return detail::advanced(out, of_a + of_b);
}

template <std::random_access_iterator A, std::random_access_iterator B, detail::output Out,
          class Comp = std::ranges::less, class Proj = std::identity>
Out merge(A a, A a_end, B b, B b_end, Out out, Comp comp = {}, Proj proj = {}) {
  return takt::merge(detail::subrange_of<A>(a, a_end), detail::subrange_of<B>(b, b_end), out, comp, proj);
}

}  // namespace TAKT_NAMESPACE
