// flatten: a range of ranges becomes one vector.
#pragma once

#include <takt/algorithms/scan.hpp>

#include <vector>

namespace TAKT_NAMESPACE {

TAKT_LAST_FORM(flatten, false, "takes a range of ranges, all with random access and a size")

/// Copies of all elements of all inner ranges, in order. The element type must have a default constructor.
/// @throws the first exception of a copy, or std::bad_alloc.
/// Cost: work O(n + m) for n elements in m ranges, span O(log^2 m + log n), however uneven the ranges are. Extra
/// memory: m integers.
template <detail::sequence R>
  requires detail::sequence<std::ranges::range_reference_t<R>>
auto flatten(R&& ranges) {
  using value = std::ranges::range_value_t<std::ranges::range_reference_t<R>>;
  static_assert(!std::is_same_v<value, bool>, "elements of std::vector<bool> cannot be written in parallel");
  const auto first = detail::start_of(ranges);
  const std::uint64_t count = detail::size_of(ranges);
  std::vector<std::uint64_t> begins(count);
  takt::exclusive_scan(ranges, begins.begin(), std::uint64_t{0}, std::plus<>{},
                       [](const auto& inner) { return detail::size_of(inner); });
  std::vector<value> all(count == 0 ? 0 : begins.back() + detail::size_of(detail::at(first, count - 1)));
  detail::for_count(count, [first, to = all.data(), places = begins.data()](std::uint64_t r) {
    auto&& inner = detail::at(first, r);
    detail::for_count(detail::size_of(inner), [from = detail::start_of(inner), out = to + places[r]](std::uint64_t k) {
      out[k] = detail::at(from, k);
    });
  });
  return all;
}

}  // namespace TAKT_NAMESPACE
