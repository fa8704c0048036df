// filter, copy_if, pack, pack_index, remove_if and stable_partition.
#pragma once

#include <takt/detail/buffer.hpp>
#include <takt/detail/select.hpp>

namespace TAKT_NAMESPACE {
namespace detail {

template <class In, class Pred, class Proj>
TAKT_INLINE auto element_finder(In first, Pred pred, Proj proj) {
  auto answer = [first, pred, proj](std::uint64_t k) mutable {
    return static_cast<bool>(pred(std::invoke(proj, detail::at(first, k))));
  };
  return plain_finder<decltype(answer)>{answer};
}

/// Appends value(k) for every selected k to a vector.
template <class T, class Finder, class Value>
std::vector<T> select_to_vector(std::uint64_t count, const Finder& finder, const Value& value) {
  static_assert(!std::is_same_v<T, bool>, "elements of std::vector<bool> cannot be written in parallel");
  std::vector<T> out;
  std::vector<T>* const to = &out;
  const auto append = [to, value](std::uint64_t k, std::uint64_t) { to->push_back(value(k)); };
  if constexpr (std::is_default_constructible_v<T>) {
    detail::select<false>(count, finder, append, [to, value](std::uint64_t all) {
      to->resize(all);
      return [first = to->data(), value](std::uint64_t k, std::uint64_t place) { first[place] = value(k); };
    });
    return out;
  } else {
    // Elements cannot be made before their values are there: note the iterations, and append in order.
    std::vector<std::uint64_t> places;
    places = detail::select_to_vector<std::uint64_t>(count, finder, [](std::uint64_t k) { return k; });
    out.reserve(places.size());
    for (const std::uint64_t k : places) out.push_back(value(k));
    return out;
  }
}

}  // namespace detail

TAKT_LAST_FORM(filter, false, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(copy_if, false, TAKT_MISFIT_PREDICATE TAKT_MISFIT_OUTPUT)
TAKT_LAST_FORM(pack, false, "takes two ranges: of elements, and of flags")
TAKT_LAST_FORM(pack_index, false, "takes a range of flags")
TAKT_LAST_FORM(remove_if, true, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(stable_partition, true, TAKT_MISFIT_PREDICATE)

/// A vector of copies of the elements for which pred(proj(element)) is true, in their order.
/// @throws the exception of the first element that threw, or std::bad_alloc.
/// Cost: work O(n), `pred` is called once for each element; span O(log^2 n). Extra memory: up to one byte for each
/// element in parts that other workers took early. (Types without a default constructor are copied serially.)
template <detail::sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
std::vector<std::ranges::range_value_t<R>> filter(R&& range, Pred&& pred, Proj proj = {}) {
  const auto first = detail::start_of(range);
  return detail::select_to_vector<std::ranges::range_value_t<R>>(
      detail::size_of(range), detail::element_finder(first, detail::capture_body(std::forward<Pred>(pred)), proj),
      [first](std::uint64_t k) -> decltype(auto) { return detail::at(first, k); });
}

template <std::random_access_iterator It, class Pred, class Proj = std::identity>
std::vector<std::iter_value_t<It>> filter(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::filter(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

/// Copies the elements for which pred(proj(element)), in their order, to `out`, which must not overlap the range.
/// @returns the end of the output. Throws and costs as filter does.
template <detail::sequence R, detail::output Out, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
Out copy_if(R&& range, Out out, Pred&& pred, Proj proj = {}) {
  const auto emit = [first = detail::start_of(range), to = detail::cursor(out)](std::uint64_t k, std::uint64_t place) {
    detail::at(to, place) = detail::at(first, k);
  };
  return detail::advanced(
      out, detail::select<true>(
               detail::size_of(range),
               detail::element_finder(detail::start_of(range), detail::capture_body(std::forward<Pred>(pred)), proj),
               emit, [&emit](std::uint64_t) { return emit; }));
}

template <std::random_access_iterator It, detail::output Out, class Pred, class Proj = std::identity>
Out copy_if(It first, It last, Out out, Pred&& pred, Proj proj = {}) {
  return takt::copy_if(detail::subrange_of<It>(first, last), out, std::forward<Pred>(pred), proj);
}

/// A vector of copies of the elements whose flag is true. Throws and costs as filter does.
template <detail::sequence R, detail::sequence Flags>
std::vector<std::ranges::range_value_t<R>> pack(R&& range, Flags&& flags) {
  const auto first = detail::start_of(range);
  const std::uint64_t of_range = detail::size_of(range);
  const std::uint64_t of_flags = detail::size_of(flags);
  return detail::select_to_vector<std::ranges::range_value_t<R>>(
      of_range < of_flags ? of_range : of_flags,
      detail::element_finder(
          detail::start_of(flags), [](const auto& f) { return static_cast<bool>(f); }, std::identity{}),
      [first](std::uint64_t k) -> decltype(auto) { return detail::at(first, k); });
}

/// The indices of the true flags, in order.
template <detail::sequence Flags>
std::vector<std::size_t> pack_index(Flags&& flags) {
  return detail::select_to_vector<std::size_t>(
      detail::size_of(flags),
      detail::element_finder(
          detail::start_of(flags), [](const auto& f) { return static_cast<bool>(f); }, std::identity{}),
      [](std::uint64_t k) { return static_cast<std::size_t>(k); });
}

/// Moves the elements for which pred(proj(element)) is false to the front, in their order. The elements behind them are
/// moved from, or as they were. To erase them: v.erase(remove_if(v, pred), v.end()).
/// @returns the end of those that stay.
/// @throws the exception of the first element that threw, or std::bad_alloc; elements may then have been moved.
/// Cost: work O(n), `pred` is called once for each element; span O(log^2 n). Extra memory: none if no other worker
/// helps; else a copy and two words for each element that stays and lies behind the first part that another worker
/// took.
template <detail::writable_sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
auto remove_if(R&& range, Pred&& pred, Proj proj = {}) {
  const auto first = detail::start_of(range);
  const auto stays = [pred = detail::capture_body(std::forward<Pred>(pred))](auto&& v) mutable {
    return !pred(std::forward<decltype(v)>(v));
  };
  return detail::iterator_at(
      range, detail::select_in_place(first, detail::size_of(range), detail::element_finder(first, stays, proj)));
}

template <detail::output It, class Pred, class Proj = std::identity>
It remove_if(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::remove_if(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

/// Moves the elements for which pred(proj(element)) before all others; both groups keep their order.
/// @returns the first element of the second group.
/// @throws the exception of the first element that threw, or std::bad_alloc; the range is as it was then. (If moving
/// an element throws, each element is valid and some are moved from.)
/// Cost: work O(n), `pred` is called once for each element; span O(log^2 n). Extra memory: n elements, and up to one
/// byte for each.
template <detail::writable_sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
auto stable_partition(R&& range, Pred&& pred, Proj proj = {}) {
  using value = std::ranges::range_value_t<R>;
  const std::uint64_t count = detail::size_of(range);
  const auto first = detail::start_of(range);
  const detail::raw_memory<std::uint8_t> chosen(count);
  std::uint8_t* const flags = chosen.data();
  // The answers first: nothing has moved when one of them throws.
  auto answers = detail::plain_finder{
      [finder = detail::element_finder(first, detail::capture_body(std::forward<Pred>(pred)), proj),
       flags](std::uint64_t k) mutable {
        std::uint64_t unused = 0;
        const bool yes = finder(k, unused);
        flags[k] = yes ? 1 : 0;
        return yes;
      }};
  std::vector<std::uint64_t> places =
      detail::select_to_vector<std::uint64_t>(count, answers, [](std::uint64_t k) { return k; });
  const std::uint64_t selected = places.size();
  const auto others = detail::select_to_vector<std::uint64_t>(
      count, detail::plain_finder{[flags](std::uint64_t k) { return flags[k] == 0; }},
      [](std::uint64_t k) { return k; });
  detail::buffer<value> moved(count, [&](std::uint64_t k) -> decltype(auto) {
    return std::ranges::iter_move(
        first + static_cast<std::ranges::range_difference_t<R>>(k < selected ? places[k] : others[k - selected]));
  });
  moved.move_to(first);
  return detail::iterator_at(range, selected);
}

template <detail::output It, class Pred, class Proj = std::identity>
It stable_partition(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::stable_partition(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

}  // namespace TAKT_NAMESPACE
