// Reducers: loops whose iterations add to something, in index order.
#pragma once

#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// Appends `right` to `left` by combine(left, right), which changes `left` or returns the combined value.
// Returns `auto`, so that it is looked at as soon as a reducer is.
template <class T, class Combine>
auto combine_onto_left(T& left, T&& right, const Combine& combine) {
  using result = std::invoke_result_t<const Combine&, T&, T&&>;
  static_assert(std::is_void_v<result> || std::is_same_v<std::remove_cvref_t<result>, T>,
                "takt: the combine of a reducer returns nothing, and changes its left argument, or returns the combined "
                "value, of the type that identity() has");
  if constexpr (std::is_void_v<result>) {
    combine(left, std::move(right));
  } else {
    auto&& combined = combine(left, std::move(right));
    // It may have changed its left argument, and returned that.
    if (std::addressof(combined) != std::addressof(left)) left = static_cast<decltype(combined)>(combined);
  }
}

}  // namespace detail

/// A reducer says what a part of a loop starts from and how two parts are put together:
///   T identity() const                what a part starts from
///   void combine(T& left, T&& right) const    appends what `right` holds to `left`; associative
/// combine() may return the combined value instead, a T.
template <class R>
concept reducer = requires(const R& r, decltype(r.identity()) value) { r.combine(value, std::move(value)); };

namespace detail {
template <class Reducer>
using view_of = decltype(std::declval<const Reducer&>().identity());
/// It must not return the new value: nobody looks at that.
template <class Body, class X, class View>
concept changes_view = std::invocable<Body&, X, View&> && !std::same_as<std::invoke_result_t<Body&, X, View&>, View>;
}  // namespace detail

/// Sums; write `total += x` in the body.
template <class T>
struct sum_reducer {
  T identity() const { return T{}; }
  void combine(T& left, T&& right) const { left += std::move(right); }
};

/// The smallest value; write `least = std::min(least, x)`. Starts from the largest number there is.
template <class T>
struct min_reducer {
  static_assert(std::numeric_limits<T>::is_specialized, "takt::min_reducer is for numbers; others: custom_reducer");
  T identity() const { return std::numeric_limits<T>::max(); }
  void combine(T& left, T&& right) const { left = std::min(left, right); }
};

/// The largest value. Starts from the lowest number there is.
template <class T>
struct max_reducer {
  static_assert(std::numeric_limits<T>::is_specialized, "takt::max_reducer is for numbers; others: custom_reducer");
  T identity() const { return std::numeric_limits<T>::lowest(); }
  void combine(T& left, T&& right) const { left = std::max(left, right); }
};

/// A vector; write `all.push_back(x)`, any number of times. The result is in index order.
template <class T>
struct append_reducer {
  std::vector<T> identity() const { return {}; }
  void combine(std::vector<T>& left, std::vector<T>&& right) const {
    if (left.empty()) {
      left = std::move(right);
    } else {
      left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
    }
  }
};

/// Any type and functions: make() and merge(left, right), as identity() and combine() above.
template <class Identity, class Combine>
struct custom_reducer {
  auto identity() const { return make(); }
  template <class T>
  auto combine(T& left, T&& right) const {
    detail::combine_onto_left(left, std::move(right), merge);
  }
  Identity make;
  Combine merge;
};
template <class Identity, class Combine>
custom_reducer(Identity, Combine) -> custom_reducer<Identity, Combine>;

namespace detail {

template <class I, class Reducer, class Body>
struct reducing_work {
  using state = view_of<Reducer>;

  void run(state& s, std::uint64_t begin, std::uint64_t end) const {
    Body own_body = body;
    I i = detail::at_offset(first, begin);
    const I last = detail::at_offset(first, end);
    for (; i < last; ++i) static_cast<void>(own_body(i, s));
  }
  state fresh(std::uint64_t) const { return reducer.identity(); }
  void absorb(state& before, state&& part) const {
    detail::combine_onto_left(before, std::move(part), [this](state& left, state&& right) -> decltype(auto) {
      return reducer.combine(left, std::move(right));
    });
  }

  I first;
  Reducer reducer;
  Body body;
};

}  // namespace detail

template <class... Arguments>
auto reducing_for(const Arguments&...) {
  TAKT_SAY_MISFIT(reducing_for, (detail::misfit_of_loop<false, Arguments...>()),
                  "takes a range, or two integers of one type, a reducer, and a body that is called with an index or "
                  "element and its view, which it changes: what it returns is not looked at")
  return detail::anything{};
}

/// Calls body(i, view) for every i in [first, last); the body changes the view by what i adds. A view is the reducer's
/// value for a stretch of iterations that runs in order; views are combined in index order. Only parts that another
/// worker took early have a view of their own.
/// @returns the combined value.
/// @throws the exception of the lowest i that threw; later iterations may not have run.
/// Cost: work O(n), span O(log n * a combine), one view for each such part.
template <index I, reducer Reducer, class Body>
  requires detail::changes_view<Body, I, detail::view_of<Reducer>>
auto reducing_for(I first, I last, Reducer reducer, Body&& body) {
  const auto captured = detail::capture_body(std::forward<Body>(body));
  using work_type = detail::reducing_work<I, Reducer, std::remove_const_t<decltype(captured)>>;
  const work_type work{first, reducer, captured};
  auto all = reducer.identity();
  if (first < last) detail::run_parts(work, all, detail::distance(first, last));
  return all;
}

/// The same for the elements of a range: body(element, view).
template <detail::sequence R, reducer Reducer, class Body>
  requires detail::changes_view<Body, std::ranges::range_reference_t<R>, detail::view_of<Reducer>>
auto reducing_for(R&& range, Reducer reducer, Body&& body) {
  auto call = detail::capture_body(std::forward<Body>(body));
  return takt::reducing_for(std::uint64_t{0}, detail::size_of(range), std::move(reducer),
                            [first = detail::start_of(range), call](std::uint64_t k, auto& view) mutable {
                              static_cast<void>(call(detail::at(first, k), view));
                            });
}

}  // namespace TAKT_NAMESPACE
