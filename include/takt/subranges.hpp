// Bodies that are called with a sub-range: parallel_for over pieces and over tiles, parallel_reduce with a body that
// splits and joins.
#pragma once

#include <takt/detail/parts.hpp>
#include <takt/parallel_for.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>

namespace TAKT_NAMESPACE {
namespace detail {

/// A body for sub-ranges, and none for single elements: that one has precedence.
template <class F, class At, class Element>
concept takes_subrange = std::invocable<F&, At, At> && !std::invocable<F&, Element>;

/// What to do with stretches of iterations, each by one call. `first` is 0.
template <class Body>
class piece_operations {
 public:
  // Not inlined, as in the other loops.
  [[gnu::noinline]] static std::uint64_t range_until_threw(loop_operations& loop, std::uint64_t begin,
                                                           std::uint64_t end) noexcept {
    TAKT_KEEP_FRAME_POINTER();
    Body body = *static_cast<Body*>(static_cast<for_loop&>(loop).body);
    TAKT_TRY {
      static_cast<void>(body(begin, end));
    } TAKT_CATCH_ALL {
      loop.errors.keep();
    }
    return end;
  }
  static constexpr loop_kind kind{
      &site_of<piece_operations>, &run_half<piece_operations>, &enter_loop<piece_operations>, &range_until_threw,
      &steps_of_ranges,           &for_loop::rest,             &for_loop::merge};
  static void half(slot* task) noexcept { for_loop::run_half(task); }
};

/// body(begin, end) for stretches of [0, count).
template <class Body>
TAKT_INLINE void for_pieces(std::uint64_t count, const Body& given) {
  if (count == 0) return;
  if constexpr (!k_elided && !passes_as_words<Body>) {
    Body copy = given;
    detail::for_pieces(count, callable_with<Body&>{__builtin_addressof(copy)});
  } else {
    if constexpr (!k_elided) {
      using operations = piece_operations<Body>;
      std::int64_t units;
      if (detail::is_slow(count, site_of<operations>, units)) [[unlikely]] {
        words<Body> all(given);
        slow_for made(operations::kind, all.in_memory(), 0, count, units);
        detail::run_slow_for(&made);
        made.error.rethrow();
        return;
      }
    }
    Body body = given;
    static_cast<void>(body(std::uint64_t{0}, count));
  }
}

template <index I>
TAKT_INLINE std::uint64_t count_of(I first, I last) {
  return first < last ? detail::distance(first, last) : 0;
}

}  // namespace detail

/// Calls body(begin, end) for sub-ranges that together are [first, last), in parallel and in any order.
///
/// For bodies that share something among neighbours: a buffer, a call for many. A sub-range has one iteration or more; how
/// many is decided as for the chunks of a parallel_for, so that it takes about two microseconds, and all of a short loop
/// is one. In a body with parallel calls of its own a sub-range may be one iteration long.
/// @throws the exception of the first sub-range, in the order of the range, that threw, after all have been called.
/// Cost: as parallel_for over single iterations.
template <index I, index J, class F>
  requires detail::takes_subrange<F, std::common_type_t<I, J>, std::common_type_t<I, J>>
TAKT_INLINE void parallel_for(I first, J last, F&& body) {
  using common = std::common_type_t<I, J>;
  const auto from = static_cast<common>(first);
  detail::for_pieces(detail::count_of(from, static_cast<common>(last)),
                     [from, f = detail::capture_body(static_cast<F&&>(body))](std::uint64_t b, std::uint64_t e) mutable {
                       static_cast<void>(f(detail::at_offset(from, b), detail::at_offset(from, e)));
                     });
}

/// The same with iterators: body(begin, end) gets two of them.
template <std::random_access_iterator It, class F>
  requires detail::separate_elements<It> && detail::takes_subrange<F, It, std::iter_reference_t<It>>
TAKT_INLINE void parallel_for(It first, It last, F&& body) {
  using difference = std::iter_difference_t<It>;
  const auto count = last - first;
  detail::for_pieces(count > 0 ? static_cast<std::uint64_t>(count) : 0,
                     [first, f = detail::capture_body(static_cast<F&&>(body))](std::uint64_t b, std::uint64_t e) mutable {
                       static_cast<void>(f(It(first + static_cast<difference>(b)), It(first + static_cast<difference>(e))));
                     });
}

template <std::ranges::random_access_range Range, class F>
  requires std::ranges::sized_range<Range> && detail::separate_elements<std::ranges::iterator_t<Range>> &&
           detail::takes_subrange<F, std::ranges::iterator_t<Range>, std::ranges::range_reference_t<Range>>
TAKT_INLINE void parallel_for(Range&& range, F&& body) {
  const auto first = std::ranges::begin(range);
  takt::parallel_for(first, first + static_cast<std::ranges::range_difference_t<Range>>(std::ranges::size(range)),
                     static_cast<F&&>(body));
}

/// A range of D dimensions: the cells whose d-th index is in [first[d], last[d]).
template <index I, std::size_t D>
  requires(sizeof(I) <= 8 && D > 0)
struct box {
  /// box(rows, columns): from 0 on.
  template <index... J>
    requires(sizeof...(J) == D)
  constexpr explicit box(J... sides) : first{}, last{static_cast<I>(sides)...} {}
  /// box({1, 1}, {rows - 1, columns - 1})
  template <index J, index K>
  constexpr box(const J (&from)[D], const K (&to)[D]) : first{}, last{} {
    for (std::size_t d = 0; d < D; ++d) {
      first[d] = static_cast<I>(from[d]);
      last[d] = static_cast<I>(to[d]);
    }
  }

  std::array<I, D> first;
  std::array<I, D> last;
};
template <index... J>
box(J...) -> box<std::common_type_t<J...>, sizeof...(J)>;
template <index J, index K, std::size_t D>
box(const J (&)[D], const K (&)[D]) -> box<std::common_type_t<J, K>, D>;

/// The sides of a tile, in cells; a side below 1 counts as 1.
template <std::size_t D>
struct tile {
  template <index... J>
    requires(sizeof...(J) == D)
  constexpr explicit tile(J... cells) : sides{cells < 1 ? 1 : static_cast<std::uint64_t>(cells)...} {}

  std::array<std::uint64_t, D> sides;
};
template <index... J>
tile(J...) -> tile<sizeof...(J)>;

template <index I, std::size_t D, class... Arguments>
auto parallel_for(const box<I, D>&, const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::parallel_for: behind a box come a tile of as many sides, and a body that is called with a box");
  return detail::anything{};
}

namespace detail {

/// Numbers the tiles of a box in the order in which halves of the longest side, in tiles, follow each other: those with
/// numbers close to each other are neighbours.
template <class I, std::size_t D, class F>
class cut_box {
  using extents = std::array<std::uint64_t, D>;

 public:
  cut_box(const box<I, D>& all, const extents& sides, const F& body) : all_(all), body_(body) {
    for (std::size_t d = 0; d < D; ++d) {
      cells_[d] = detail::count_of(all.first[d], all.last[d]);
      sides_[d] = sides[d] == 0 ? 1 : sides[d];
    }
  }

  std::uint64_t count() const { return volume(tiles()); }

  void operator()(std::uint64_t begin, std::uint64_t end) {
    loop_errors errors;
    call_within(errors, {}, tiles(), 0, begin, end);
    errors.rethrow();
  }

 private:
  extents tiles() const {
    extents n{};
    for (std::size_t d = 0; d < D; ++d) n[d] = cells_[d] / sides_[d] + (cells_[d] % sides_[d] != 0);
    return n;
  }
  static std::uint64_t volume(const extents& n) {
    std::uint64_t all = 1;
    for (const std::uint64_t side : n) all *= side;
    return all;
  }

  /// For the tiles of [begin, end) in the part that begins at `from` with number `number`.
  void call_within(loop_errors& errors, const extents& from, const extents& n, std::uint64_t number, std::uint64_t begin,
                   std::uint64_t end) {
    if (volume(n) == 1) return call(errors, from);
    const auto longest = static_cast<std::size_t>(std::max_element(n.begin(), n.end()) - n.begin());
    extents left = n;
    left[longest] = n[longest] / 2;
    extents right = n;
    right[longest] -= left[longest];
    extents behind = from;
    behind[longest] += left[longest];
    const std::uint64_t cut = number + volume(left);
    if (begin < cut) call_within(errors, from, left, number, begin, end);
    if (end > cut) call_within(errors, behind, right, cut, begin, end);
  }

  void call(loop_errors& errors, const extents& from) {
    box<I, D> part = all_;
    for (std::size_t d = 0; d < D; ++d) {
      const std::uint64_t begin = from[d] * sides_[d];
      part.first[d] = detail::at_offset(all_.first[d], begin);
      // Not begin + side, which may be past the end of the type.
      part.last[d] = detail::at_offset(part.first[d], std::min(sides_[d], cells_[d] - begin));
    }
    if constexpr (k_elided) {
      static_cast<void>(body_(part));
    } else {
      // The others run, too, as after an iteration of a plain loop.
      if (errors && detail::is_search_stopped()) [[unlikely]]
        return;
      TAKT_TRY {
        static_cast<void>(body_(part));
      } TAKT_CATCH_ALL {
        errors.keep();
      }
    }
  }

  box<I, D> all_;
  extents cells_{};
  extents sides_{};
  F body_;
};

}  // namespace detail

/// Calls body(part) for the tiles of a box, which is cut in halves at the side with the most tiles until each part is one:
/// it has the sides of `one`, or what is left at the far end of a side. A box has fewer than 2^64 tiles.
///
///     takt::parallel_for(takt::box({1, 1}, {rows - 1, columns - 1}), takt::tile(16, 1024), [&](const auto& part) {
///       for (int r = part.first[0]; r < part.last[0]; ++r)
///         for (int c = part.first[1]; c < part.last[1]; ++c) next[r][c] = ...
///     });
///
/// A tile is there for caches: what one reads and writes should fit, and rows should be long. It says nothing of how work
/// is shared out, but two workers never share one.
/// @throws the exception of the first tile that threw, in the order of the cuts, after all have been called.
/// Cost: as parallel_for over the tiles, and O(log tiles) for each.
template <index I, std::size_t D, class F>
  requires std::invocable<F&, box<I, D>&>
TAKT_INLINE void parallel_for(const box<I, D>& all, const tile<D>& one, F&& body) {
  auto f = detail::capture_body(static_cast<F&&>(body));
  const detail::cut_box<I, D, decltype(f)> cut(all, one.sides, f);
  detail::for_pieces(cut.count(), cut);
}

/// Says to a constructor that it makes a body for another part of the range.
struct split {};

/// A body that keeps what it has collected:
///   B(B& other, takt::split)         one for a part further right; nothing is collected yet. May run beside a call of other
///   void operator()(first, last)     adds these iterations to what is collected; called for stretches from left to right
///   void join(B& right)              appends what `right` has collected
/// It can be moved.
template <class B, class At>
concept splitting_body = std::constructible_from<B, B&, split> && std::move_constructible<B> &&
                         std::invocable<B&, At, At> && requires(B& left, B& right) { left.join(right); };

namespace detail {

template <class At, class Body>
struct splitting_work {
  using state = Body;

  void run(Body& body, std::uint64_t begin, std::uint64_t end) const { static_cast<void>(body(at(begin), at(end))); }
  Body fresh(std::uint64_t) const { return Body(*whole, split{}); }
  void absorb(Body& before, Body&& part) const { before.join(part); }

  At first;
  Body* whole;

 private:
  At at(std::uint64_t offset) const {
    if constexpr (index<At>) {
      return detail::at_offset(first, offset);
    } else {
      return first + static_cast<std::iter_difference_t<At>>(offset);
    }
  }
};

}  // namespace detail

/// Collects [first, last) in `body`, as oneTBB's parallel_reduce with a body: body(begin, end) for the first part, and
/// bodies that are split off for those that another worker takes early, which are joined to it in the order of the range.
/// @throws the exception of the first sub-range that threw; later ones may not have run, and what `body` has collected
/// is unspecified then.
/// Cost: as parallel_for, and a split and a join for each such part.
template <index I, index J, splitting_body<std::common_type_t<I, J>> Body>
TAKT_INLINE void parallel_reduce(I first, J last, Body& body) {
  using common = std::common_type_t<I, J>;
  const auto from = static_cast<common>(first);
  const detail::splitting_work<common, Body> work{from, std::addressof(body)};
  detail::run_parts(work, body, detail::count_of(from, static_cast<common>(last)));
}

/// The same with iterators.
template <std::random_access_iterator It, splitting_body<It> Body>
TAKT_INLINE void parallel_reduce(It first, It last, Body& body) {
  const auto count = last - first;
  const detail::splitting_work<It, Body> work{first, std::addressof(body)};
  detail::run_parts(work, body, count > 0 ? static_cast<std::uint64_t>(count) : 0);
}

}  // namespace TAKT_NAMESPACE
