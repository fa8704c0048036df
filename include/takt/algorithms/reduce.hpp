// reduce and transform_reduce.
#pragma once

#include <takt/algorithms/deterministic.hpp>
#include <takt/detail/fold.hpp>
#include <takt/detail/parts.hpp>
#include <takt/fork_join.hpp>

#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// The state has no value before the first iteration of a part that starts by itself: no neutral element is needed.
template <class T, class Map, class Combine>
struct reduce_work {
  struct state {
    std::optional<T> sum;
  };

  void run(state& s, std::uint64_t begin, std::uint64_t end) const {
    Map own_map = map;
    Combine own_combine = combine;
    T sum = s.sum ? T(std::move(*s.sum)) : T(own_map(begin++));
    s.sum.emplace(fold<T>(std::move(sum), begin, end, own_map, own_combine));
  }
  state fresh(std::uint64_t) const { return {}; }
  void absorb(state& before, state&& part) const {
    Combine own_combine = combine;
    before.sum.emplace(own_combine(std::move(*before.sum), std::move(*part.sum)));
  }

  Map map;
  Combine combine;
};

template <class T, class Map, class Combine>
TAKT_INLINE T reduce_indices(std::uint64_t count, T init, const Map& map, const Combine& combine) {
  const reduce_work<T, Map, Combine> work{map, combine};
  typename reduce_work<T, Map, Combine>::state all{std::move(init)};
  run_parts(work, all, count);
  return std::move(*all.sum);
}

/// Elements whose sum is formed by one piece of code from left to right.
inline constexpr std::uint64_t k_reduce_block = 1024;

// One copy of the machine code: another one might fuse other operations.
template <class T, class Map, class Combine>
[[gnu::noinline]] T fold_block(std::uint64_t begin, std::uint64_t end, Map map, Combine combine) {
  T first = map(begin);
  return fold<T>(std::move(first), begin + 1, end, map, combine);
}

template <class T>
struct cell {
  T value;
};

template <class T, class Combine>
T fold_tree(cell<T>* cells, std::uint64_t count, Combine& combine) {
  if (count == 1) return std::move(cells->value);
  const std::uint64_t half = count / 2;
  Combine* const c = &combine;
  auto [left, right] = fork_join([=] { return fold_tree<T>(cells, half, *c); },
                                 [=] { return fold_tree<T>(cells + half, count - half, *c); });
  return combine(std::move(left), std::move(right));
}

template <class T, class Map, class Combine>
T reduce_indices_deterministic(std::uint64_t count, T init, const Map& map, const Combine& combine) {
  if (count == 0) return init;
  const std::uint64_t blocks = (count - 1) / k_reduce_block + 1;
  std::vector<cell<T>> sums(blocks, cell<T>{init});
  for_count(blocks, [cells = sums.data(), count, m = &map, c = &combine](std::uint64_t b) {
    const std::uint64_t begin = b * k_reduce_block;
    const std::uint64_t end = count - begin < k_reduce_block ? count : begin + k_reduce_block;
    cells[b].value = fold_block<T>(begin, end, *m, *c);
  });
  Combine last = combine;
  return last(std::move(init), fold_tree<T>(sums.data(), blocks, last));
}

template <bool Deterministic, class T, class Map, class Combine>
TAKT_INLINE T reduce_as(std::uint64_t count, T init, const Map& map, const Combine& combine) {
  if constexpr (Deterministic) {
    return reduce_indices_deterministic(count, std::move(init), map, combine);
  } else {
    return reduce_indices(count, std::move(init), map, combine);
  }
}

template <bool Deterministic, class R, class T, class Combine, class Map>
TAKT_INLINE T reduce_sequence(R&& range, T init, Combine&& combine, Map&& map) {
  return reduce_as<Deterministic>(
      size_of(range), std::move(init),
      [first = start_of(range), m = capture_body(std::forward<Map>(map))](std::uint64_t k) mutable -> decltype(auto) {
        return m(at(first, k));
      },
      capture_body(std::forward<Combine>(combine)));
}

template <bool Deterministic, class A, class B, class T, class Combine, class Map>
TAKT_INLINE T reduce_sequences(A&& a, B&& b, T init, Combine&& combine, Map&& map) {
  const std::uint64_t of_a = size_of(a);
  const std::uint64_t of_b = size_of(b);
  return reduce_as<Deterministic>(
      of_a < of_b ? of_a : of_b, std::move(init),
      [first = start_of(a), second = start_of(b), m = capture_body(std::forward<Map>(map))](
          std::uint64_t k) mutable -> decltype(auto) { return m(at(first, k), at(second, k)); },
      capture_body(std::forward<Combine>(combine)));
}

/// A range can look like an initial value, and the other way round: what fits together decides.
template <class A, class B, class T, class Combine, class Map>
concept combines_pairs =
    std::invocable<Map&, std::ranges::range_reference_t<A>, std::ranges::range_reference_t<B>> &&
    std::invocable<Combine&, T,
                   std::invoke_result_t<Map&, std::ranges::range_reference_t<A>, std::ranges::range_reference_t<B>>>;

}  // namespace detail

/// combine(...combine(init, map(range[0])), ..., map(range[n - 1])), with parentheses set at will.
///
/// `combine` must be associative; it need not be commutative, and no neutral element is needed: `init` is used once.
/// The result has the type of `init`, which may be move-only; an empty range gives `init`. Floating-point results
/// agree with the serial ones to rounding; see takt::deterministic.
/// @throws the exception of the first element that threw; later elements may not have been looked at.
/// Cost: work O(n), span O(log n), no extra memory beyond one T for each part another worker took.
template <detail::sequence R, class T, class Combine, class Map>
  requires std::invocable<Map&, std::ranges::range_reference_t<R>>
TAKT_INLINE T transform_reduce(R&& range, T init, Combine&& combine, Map&& map) {
  return detail::reduce_sequence<false>(range, std::move(init), std::forward<Combine>(combine), std::forward<Map>(map));
}

template <std::random_access_iterator It, class T, class Combine, class Map>
  requires std::invocable<Map&, std::iter_reference_t<It>>
TAKT_INLINE T transform_reduce(It first, It last, T init, Combine&& combine, Map&& map) {
  return detail::reduce_sequence<false>(detail::subrange_of<It>(first, last), std::move(init),
                                        std::forward<Combine>(combine), std::forward<Map>(map));
}

/// The same over pairs a[k], b[k]; by default the inner product.
template <detail::sequence A, detail::sequence B, class T, class Combine = std::plus<>, class Map = std::multiplies<>>
  requires detail::combines_pairs<A, B, T, Combine, Map>
TAKT_INLINE T transform_reduce(A&& a, B&& b, T init, Combine&& combine = {}, Map&& map = {}) {
  return detail::reduce_sequences<false>(a, b, std::move(init), std::forward<Combine>(combine), std::forward<Map>(map));
}

/// The result depends on the elements and their number alone: blocks of 1024 are combined from left to right (in four
/// chains if T is a floating-point type), and their sums in a balanced tree.
/// T must be copyable. Cost: as without the tag, and n / 1024 objects of type T.
/// @throws also std::bad_alloc
template <detail::sequence R, class T, class Combine, class Map>
  requires std::invocable<Map&, std::ranges::range_reference_t<R>>
TAKT_INLINE T transform_reduce(deterministic_t, R&& range, T init, Combine&& combine, Map&& map) {
  return detail::reduce_sequence<true>(range, std::move(init), std::forward<Combine>(combine), std::forward<Map>(map));
}

template <std::random_access_iterator It, class T, class Combine, class Map>
  requires std::invocable<Map&, std::iter_reference_t<It>>
TAKT_INLINE T transform_reduce(deterministic_t, It first, It last, T init, Combine&& combine, Map&& map) {
  return detail::reduce_sequence<true>(detail::subrange_of<It>(first, last), std::move(init),
                                       std::forward<Combine>(combine), std::forward<Map>(map));
}

template <detail::sequence A, detail::sequence B, class T, class Combine = std::plus<>, class Map = std::multiplies<>>
  requires detail::combines_pairs<A, B, T, Combine, Map>
TAKT_INLINE T transform_reduce(deterministic_t, A&& a, B&& b, T init, Combine&& combine = {}, Map&& map = {}) {
  return detail::reduce_sequences<true>(a, b, std::move(init), std::forward<Combine>(combine), std::forward<Map>(map));
}

/// transform_reduce without a map.
template <detail::sequence R, class T, class Combine = std::plus<>>
TAKT_INLINE T reduce(R&& range, T init, Combine&& combine = {}) {
  return detail::reduce_sequence<false>(range, std::move(init), std::forward<Combine>(combine), std::identity{});
}

template <std::random_access_iterator It, class T, class Combine = std::plus<>>
TAKT_INLINE T reduce(It first, It last, T init, Combine&& combine = {}) {
  return reduce(detail::subrange_of<It>(first, last), std::move(init), std::forward<Combine>(combine));
}

template <detail::sequence R, class T, class Combine = std::plus<>>
TAKT_INLINE T reduce(deterministic_t, R&& range, T init, Combine&& combine = {}) {
  return detail::reduce_sequence<true>(range, std::move(init), std::forward<Combine>(combine), std::identity{});
}

template <std::random_access_iterator It, class T, class Combine = std::plus<>>
TAKT_INLINE T reduce(deterministic_t, It first, It last, T init, Combine&& combine = {}) {
  return detail::reduce_sequence<true>(detail::subrange_of<It>(first, last), std::move(init),
                                       std::forward<Combine>(combine), std::identity{});
}

}  // namespace TAKT_NAMESPACE
