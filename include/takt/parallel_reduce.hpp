// parallel_reduce over integers, iterators and ranges.
#pragma once

#include <takt/detail/fold.hpp>
#include <takt/detail/large.hpp>
#include <takt/parallel_for.hpp>

namespace TAKT_NAMESPACE {
namespace detail {

template <class I, class T, class Map, class Combine>
class reduce_operations : public loop_operations {
 public:
  TAKT_INLINE reduce_operations(I first, const T& identity, Map& map, Combine& combine)
      : loop_operations(kind),
        first_(first),
        identity_(std::addressof(identity)),
        map_(std::addressof(map)),
        combine_(std::addressof(combine)),
        sum_(std::in_place, identity) {}

  reduce_operations(const reduce_operations&) = delete;

  T finish() {
    errors.rethrow();
    return std::move(*sum_);
  }
  /// The same for a caller aside; T is trivially copyable.
  TAKT_INLINE void finish_to(T* sum, aside_error& error) {
    if (errors) [[unlikely]]
      error.keep(errors.take());
    ::new (static_cast<void*>(sum)) T(*sum_);
  }

  // As for_operations: not inlined, and without what goes on after an iteration threw.
  [[gnu::noinline]] static std::uint64_t range_until_threw(loop_operations& loop, std::uint64_t begin,
                                                           std::uint64_t end) noexcept {
    TAKT_KEEP_FRAME_POINTER();
    auto& own = static_cast<reduce_operations&>(loop);
    I i = detail::at_offset(own.first_, begin);
    const I last = detail::at_offset(own.first_, end);
    Map map = *own.map_;
    Combine combine = *own.combine_;
    TAKT_TRY {
      if constexpr (is_large<T>) {
        for (; i < last; ++i) *own.sum_ = combine(std::move(*own.sum_), map(I(i)));
      } else {
        *own.sum_ = detail::combine_onto(std::move(*own.sum_), i, last, end - begin, map, combine);
      }
      return end;
    } TAKT_CATCH_ALL {
      own.errors.keep();
      return detail::distance(own.first_, detail::after_throwing(i));
    }
  }
  [[gnu::noinline]] static std::uint64_t steps_until_threw(loop_operations& loop, abi::loop_frame& frame,
                                                           std::uint64_t claimed, std::uint64_t stop) noexcept {
    TAKT_KEEP_FRAME_POINTER();
    auto& own = static_cast<reduce_operations&>(loop);
    Map map = *own.map_;
    Combine combine = *own.combine_;
    TAKT_TRY {
      const I first = own.first_;
      using local = std::conditional_t<is_large<T>, T&, T>;
      local sum = static_cast<local&&>(*own.sum_);
      while (claimed < stop && detail::claim_next(frame, claimed)) {
        sum = combine(std::move(sum), map(detail::at_offset(first, claimed - 1)));
      }
      if constexpr (!is_large<T>) *own.sum_ = std::move(sum);
    } TAKT_CATCH_ALL {
      own.errors.keep();
    }
    return claimed;
  }
  /// The result is lost once an iteration threw; the iterations are not.
  TAKT_COLD static void rest(loop_operations& loop, std::uint64_t begin, std::uint64_t end) noexcept {
    auto& own = static_cast<reduce_operations&>(loop);
    Map map = *own.map_;
    while (begin != end && !detail::is_search_stopped()) {
      TAKT_TRY {
        while (begin != end) static_cast<void>(map(detail::at_offset(own.first_, begin++)));
      } TAKT_CATCH_ALL {
        own.errors.keep();
      }
    }
  }
  static void merge(loop_operations& loop, std::uint64_t halves) noexcept {
    auto& own = static_cast<reduce_operations&>(loop);
    own.errors.merge();
    if (own.errors) return;
    TAKT_TRY {
      Combine combine = *own.combine_;
      for (std::uint64_t h = 0; h < halves; ++h) *own.sum_ = combine(std::move(*own.sum_), std::move(own.halves_[h]));
    } TAKT_CATCH_ALL {
      own.errors.keep();
    }
  }
  static void half(slot* task) {
    const abi::half_payload part = *detail::payload_of<abi::half_payload>(task);
    auto& parent = static_cast<reduce_operations&>(*static_cast<loop_operations*>(part.parent->operations));
    TAKT_TRY {
      reduce_operations mine(parent.first_, *parent.identity_, *parent.map_, *parent.combine_);
      detail::run_loop(mine, part.begin, part.end);
      parent.errors.keep_half(part.index, mine.errors.take());
      parent.halves_.emplace(part.index, std::move(*mine.sum_));
    } TAKT_CATCH_ALL {
      parent.errors.keep_half(part.index, std::current_exception());
    }
  }
  static constexpr loop_kind kind{
      &site_of<reduce_operations>, &run_half<reduce_operations>, &enter_loop<reduce_operations>, &range_until_threw,
      &steps_until_threw,          &rest,                        &merge,                      half_results<T>::k_most};

 private:
  I first_;
  const T* identity_;
  Map* map_;
  Combine* combine_;
  frame_value<T> sum_;
  half_results<T> halves_;
};

template <class I, class T, class Map, class Combine>
T reduce_slow(I first, std::uint64_t count, const T& identity, Map& map, Combine& combine, std::int64_t units) {
  reduce_operations<I, T, Map, Combine> operations(first, identity, map, combine);
  detail::run_loop_off(operations, count, units, TAKT_CALLERS_STACK());
  return operations.finish();
}

/// What a reduction needs beside its bounds, as one closure.
template <class T, class Map, class Combine>
struct reduce_parts {
  T identity;
  Map map;
  Combine combine;
};

/// A reduction on its way off the fast path, see slow_for.
template <class I, class T, class Map, class Combine>
struct slow_reduce {
  // The room for the sum stays as it is.
  TAKT_INLINE slow_reduce(I first_index, std::uint64_t how_many, std::int64_t charged,
                          const reduce_parts<T, Map, Combine>& given)
      : first(first_index), count(how_many), units(charged), parts(given) {}

  I first;
  std::uint64_t count;
  std::int64_t units;
  words<reduce_parts<T, Map, Combine>> parts;
  aside_error error;
  alignas(T) std::byte sum[sizeof(T)];
};

template <class I, class T, class Map, class Combine>
TAKT_ASIDE void run_slow_reduce(slow_reduce<I, T, Map, Combine>* made) noexcept {
  auto& p = detail::reassembled(made->parts);
  reduce_operations<I, T, Map, Combine> operations(made->first, p.identity, p.map, p.combine);
  detail::run_loop_off(operations, made->count, made->units, TAKT_CALLERS_STACK());
  operations.finish_to(reinterpret_cast<T*>(made->sum), made->error);
}

/// An iteration of a plain reduction threw: calls map for those after it, then reports the first error.
template <class I, class T, class Map, class Combine>
[[noreturn]] TAKT_COLD void reduce_threw(I next, I last, words<reduce_parts<T, Map, Combine>>& all) {
  auto& p = detail::reassembled(all);
  reduce_operations<I, T, Map, Combine> operations(next, p.identity, p.map, p.combine);
  operations.errors.keep();
  operations.rest(operations, 0, detail::distance(next, last));
  operations.errors.rethrow();
  __builtin_unreachable();
}

template <class I, class T, class Map, class Combine>
TAKT_INLINE T reduce_words(I first, I last, const reduce_parts<T, Map, Combine>& given) {
  const abi::site& where = site_of<reduce_operations<I, T, Map, Combine>>;
  // First, as in the loop that it stands for: many rows are empty.
  if (!(first < last)) return given.identity;
  const std::uint64_t count = detail::distance(first, last);
  if (!detail::is_free(count, where)) [[unlikely]] {
    std::int64_t units;
    if (detail::is_charged_slow(count, where, detail::relaxed(where.unit_cost), units)) [[unlikely]] {
      slow_reduce<I, T, Map, Combine> made(first, count, units, given);
      detail::run_slow_reduce(&made);
      made.error.rethrow();
      return *std::launder(reinterpret_cast<T*>(made.sum));
    }
  }
  I i = first;
  T sum = given.identity;
  Map map = given.map;
  Combine combine = given.combine;
  TAKT_TRY {
    sum = detail::combine_onto(sum, i, last, count, map, combine);
  } TAKT_CATCH_ALL {
    words<reduce_parts<T, Map, Combine>> all(given);
    detail::reduce_threw<I, T, Map, Combine>(detail::after_throwing(i), last, all);
  }
  return sum;
}

template <class I, class T, class Map, class Combine>
TAKT_INLINE T reduce_integers(I first, I last, T identity, const Map& map, const Combine& combine) {
  detail::check_sum<T, std::invoke_result_t<Combine&, T, std::invoke_result_t<Map&, I>>>();
  using parts = reduce_parts<T, Map, Combine>;
  if constexpr (k_elided) {
    Map own_map = map;
    Combine own_combine = combine;
    for (; first < last; ++first) identity = own_combine(std::move(identity), own_map(static_cast<I>(first)));
    return identity;
  } else if constexpr (passes_as_words<parts>) {
    return detail::reduce_words(first, last, parts{identity, map, combine});
  } else {
    if (!(first < last)) return identity;
    const std::uint64_t count = detail::distance(first, last);
    using operations_type = reduce_operations<I, T, Map, Combine>;
    Map own_map = map;
    Combine own_combine = combine;
    std::int64_t units;
    if (detail::is_slow(count, site_of<operations_type>, units)) [[unlikely]]
      return detail::reduce_slow(first, count, identity, own_map, own_combine, units);
    operations_type operations(first, identity, own_map, own_combine);
    detail::run_range(operations, 0, count);
    return operations.finish();
  }
}

/// Whether what `map` gives for an Element and a T can be combined, and two parts with each other.
template <class T, class Map, class Combine, class Element>
concept reduces = std::copy_constructible<T> && std::invocable<Map&, Element> &&
                  std::invocable<Combine&, T, std::invoke_result_t<Map&, Element>> && std::invocable<Combine&, T, T> &&
                  std::is_assignable_v<T&, std::invoke_result_t<Combine&, T, std::invoke_result_t<Map&, Element>>> &&
                  std::is_assignable_v<T&, std::invoke_result_t<Combine&, T, T>>;

}  // namespace detail

template <class... Arguments>
auto parallel_reduce(const Arguments&...) {
  if constexpr (detail::counts<Arguments...> && !detail::counts_integers<Arguments...>) {
    static_assert(detail::never<Arguments...>, "takt::parallel_reduce: the bounds are no integers");
  } else {
    TAKT_SAY_MISFIT(parallel_reduce, (detail::misfit_of_loop<false, Arguments...>()),
                    "behind the range come an identity that can be copied, a map of an index or element, and a function "
                    "that combines the identity with what the map returns, and two combined values")
  }
  return detail::anything{};
}

/// Combines map(i) for every i in [first, last): combine(...combine(combine(identity, map(first)), ...)...).
///
/// `combine(T, T)` must be associative, with `identity` its neutral element; it need not be commutative: partial
/// results are combined in index order. Where a beat falls decides only how the parentheses are set, so an exact
/// `combine` gives exactly the serial result and a floating-point one agrees to rounding. Neighbouring terms of the
/// result's floating-point type are combined with each other first.
/// T must be copyable (each promoted part starts from a copy of `identity`); an empty range gives `identity`.
/// @throws the exception of the lowest i that threw, after map has been called for every i; std::bad_alloc without
/// memory for a T of more than 4096 bytes, which is kept on the heap.
/// Cost: as parallel_for, plus one copy of `identity` and one combine for each promoted part.
template <index I, class T, class Map, class Combine>
  requires detail::reduces<T, Map, Combine, I>
TAKT_INLINE T parallel_reduce(I first, I last, T identity, Map&& map, Combine&& combine) {
  return detail::reduce_integers(first, last, std::move(identity), detail::capture_body(static_cast<Map&&>(map)),
                                 detail::capture_body(static_cast<Combine&&>(combine)));
}

/// Mixed integer types: the bounds are converted to their common type.
template <index I, index J, class T, class Map, class Combine>
  requires(!std::same_as<I, J> && detail::reduces<T, Map, Combine, std::common_type_t<I, J>>)
TAKT_INLINE T parallel_reduce(I first, J last, T identity, Map&& map, Combine&& combine) {
  using common = std::common_type_t<I, J>;
  return takt::parallel_reduce(static_cast<common>(first), static_cast<common>(last), std::move(identity),
                               static_cast<Map&&>(map), static_cast<Combine&&>(combine));
}

/// Combines map(*it) for every it in [first, last).
template <std::random_access_iterator It, class T, class Map, class Combine>
  requires detail::reduces<T, Map, Combine, std::iter_reference_t<It>>
TAKT_INLINE T parallel_reduce(It first, It last, T identity, Map&& map, Combine&& combine) {
  using offset = detail::offset_in<It>;
  auto m = detail::capture_body(static_cast<Map&&>(map));
  return detail::reduce_integers(
      offset{0}, static_cast<offset>(last - first), std::move(identity),
      [first, m](offset k) mutable
      -> detail::kept_result<std::invoke_result_t<Map&, std::iter_reference_t<It>>, std::iter_reference_t<It>> {
        return m(first[static_cast<std::iter_difference_t<It>>(k)]);
      },
      detail::capture_body(static_cast<Combine&&>(combine)));
}

/// Combines map(element) for every element of a random-access range.
template <std::ranges::random_access_range Range, class T, class Map, class Combine>
  requires std::ranges::sized_range<Range> && detail::reduces<T, Map, Combine, std::ranges::range_reference_t<Range>>
TAKT_INLINE T parallel_reduce(Range&& range, T identity, Map&& map, Combine&& combine) {
  const auto first = std::ranges::begin(range);
  return takt::parallel_reduce(first,
                               first + static_cast<std::ranges::range_difference_t<Range>>(std::ranges::size(range)),
                               std::move(identity), static_cast<Map&&>(map), static_cast<Combine&&>(combine));
}

// The same with hints behind everything else, as for parallel_for.

template <index I, index J, class T, class Map, class Combine>
  requires detail::reduces<T, Map, Combine, std::common_type_t<I, J>>
TAKT_INLINE T parallel_reduce(I first, J last, T identity, Map&& map, Combine&& combine, const hints& given) {
  const detail::saying here(given, static_cast<std::int64_t>(first));
  return takt::parallel_reduce(first, last, std::move(identity), static_cast<Map&&>(map),
                               static_cast<Combine&&>(combine));
}

template <std::random_access_iterator It, class T, class Map, class Combine>
  requires detail::reduces<T, Map, Combine, std::iter_reference_t<It>>
TAKT_INLINE T parallel_reduce(It first, It last, T identity, Map&& map, Combine&& combine, const hints& given) {
  const detail::saying here(given, 0);
  return takt::parallel_reduce(std::move(first), std::move(last), std::move(identity), static_cast<Map&&>(map),
                               static_cast<Combine&&>(combine));
}

template <std::ranges::random_access_range Range, class T, class Map, class Combine>
  requires std::ranges::sized_range<Range> && detail::reduces<T, Map, Combine, std::ranges::range_reference_t<Range>>
TAKT_INLINE T parallel_reduce(Range&& range, T identity, Map&& map, Combine&& combine, const hints& given) {
  const detail::saying here(given, 0);
  return takt::parallel_reduce(static_cast<Range&&>(range), std::move(identity), static_cast<Map&&>(map),
                               static_cast<Combine&&>(combine));
}

}  // namespace TAKT_NAMESPACE
