// reduce and transform_reduce.
#pragma once

#include <takt/algorithms/deterministic.hpp>
#include <takt/detail/fold.hpp>
#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>
#include <takt/fork_join.hpp>

#include <bit>

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
    if constexpr (is_latency_bound<T>) {
      const T part = detail::fold<T>(begin, end, own_map, own_combine);
      s.sum.emplace(s.sum ? own_combine(*s.sum, part) : part);
    } else {
      T sum = s.sum ? T(std::move(*s.sum)) : T(own_map(begin++));
      for (; begin < end; ++begin) sum = own_combine(std::move(sum), own_map(begin));
      s.sum.emplace(std::move(sum));
    }
  }
  state fresh(std::uint64_t) const { return {}; }
  void absorb(state& before, state&& part) const {
    Combine own_combine = combine;
    before.sum.emplace(own_combine(std::move(*before.sum), std::move(*part.sum)));
  }

  Map map;
  Combine combine;
};

/// The same sum whoever forms it: a balanced tree over blocks of `Block` elements.
template <std::uint64_t Block, class T, class Map, class Combine>
class deterministic_sum {
 public:
  deterministic_sum(const Map& map, const Combine& combine) : map_(map), combine_(combine) {}

  /// Of [begin, begin + count), which is not empty.
  T operator()(std::uint64_t begin, std::uint64_t count) const {
    if (count <= Block) return block(begin, begin + count);
    // All but the last block are full.
    const std::uint64_t left = ((count - 1) / Block + 1) / 2 * Block;
    auto [first, second] = takt::fork_join([this, begin, left] { return (*this)(begin, left); },
                                           [this, begin, left, count] { return (*this)(begin + left, count - left); });
    Combine own_combine = combine_;
    return own_combine(std::move(first), std::move(second));
  }

 private:
  TAKT_ONE_COPY T block(std::uint64_t begin, std::uint64_t end) const {
    Map own_map = map_;
    Combine own_combine = combine_;
    return detail::fold<T>(begin, end, own_map, own_combine);
  }

  Map map_;
  Combine combine_;
};

/// How many elements one piece of code combines: 64 KiB of those that cost a tenth of a nanosecond each; an unknown
/// operation may cost anything.
template <class T, class Combine, class Map>
inline constexpr std::uint64_t k_reduce_block =
    is_plain_operation<std::remove_cvref_t<Combine>> && is_plain_operation<std::remove_cvref_t<Map>>
        ? (std::uint64_t{1} << 16) / std::bit_ceil(sizeof(T))
        : 1024;

/// `Block`: 0 if the parentheses may be anywhere.
template <std::uint64_t Block, class T, class Map, class Combine>
TAKT_INLINE T reduce_indices(std::uint64_t count, T init, const Map& map, const Combine& combine) {
  using value = std::invoke_result_t<Map&, std::uint64_t>;
  detail::check_sum<T, value, std::invoke_result_t<Combine&, T, value>>();
  if constexpr (Block == 0) {
    const reduce_work<T, Map, Combine> work{map, combine};
    typename reduce_work<T, Map, Combine>::state all{std::move(init)};
    detail::run_parts(work, all, count);
    return std::move(*all.sum);
  } else {
    if (count == 0) return init;
    const deterministic_sum<Block, T, Map, Combine> sum(map, combine);
    Combine own_combine = combine;
    return own_combine(std::move(init), sum(0, count));
  }
}

template <bool Deterministic, class R, class T, class Combine, class Map>
TAKT_INLINE T reduce_sequence(R&& range, T init, Combine&& combine, Map&& map) {
  using element = std::ranges::range_reference_t<R>;
  return detail::reduce_indices<Deterministic ? k_reduce_block<T, Combine, Map> : 0>(
      detail::size_of(range), std::move(init),
      [first = detail::start_of(range), m = detail::capture_body(std::forward<Map>(map))](std::uint64_t k) mutable
      -> kept_result<std::invoke_result_t<Map&, element>, element> { return m(detail::at(first, k)); },
      detail::capture_body(std::forward<Combine>(combine)));
}

template <bool Deterministic, class A, class B, class T, class Combine, class Map>
TAKT_INLINE T reduce_sequences(A&& a, B&& b, T init, Combine&& combine, Map&& map) {
  const std::uint64_t of_a = detail::size_of(a);
  const std::uint64_t of_b = detail::size_of(b);
  using result = std::invoke_result_t<Map&, std::ranges::range_reference_t<A>, std::ranges::range_reference_t<B>>;
  return detail::reduce_indices<Deterministic ? k_reduce_block<T, Combine, Map> : 0>(
      of_a < of_b ? of_a : of_b, std::move(init),
      [first = detail::start_of(a), second = detail::start_of(b), m = detail::capture_body(std::forward<Map>(map))](
          std::uint64_t k) mutable -> kept_result<kept_result<result, std::ranges::range_reference_t<A>>,
                                                  std::ranges::range_reference_t<B>> {
        return m(detail::at(first, k), detail::at(second, k));
      },
      detail::capture_body(std::forward<Combine>(combine)));
}

/// A range can look like an initial value, and the other way round: what fits together decides.
template <class A, class B, class T, class Combine, class Map>
concept combines_pairs =
    std::invocable<Map&, std::ranges::range_reference_t<A>, std::ranges::range_reference_t<B>> &&
    std::invocable<Combine&, T,
                   std::invoke_result_t<Map&, std::ranges::range_reference_t<A>, std::ranges::range_reference_t<B>>>;

}  // namespace detail

TAKT_LAST_FORM(transform_reduce, false,
               "behind the range, or two, come an initial value, a function that combines it with what the map makes"
               " of an element, and the map")
TAKT_LAST_FORM(reduce, false, "the function that combines cannot be called with the initial value and an element")

/// combine(...combine(init, map(range[0])), ..., map(range[n - 1])), with parentheses set at will.
///
/// `combine` must be associative; it need not be commutative, and no neutral element is needed: `init` is used once.
/// The result has the type of `init`, which may be move-only; an empty range gives `init`. Floating-point results
/// agree with the serial ones to rounding; see takt::deterministic.
/// @throws the exception of the first element that threw; later elements may not have been looked at.
/// Cost: work O(n), span O(log n), no extra memory beyond one T for each part another worker took.
template <detail::sequence R, class T, class Combine, class Map>
  requires detail::sums_elements<T, Combine, R, Map>
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

/// The result depends on the elements and their number alone: blocks of 1024 (64 KiB for std::plus without a map)
/// are combined by one piece of code, and their sums in a balanced tree.
/// Cost: as without the tag; span O(log n + 1024), no extra memory.
template <detail::sequence R, class T, class Combine, class Map>
  requires detail::sums_elements<T, Combine, R, Map>
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
  requires detail::sums_elements<T, Combine, R, std::identity>
TAKT_INLINE T reduce(R&& range, T init, Combine&& combine = {}) {
  return detail::reduce_sequence<false>(range, std::move(init), std::forward<Combine>(combine), std::identity{});
}

template <std::random_access_iterator It, class T, class Combine = std::plus<>>
TAKT_INLINE T reduce(It first, It last, T init, Combine&& combine = {}) {
  return takt::reduce(detail::subrange_of<It>(first, last), std::move(init), std::forward<Combine>(combine));
}

template <detail::sequence R, class T, class Combine = std::plus<>>
  requires detail::sums_elements<T, Combine, R, std::identity>
TAKT_INLINE T reduce(deterministic_t, R&& range, T init, Combine&& combine = {}) {
  return detail::reduce_sequence<true>(range, std::move(init), std::forward<Combine>(combine), std::identity{});
}

template <std::random_access_iterator It, class T, class Combine = std::plus<>>
TAKT_INLINE T reduce(deterministic_t, It first, It last, T init, Combine&& combine = {}) {
  return detail::reduce_sequence<true>(detail::subrange_of<It>(first, last), std::move(init),
                                       std::forward<Combine>(combine), std::identity{});
}

}  // namespace TAKT_NAMESPACE
