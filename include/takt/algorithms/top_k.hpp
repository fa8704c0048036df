// top_k.
#pragma once

#include <takt/detail/order.hpp>
#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>

#include <algorithm>
#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// The places of the k elements that come first, as a heap with the last of them on top.
template <class It, class Order>
struct top_work {
  using state = std::vector<std::uint64_t>;

  void run(state& s, std::uint64_t k, std::uint64_t end) const {
    for (; k < end; ++k) offer(s, k);
  }
  state fresh(std::uint64_t) const { return {}; }
  void absorb(state& before, state&& part) const {
    for (const std::uint64_t place : part) offer(before, place);
  }
  void sort(state& s) const { std::ranges::sort_heap(s, before()); }

  It first;
  Order order;
  std::uint64_t most;

 private:
  // Of equal elements the earlier one comes first.
  auto before() const {
    return [this, own_order = order](std::uint64_t a, std::uint64_t b) mutable {
      if (own_order(detail::at(first, a), detail::at(first, b))) return true;
      return a < b && !own_order(detail::at(first, b), detail::at(first, a));
    };
  }
  void offer(state& s, std::uint64_t place) const {
    auto comes_first = before();
    if (s.size() < most) {
      s.push_back(place);
      std::ranges::push_heap(s, comes_first);
    } else if (comes_first(place, s.front())) {
      std::ranges::pop_heap(s, comes_first);
      s.back() = place;
      std::ranges::push_heap(s, comes_first);
    }
  }
};

}  // namespace detail

TAKT_LAST_FORM(top_k, false,
               "takes a range, a number, and a comparison of two elements, or of what the projection makes of them")

/// Copies of the k = `number` elements that come first by comp(proj(a), proj(b)), in that order; by default the largest.
/// Of equal elements, those that come first in the range are taken, and come first. All of them if there are fewer than k.
/// @throws the first exception of a comparison or a copy, or std::bad_alloc.
/// Cost: work O(n log k), O(n + k log k log n) expected for a range in random order; span O(log^2 n k log k). Extra
/// memory: k words for each part that another worker took early.
template <detail::sequence R, detail::size_like N, class Comp = std::ranges::greater, class Proj = std::identity>
  requires detail::compares_elements<Comp, R, Proj>
std::vector<std::ranges::range_value_t<R>> top_k(R&& range, N number, Comp comp = {}, Proj proj = {}) {
  using order = detail::projected_order<Comp, Proj>;
  const auto k = static_cast<std::size_t>(number);
  const auto first = detail::start_of(range);
  const detail::top_work<std::remove_const_t<decltype(first)>, order> work{first, order{comp, proj}, k};
  std::vector<std::uint64_t> places;
  if (k > 0) detail::run_parts(work, places, detail::size_of(range));
  work.sort(places);
  std::vector<std::ranges::range_value_t<R>> best;
  best.reserve(places.size());
  for (const std::uint64_t place : places) best.push_back(detail::at(first, place));
  return best;
}

}  // namespace TAKT_NAMESPACE
