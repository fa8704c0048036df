// parallel_for over integers, strides, iterators and ranges.
#pragma once

#include <takt/detail/loop.hpp>
#include <takt/detail/misfit.hpp>
#include <takt/detail/unoptimised.hpp>
#include <takt/hints.hpp>

#include <concepts>
#include <iterator>
#include <ranges>

namespace TAKT_NAMESPACE {
namespace detail {

__extension__ using signed_wide = __int128;
__extension__ using unsigned_wide = unsigned __int128;

/// Integers of 128 bits, which std::integral includes with GNU extensions only.
template <class I>
concept wide = std::same_as<I, signed_wide> || std::same_as<I, unsigned_wide>;

}  // namespace detail

/// What a loop can count: any integer type. Not bool, which has no next value.
template <class I>
concept index = (std::integral<I> && !std::same_as<I, bool>) || detail::wide<I>;

namespace detail {

/// Index types: `first + offset` in the unsigned domain, so that the whole range of a signed type can be walked.
template <class I>
TAKT_INLINE I at_offset(I first, std::uint64_t offset) {
  if constexpr (wide<I>) {
    return static_cast<I>(static_cast<unsigned_wide>(first) + offset);
  } else {
    return static_cast<I>(static_cast<std::uint64_t>(first) + offset);
  }
}

template <class I>
TAKT_INLINE std::uint64_t distance(I first, I last) {
  if constexpr (wide<I>) {
    const unsigned_wide all = static_cast<unsigned_wide>(last) - static_cast<unsigned_wide>(first);
    // Nobody will see the end of a loop that is longer.
    return all > ~std::uint64_t{0} ? ~std::uint64_t{0} : static_cast<std::uint64_t>(all);
  } else {
    return static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  }
}

/// What iterations over elements are counted in. The differences of some iterators are no plain integers: those of
/// std::views::iota over std::size_t have 128 bits, or are a class.
template <class It>
using offset_in =
    std::conditional_t<std::integral<std::iter_difference_t<It>> && sizeof(std::iter_difference_t<It>) <= 8,
                       std::iter_difference_t<It>, std::int64_t>;

/// What a call or projection gives for an element: a value where a reference would be to a temporary. That is so where
/// elements are made when they are asked for and an rvalue comes back: std::identity returns what it was given.
template <class Result, class Element>
using kept_result =
    std::conditional_t<std::is_rvalue_reference_v<Result> && !std::is_reference_v<Element>, std::remove_cvref_t<Result>,
                       Result>;

template <class F>
struct callable_with {
  std::remove_reference_t<F>* target;
  template <class I>
  TAKT_INLINE decltype(auto) operator()(I&& i) const {
    return (*target)(static_cast<I&&>(i));
  }
  template <class A, class B>
  TAKT_INLINE decltype(auto) operator()(A&& a, B&& b) const {
    return (*target)(static_cast<A&&>(a), static_cast<B&&>(b));
  }
};

/// A pointer to a member, which no pair of parentheses calls.
template <class F>
struct invoked_by_name {
  F member;
  template <class... Arguments>
  TAKT_INLINE decltype(auto) operator()(Arguments&&... arguments) const {
    return std::invoke(member, static_cast<Arguments&&>(arguments)...);
  }
};

/// What a call of `f` calls in the end, where it is an object.
template <class F>
TAKT_INLINE F& called_by(F& f) {
  return f;
}
template <class F>
TAKT_INLINE auto& called_by(callable_with<F>& f) {
  if constexpr (std::is_class_v<std::remove_reference_t<F>>) {
    return detail::called_by(*f.target);
  } else {
    return f;
  }
}

/// As capture(), for bodies that take arguments and are called many times.
template <class F>
TAKT_INLINE auto capture_body(F&& f) {
  if constexpr (std::is_member_pointer_v<std::remove_cvref_t<F>>) {
    return invoked_by_name<std::remove_cvref_t<F>>{f};
  } else if constexpr (!std::is_lvalue_reference_v<F>) {
    if constexpr (passes_as_words<F>) {
      return F(f);
    } else {
      return callable_with<F>{__builtin_addressof(f)};
    }
  } else {
    return callable_with<F>{__builtin_addressof(f)};
  }
}

#ifdef __clang__
#pragma clang diagnostic push
// A body that is declared noinline: TAKT_BODY has precedence.
#pragma clang diagnostic ignored "-Wignored-attributes"
#endif

/// A loop without a result: all that its code knows of the body is where it is. `first`: of the index, modulo 2^64.
class for_loop : public loop_operations {
 public:
  TAKT_INLINE for_loop(const loop_kind& what, std::uint64_t first_index, void* the_body)
      : loop_operations(what), first(first_index), body(the_body) {}

  const std::uint64_t first;
  void* const body;

  static void rest(loop_operations& loop, std::uint64_t begin, std::uint64_t end) noexcept {
    while (begin != end && !detail::is_search_stopped()) begin = loop.kind->range(loop, begin, end);
  }
  static void merge(loop_operations& loop, std::uint64_t) noexcept { loop.errors.merge(); }
  static void run_half(slot* task) noexcept {
    const abi::half_payload half = *detail::payload_of<abi::half_payload>(task);
    auto& parent = static_cast<for_loop&>(*static_cast<loop_operations*>(half.parent->operations));
    for_loop mine(*parent.kind, parent.first, parent.body);
    detail::run_loop(mine, half.begin, half.end);
    parent.errors.keep_half(half.index, mine.errors.take());
  }
};

/// What to do with the iterations of one kind of loop. I is at most 64 bits long.
template <class I, class Body>
class for_operations {
 public:
  // Not inlined: the body gets all registers, and a chunk is long enough to pay for the call. What goes on after an
  // iteration threw is not here, so that the handler needs next to nothing that the loop has in registers.
  [[gnu::noinline]] static std::uint64_t range_until_threw(loop_operations& loop, std::uint64_t begin,
                                                           std::uint64_t end) noexcept {
    TAKT_KEEP_FRAME_POINTER();
    auto& own = static_cast<for_loop&>(loop);
    I i = detail::at_offset(static_cast<I>(own.first), begin);
    const I last = detail::at_offset(static_cast<I>(own.first), end);
    Body body = *static_cast<Body*>(own.body);
    auto& called = detail::called_by(body);
    TAKT_TRY {
      for (; i < last; ++i) {
        TAKT_BODY static_cast<void>(called(static_cast<I>(i)));
      }
      return end;
    } TAKT_CATCH_ALL {
      own.errors.keep();
      return detail::distance(static_cast<I>(own.first), detail::after_throwing(i));
    }
  }
  [[gnu::noinline]] static std::uint64_t steps_until_threw(loop_operations& loop, abi::loop_frame& frame,
                                                           std::uint64_t claimed, std::uint64_t stop) noexcept {
    TAKT_KEEP_FRAME_POINTER();
    auto& own = static_cast<for_loop&>(loop);
    Body body = *static_cast<Body*>(own.body);
    const I first = static_cast<I>(own.first);
    TAKT_TRY {
      while (claimed < stop && detail::claim_next(frame, claimed)) {
        static_cast<void>(body(detail::at_offset(first, claimed - 1)));
      }
    } TAKT_CATCH_ALL {
      own.errors.keep();
    }
    return claimed;
  }
  static constexpr loop_kind kind{
      &site_of<for_operations>, &run_half<for_operations>, &enter_loop<for_operations>, &range_until_threw,
      &steps_until_threw,       &for_loop::rest,           &for_loop::merge};
  static void half(slot* task) noexcept { for_loop::run_half(task); }
};

#ifdef __clang__
#pragma clang diagnostic pop
#endif

/// A loop on its way off the fast path; written there, on the side where it is left.
struct slow_for {
  TAKT_INLINE slow_for(const loop_kind& what, void* the_body, std::uint64_t first_index, std::uint64_t how_many,
                       std::int64_t charged)
      : kind(&what), body(the_body), first(first_index), count(how_many), units(charged) {}

  const loop_kind* kind;
  void* body;
  std::uint64_t first;
  std::uint64_t count;
  std::int64_t units;
  aside_error error;
};

/// Runs a loop that left the fast path.
TAKT_ASIDE inline void run_slow_for(slow_for* made) noexcept {
  for_loop loop(*made->kind, made->first, made->body);
  detail::run_loop_slow(loop, made->count, made->units, TAKT_CALLERS_STACK());
  if (loop.errors) [[unlikely]]
    made->error.keep(loop.errors.take());
}

/// An iteration of a plain loop threw: runs the ones after it, which are `count` from `next` on, then reports the
/// first.
[[noreturn]] TAKT_COLD inline void for_threw(const loop_kind& kind, void* body, std::uint64_t next,
                                             std::uint64_t count) {
  for_loop loop(kind, next, body);
  loop.errors.keep();
  for_loop::rest(loop, 0, count);
  loop.errors.rethrow();
  __builtin_unreachable();
}

template <class I, class Body>
TAKT_INLINE void for_words(I first, I last, const Body& given) {
  if (!(first < last)) return;
  using operations = for_operations<I, Body>;
  const std::uint64_t count = detail::distance(first, last);
  std::int64_t units;
  if (detail::is_slow(count, site_of<operations>, units)) [[unlikely]] {
    words<Body> all(given);
    slow_for made(operations::kind, all.in_memory(), static_cast<std::uint64_t>(first), count, units);
    detail::run_slow_for(&made);
    made.error.rethrow();
    return;
  }
  I i = first;
  Body body = given;
  TAKT_TRY {
    for (; i < last; ++i) static_cast<void>(body(static_cast<I>(i)));
  } TAKT_CATCH_ALL {
    words<Body> all(given);
    const I next = detail::after_throwing(i);
    detail::for_threw(operations::kind, all.in_memory(), static_cast<std::uint64_t>(next),
                      detail::distance(next, last));
  }
}

template <class I, class Body>
TAKT_INLINE void for_integers(I first, I last, const Body& body) {
  if constexpr (k_elided) {
    Body own_body = body;
    for (; first < last; ++first) static_cast<void>(own_body(static_cast<I>(first)));
  } else if constexpr (wide<I>) {
    if (!(first < last)) return;
    detail::for_integers(std::uint64_t{0}, detail::distance(first, last), [first, body](std::uint64_t k) mutable {
      static_cast<void>(body(detail::at_offset(first, k)));
    });
  } else if constexpr (passes_as_words<Body>) {
    detail::for_words(first, last, body);
  } else {
    // Adapters of small closures can be larger than their parts; they are built in memory anyhow: refer to this one.
    Body copy = body;
    detail::for_words(first, last, callable_with<Body&>{__builtin_addressof(copy)});
  }
}

/// What looks like a bound that is no iterator.
template <class T>
concept bound = std::is_arithmetic_v<T> || std::is_enum_v<T> || index<T>;

/// Whether these are bounds of a loop that counts; nothing else is wrong with them then.
template <class... Arguments>
inline constexpr bool counts = false;
template <bound First, bound Second, class... More>
inline constexpr bool counts<First, Second, More...> = true;
template <class... Arguments>
inline constexpr bool counts_integers = false;
template <index First, index Second, class... More>
inline constexpr bool counts_integers<First, Second, More...> = true;

template <bool Writes, class... Arguments>
consteval misfit misfit_of_loop() {
  if constexpr (counts_integers<Arguments...>) {
    return misfit::arguments;
  } else {
    return detail::misfit_of<Writes, Arguments...>();
  }
}

}  // namespace detail

template <class... Arguments>
auto parallel_for(const Arguments&...) {
  if constexpr (detail::counts<Arguments...> && !detail::counts_integers<Arguments...>) {
    static_assert(detail::never<Arguments...>,
                  "takt::parallel_for: the bounds are no integers: it counts neither with bool and enumerations nor with "
                  "floating-point numbers");
  } else {
    TAKT_SAY_MISFIT(parallel_for, (detail::misfit_of_loop<true, Arguments...>()),
                    "the body cannot be called with an index, which is passed by value, or with an element (with "
                    "<takt/subranges.hpp> also with the two ends of a sub-range)")
  }
  return detail::anything{};
}

/// Calls body(i) for every i in [first, last); iterations may run in parallel, in any order.
///
/// Any integer type, any bounds (the whole range of a signed type included); an empty or reversed range runs
/// nothing. Every level of a loop nest can be a parallel_for and no grain size exists: a short loop runs as a
/// plain loop, a long leaf loop in chunks sized by time (and vectorises as the plain loop does), and a beat splits
/// the outermost loop that has iterations left (HBC paper, section 2).
/// @throws the exception of the lowest i whose body threw, after every iteration has run.
/// Cost: bounds on work and span as those of fork_join, under the same conditions; the span s of a loop is
/// tau log2(last - first) and the longest iteration.
template <index I, class F>
  requires std::invocable<F&, I>
TAKT_INLINE void parallel_for(I first, I last, F&& body) {
  detail::for_integers(first, last, detail::capture_body(static_cast<F&&>(body)));
}

/// Mixed integer types: the bounds are converted to their common type.
template <index I, index J, class F>
  requires(!std::same_as<I, J> && std::invocable<F&, std::common_type_t<I, J>>)
TAKT_INLINE void parallel_for(I first, J last, F&& body) {
  using common = std::common_type_t<I, J>;
  detail::for_integers(static_cast<common>(first), static_cast<common>(last),
                       detail::capture_body(static_cast<F&&>(body)));
}

/// Calls body(first), body(first + stride), ... while below last. `stride` must be positive; a stride that is not
/// runs nothing.
template <index J, index K, index S, class F>
  requires std::invocable<F&, std::common_type_t<J, K>>
TAKT_INLINE void parallel_for(J begin, K end, S stride, F&& body) {
  using I = std::common_type_t<J, K>;
  const auto first = static_cast<I>(begin);
  const auto last = static_cast<I>(end);
  if (!(first < last) || !(stride > S{0})) return;
  auto f = detail::capture_body(static_cast<F&&>(body));
  if constexpr (detail::wide<I> || detail::wide<S>) {
    using number = detail::unsigned_wide;
    const number step = static_cast<number>(stride);
    const number count = (static_cast<number>(last) - static_cast<number>(first) - 1) / step + 1;
    detail::for_integers(
        std::uint64_t{0}, detail::distance(number{0}, count), [first, step, f](std::uint64_t k) mutable {
          static_cast<void>(f(static_cast<I>(static_cast<number>(first) + k * step)));
        });
  } else {
    const std::uint64_t step = static_cast<std::uint64_t>(stride);
    const std::uint64_t count = (detail::distance(first, last) - 1) / step + 1;
    detail::for_integers(std::uint64_t{0}, count, [first, step, f](std::uint64_t k) mutable {
      static_cast<void>(f(detail::at_offset(first, k * step)));
    });
  }
}

/// Calls body(*it) for every it in [first, last). Not for std::vector<bool>, whose elements share words, unless it is
/// const.
template <std::random_access_iterator It, class F>
  requires detail::separate_elements<It> && std::invocable<F&, std::iter_reference_t<It>>
TAKT_INLINE void parallel_for(It first, It last, F&& body) {
  using offset = detail::offset_in<It>;
  auto f = detail::capture_body(static_cast<F&&>(body));
  detail::for_integers(offset{0}, static_cast<offset>(last - first), [first, f](offset k) mutable {
    static_cast<void>(f(first[static_cast<std::iter_difference_t<It>>(k)]));
  });
}

/// Calls body(element) for every element of a random-access range.
template <std::ranges::random_access_range Range, class F>
  requires std::ranges::sized_range<Range> && detail::separate_elements<std::ranges::iterator_t<Range>> &&
           std::invocable<F&, std::ranges::range_reference_t<Range>>
TAKT_INLINE void parallel_for(Range&& range, F&& body) {
  const auto first = std::ranges::begin(range);
  using difference = std::ranges::range_difference_t<Range>;
  using offset = detail::offset_in<std::ranges::iterator_t<Range>>;
  auto f = detail::capture_body(static_cast<F&&>(body));
  detail::for_integers(offset{0}, static_cast<offset>(std::ranges::size(range)), [first, f](offset k) mutable {
    static_cast<void>(f(first[static_cast<difference>(k)]));
  });
}

// The same with hints behind the body: takt::parallel_for(0, n, body, takt::hints{.work = n, .bytes = size}). They
// change neither what is called nor what is thrown.

template <index I, index J, class F>
  requires std::invocable<F&, std::common_type_t<I, J>>
TAKT_INLINE void parallel_for(I first, J last, F&& body, const hints& given) {
  const detail::saying here(given, static_cast<std::int64_t>(first));
  takt::parallel_for(first, last, static_cast<F&&>(body));
}

template <index I, index J, index S, class F>
  requires std::invocable<F&, std::common_type_t<I, J>>
TAKT_INLINE void parallel_for(I first, J last, S stride, F&& body, const hints& given) {
  const detail::saying here(given, 0);
  takt::parallel_for(first, last, stride, static_cast<F&&>(body));
}

template <std::random_access_iterator It, class F>
  requires detail::separate_elements<It> && std::invocable<F&, std::iter_reference_t<It>>
TAKT_INLINE void parallel_for(It first, It last, F&& body, const hints& given) {
  const detail::saying here(given, 0);
  takt::parallel_for(std::move(first), std::move(last), static_cast<F&&>(body));
}

template <std::ranges::random_access_range Range, class F>
  requires std::ranges::sized_range<Range> && detail::separate_elements<std::ranges::iterator_t<Range>> &&
           std::invocable<F&, std::ranges::range_reference_t<Range>>
TAKT_INLINE void parallel_for(Range&& range, F&& body, const hints& given) {
  const detail::saying here(given, 0);
  takt::parallel_for(static_cast<Range&&>(range), static_cast<F&&>(body));
}

}  // namespace TAKT_NAMESPACE
