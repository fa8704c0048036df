// parallel_reduce over integers, iterators and ranges.
#pragma once

#include <takt/detail/fold.hpp>
#include <takt/parallel_for.hpp>

namespace TAKT_NAMESPACE {
namespace detail {

template <class I, class T, class Map, class Combine>
class reduce_operations {
 public:
  reduce_operations(I first, const T& identity, Map& map, Combine& combine)
      : first_(first),
        identity_(std::addressof(identity)),
        map_(std::addressof(map)),
        combine_(std::addressof(combine)),
        sum_(identity) {}

  reduce_operations(reduce_operations&&) = delete;
  ~reduce_operations() {
    if (has_half_[0] | has_half_[1]) [[unlikely]] {
      for (std::uint64_t h = 0; h < 2; ++h) {
        if (has_half_[h]) half(h).~T();
      }
    }
  }

  TAKT_INLINE void range(std::uint64_t begin, std::uint64_t end) {
    I i = detail::at_offset(first_, begin);
    const I last = detail::at_offset(first_, end);
    if (!errors_) [[likely]]
      i = range_until_threw(i, last);
    if (errors_) [[unlikely]]
      run_rest(i, last);
  }
  TAKT_INLINE std::uint64_t steps(abi::loop_frame& frame, std::uint64_t claimed, std::uint64_t stop) {
    if (!errors_) [[likely]]
      claimed = steps_until_threw(frame, claimed, stop);
    if (errors_) [[unlikely]]
      claimed = detail::steps_after_error(*this, frame, claimed, stop);
    return claimed;
  }
  static abi::site* where() { return &site_of<reduce_operations>; }
  reduce_operations fresh() const { return reduce_operations(first_, *identity_, *map_, *combine_); }
  void take_half(std::uint64_t index, reduce_operations&& half) {
    errors_.keep_half(index, half.errors_.take());
    ::new (static_cast<void*>(half_[index])) T(std::move(half.sum_));
    has_half_[index] = true;
  }
  void half_failed(std::uint64_t index) noexcept { errors_.keep_half(index, std::current_exception()); }
  void merge(std::uint64_t halves) noexcept {
    errors_.merge(halves);
    if (errors_) return;
    TAKT_TRY {
      Combine combine = *combine_;
      for (std::uint64_t h = 0; h < halves; ++h) sum_ = combine(std::move(sum_), std::move(half(h)));
    } TAKT_CATCH_ALL {
      errors_.keep();
    }
  }
  void keep_error() noexcept { errors_.keep(); }

  /// The result is lost once an iteration threw; the iterations are not.
  TAKT_OUTLINE void run_rest(I i, I last) noexcept {
    Map map = *map_;
    for (; i < last; ++i) {
      TAKT_TRY {
        static_cast<void>(map(static_cast<I>(i)));
      } TAKT_CATCH_ALL {
        errors_.keep();
      }
    }
  }
  T finish() {
    errors_.rethrow();
    return std::move(sum_);
  }

 private:
  // As for_operations: not inlined, and without what goes on after an iteration threw.
  [[gnu::noinline]] I range_until_threw(I i, I last) {
    TAKT_KEEP_FRAME_POINTER();
    Map map = *map_;
    Combine combine = *combine_;
    TAKT_TRY {
      sum_ = detail::combine_onto(std::move(sum_), i, last, detail::distance(i, last), map, combine);
      return last;
    } TAKT_CATCH_ALL {
      errors_.keep();
      return detail::after_throwing(i);
    }
  }
  [[gnu::noinline]] std::uint64_t steps_until_threw(abi::loop_frame& frame, std::uint64_t claimed, std::uint64_t stop) {
    TAKT_KEEP_FRAME_POINTER();
    Map map = *map_;
    Combine combine = *combine_;
    TAKT_TRY {
      T sum = std::move(sum_);
      const I first = first_;
      while (claimed < stop && claim_next(frame, claimed)) {
        sum = combine(std::move(sum), map(detail::at_offset(first, claimed - 1)));
      }
      sum_ = std::move(sum);
    } TAKT_CATCH_ALL {
      errors_.keep();
    }
    return claimed;
  }

  T& half(std::uint64_t h) { return *std::launder(reinterpret_cast<T*>(half_[h])); }

  I first_;
  const T* identity_;
  Map* map_;
  Combine* combine_;
  T sum_;
  bool has_half_[2] = {};
  alignas(T) std::byte half_[2][sizeof(T)];
  loop_errors errors_;
};

template <class I, class T, class Map, class Combine>
TAKT_INLINE T reduce_slow(I first, std::uint64_t count, const T& identity, Map& map, Combine& combine,
                          std::int64_t units) {
  using operations_type = reduce_operations<I, T, Map, Combine>;
  operations_type operations(first, identity, map, combine);
  detail::run_loop_slow(operations, count, units);
  return operations.finish();
}

template <class I, class T, class Map, class Combine>
[[noreturn]] void reduce_threw(I next, I last, const T& identity, Map& map, Combine& combine) {
  reduce_operations<I, T, Map, Combine> operations(next, identity, map, combine);
  operations.keep_error();
  operations.run_rest(next, last);
  (void)operations.finish();
  __builtin_unreachable();
}

/// What a reduction needs beside its bounds, as one closure.
template <class T, class Map, class Combine>
struct reduce_parts {
  T identity;
  Map map;
  Combine combine;
};

template <class I, class Parts>
[[noreturn]] TAKT_COLD void reduce_threw_words(I next, I last, words<Parts>& all) {
  Parts& p = detail::reassembled(all);
  detail::reduce_threw(next, last, p.identity, p.map, p.combine);
}

template <class I, class T, class Map, class Combine>
TAKT_INLINE T reduce_words(I first, I last, const reduce_parts<T, Map, Combine>& given) {
  using parts = reduce_parts<T, Map, Combine>;
  const abi::site& where = site_of<reduce_operations<I, T, Map, Combine>>;
  // Free rows are not asked whether they are empty: the loop of none is none, and where last < first the distance is
  // above that of any free loop, unless it overflows.
  std::uint64_t count;
  if (detail::overflows_distance(first, last, count) || !is_free(count, where)) [[unlikely]] {
    if (!(first < last)) return given.identity;
    std::int64_t units;
    if (is_charged_slow(count, where, relaxed(where.unit_cost), units)) [[unlikely]] {
      return detail::call_aside([first, count, units, all = words<parts>(given)]() mutable {
        parts& p = detail::reassembled(all);
        return detail::reduce_slow(first, count, p.identity, p.map, p.combine, units);
      });
    }
  }
  I i = first;
  T sum = given.identity;
  Map map = given.map;
  Combine combine = given.combine;
  TAKT_TRY {
    sum = detail::combine_onto(sum, i, last, count, map, combine);
  } TAKT_CATCH_ALL {
    words<parts> all(given);
    detail::reduce_threw_words<I, parts>(detail::after_throwing(i), last, all);
  }
  return sum;
}

template <class I, class T, class Map, class Combine>
TAKT_INLINE T reduce_integers(I first, I last, T identity, const Map& map, const Combine& combine) {
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
    const abi::site& where = site_of<operations_type>;
    Map own_map = map;
    Combine own_combine = combine;
    std::int64_t units;
    if (is_slow(count, where, units)) [[unlikely]]
      return detail::reduce_slow(first, count, identity, own_map, own_combine, units);
    operations_type operations(first, identity, own_map, own_combine);
    operations.range(0, count);
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

/// Combines map(i) for every i in [first, last): combine(...combine(combine(identity, map(first)), ...)...).
///
/// `combine(T, T)` must be associative, with `identity` its neutral element; it need not be commutative: partial
/// results are combined in index order. Where a beat falls decides only how the parentheses are set, so an exact
/// `combine` gives exactly the serial result and a floating-point one agrees to rounding. Neighbouring terms of the
/// result's floating-point type are combined with each other first.
/// T must be copyable (each promoted part starts from a copy of `identity`); an empty range gives `identity`.
/// @throws the exception of the lowest i that threw, after map has been called for every i.
/// Cost: as parallel_for, plus one copy of `identity` and one combine for each promoted part.
template <index I, class T, class Map, class Combine>
  requires detail::reduces<T, Map, Combine, I>
TAKT_INLINE T parallel_reduce(I first, I last, T identity, Map&& map, Combine&& combine) {
  return detail::reduce_integers(first, last, std::move(identity), detail::capture_body(std::forward<Map>(map)),
                                 detail::capture_body(std::forward<Combine>(combine)));
}

/// Mixed integer types: the bounds are converted to their common type.
template <index I, index J, class T, class Map, class Combine>
  requires(!std::same_as<I, J> && detail::reduces<T, Map, Combine, std::common_type_t<I, J>>)
TAKT_INLINE T parallel_reduce(I first, J last, T identity, Map&& map, Combine&& combine) {
  using common = std::common_type_t<I, J>;
  return takt::parallel_reduce(static_cast<common>(first), static_cast<common>(last), std::move(identity),
                               std::forward<Map>(map), std::forward<Combine>(combine));
}

/// Combines map(*it) for every it in [first, last).
template <std::random_access_iterator It, class T, class Map, class Combine>
  requires detail::reduces<T, Map, Combine, std::iter_reference_t<It>>
TAKT_INLINE T parallel_reduce(It first, It last, T identity, Map&& map, Combine&& combine) {
  using offset = detail::offset_in<It>;
  auto m = detail::capture_body(std::forward<Map>(map));
  return detail::reduce_integers(
      offset{0}, static_cast<offset>(last - first), std::move(identity),
      [first, m](offset k) mutable
      -> detail::kept_result<std::invoke_result_t<Map&, std::iter_reference_t<It>>, std::iter_reference_t<It>> {
        return m(first[static_cast<std::iter_difference_t<It>>(k)]);
      },
      detail::capture_body(std::forward<Combine>(combine)));
}

/// Combines map(element) for every element of a random-access range.
template <std::ranges::random_access_range Range, class T, class Map, class Combine>
  requires std::ranges::sized_range<Range> && detail::reduces<T, Map, Combine, std::ranges::range_reference_t<Range>>
TAKT_INLINE T parallel_reduce(Range&& range, T identity, Map&& map, Combine&& combine) {
  const auto first = std::ranges::begin(range);
  return takt::parallel_reduce(first,
                               first + static_cast<std::ranges::range_difference_t<Range>>(std::ranges::size(range)),
                               std::move(identity), std::forward<Map>(map), std::forward<Combine>(combine));
}

}  // namespace TAKT_NAMESPACE
