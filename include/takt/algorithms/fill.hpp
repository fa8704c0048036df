// fill, iota, generate and tabulate: ranges from nothing.
#pragma once

#include <takt/detail/sequence.hpp>

#include <vector>

namespace TAKT_NAMESPACE {

TAKT_LAST_FORM(fill, true, "the value cannot be assigned to the elements")
template <class... Arguments>
auto tabulate(const Arguments&...) {
  TAKT_SAY_MISFIT(tabulate, (detail::misfit_of_numbered<true, Arguments...>()),
                  "takes a range, two iterators or a number, and a function of a std::size_t")
  return detail::anything{};
}
TAKT_LAST_FORM(iota, true, "takes a range or two iterators, and a number")

/// Assigns `value` to every element.
/// Cost: work O(n), span O(log n), no extra memory.
template <detail::writable_sequence R, class T = std::ranges::range_value_t<R>>
  requires std::is_assignable_v<std::ranges::range_reference_t<R>, const T&>
TAKT_INLINE void fill(R&& range, const T& value) {
  using element = std::ranges::range_value_t<R>;
  if constexpr (std::is_trivially_copyable_v<element> && std::convertible_to<const T&, element>) {
    detail::for_count(detail::size_of(range), [first = detail::start_of(range), v = static_cast<element>(value)](
                                                  std::uint64_t k) { detail::at(first, k) = v; });
  } else {
    detail::for_count(detail::size_of(range),
                      [first = detail::start_of(range), &value](std::uint64_t k) { detail::at(first, k) = value; });
  }
}

template <detail::output It, class T = std::iter_value_t<It>>
TAKT_INLINE void fill(It first, It last, const T& value) {
  takt::fill(detail::subrange_of<It>(first, last), value);
}

/// range[k] = f(k), k a std::size_t.
/// @throws the exception of the lowest k whose call threw, after all calls.
/// Cost: work O(n), span O(log n + the longest call), no extra memory.
template <detail::writable_sequence R, class F>
  requires std::invocable<F&, std::size_t>
TAKT_INLINE void tabulate(R&& range, F&& f) {
  detail::for_count(detail::size_of(range),
                    [first = detail::start_of(range), call = detail::capture_body(std::forward<F>(f))](
                        std::uint64_t k) mutable { detail::at(first, k) = call(static_cast<std::size_t>(k)); });
}

template <detail::output It, class F>
  requires std::invocable<F&, std::size_t>
TAKT_INLINE void tabulate(It first, It last, F&& f) {
  takt::tabulate(detail::subrange_of<It>(first, last), std::forward<F>(f));
}

/// The vector f(0), f(1), ..., f(n - 1). Its element type must have a default constructor.
template <detail::size_like N, class F>
  requires std::invocable<F&, std::size_t>
auto tabulate(N n, F&& f) {
  std::vector<std::remove_cvref_t<std::invoke_result_t<F&, std::size_t>>> all(static_cast<std::size_t>(n));
  static_assert(!std::is_same_v<typename decltype(all)::value_type, bool>, "std::vector<bool> has no elements");
  takt::tabulate(all, std::forward<F>(f));
  return all;
}

/// range[k] = value + k.
/// Cost: work O(n), span O(log n), no extra memory.
template <detail::writable_sequence R, class T = std::ranges::range_value_t<R>>
TAKT_INLINE void iota(R&& range, T value) {
  using element = std::ranges::range_value_t<R>;
  static_assert(!std::is_floating_point_v<T> || !std::is_integral_v<element>,
                "takt::iota: the elements cannot hold the fraction of the value");
  // The range may be longer than T can count.
  using number = typename std::conditional_t<std::is_integral_v<T>, std::common_type<T, std::int64_t>,
                                             std::type_identity<T>>::type;
  detail::for_count(detail::size_of(range), [first = detail::start_of(range), value](std::uint64_t k) {
    detail::at(first, k) = static_cast<element>(static_cast<number>(value) + static_cast<number>(k));
  });
}

template <detail::output It, class T = std::iter_value_t<It>>
TAKT_INLINE void iota(It first, It last, T value) {
  takt::iota(detail::subrange_of<It>(first, last), value);
}

}  // namespace TAKT_NAMESPACE
