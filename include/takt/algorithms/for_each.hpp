// for_each and transform.
#pragma once

#include <takt/detail/sequence.hpp>

namespace TAKT_NAMESPACE {

TAKT_LAST_FORM(for_each, true, TAKT_MISFIT_FUNCTION)
TAKT_LAST_FORM(transform, false, TAKT_MISFIT_FUNCTION " (of two ranges with one of each)" TAKT_MISFIT_OUTPUT)

/// Calls f(proj(element)) for every element; the calls may run in parallel, in any order.
/// @throws the exception of the first element whose call threw, after all calls.
/// Cost: work O(n), span O(log n + the longest call), no extra memory.
template <detail::writable_sequence R, class F, class Proj = std::identity>
  requires detail::takes_elements<F, R, Proj>
TAKT_INLINE void for_each(R&& range, F&& f, Proj proj = {}) {
  detail::for_count(detail::size_of(range),
                    [first = detail::start_of(range), call = detail::capture_body(std::forward<F>(f)),
                     proj](std::uint64_t k) mutable { call(std::invoke(proj, detail::at(first, k))); });
}

template <detail::output It, class F, class Proj = std::identity>
TAKT_INLINE void for_each(It first, It last, F&& f, Proj proj = {}) {
  takt::for_each(detail::subrange_of<It>(first, last), std::forward<F>(f), proj);
}

/// out[k] = f(proj(range[k])). `out` may be the range itself.
/// @returns the end of the output.
/// @throws the exception of the first element whose call threw, after all calls.
/// Cost: work O(n), span O(log n + the longest call), no extra memory.
template <detail::sequence R, detail::output Out, class F, class Proj = std::identity>
  requires detail::takes_elements<F, R, Proj> &&
           detail::output_of<Out, std::invoke_result_t<F&, detail::projected<R, Proj>>>
TAKT_INLINE Out transform(R&& range, Out out, F&& f, Proj proj = {}) {
  const std::uint64_t count = detail::size_of(range);
  detail::for_count(count, [first = detail::start_of(range), to = detail::cursor(out),
                            call = detail::capture_body(std::forward<F>(f)), proj](std::uint64_t k) mutable {
    detail::at(to, k) = call(std::invoke(proj, detail::at(first, k)));
  });
  return detail::advanced(out, count);
}

template <std::random_access_iterator It, detail::output Out, class F, class Proj = std::identity>
TAKT_INLINE Out transform(It first, It last, Out out, F&& f, Proj proj = {}) {
  return takt::transform(detail::subrange_of<It>(first, last), out, std::forward<F>(f), proj);
}

/// out[k] = f(a[k], b[k]) for as many elements as the shorter range has.
template <detail::sequence A, detail::sequence B, detail::output Out, class F>
  requires std::invocable<F&, std::ranges::range_reference_t<A>, std::ranges::range_reference_t<B>>
TAKT_INLINE Out transform(A&& a, B&& b, Out out, F&& f) {
  const std::uint64_t of_a = detail::size_of(a);
  const std::uint64_t of_b = detail::size_of(b);
  const std::uint64_t count = of_a < of_b ? of_a : of_b;
  detail::for_count(count, [first = detail::start_of(a), second = detail::start_of(b), to = detail::cursor(out),
                            call = detail::capture_body(std::forward<F>(f))](std::uint64_t k) mutable {
    detail::at(to, k) = call(detail::at(first, k), detail::at(second, k));
  });
  return detail::advanced(out, count);
}

}  // namespace TAKT_NAMESPACE
