// Hints: what a program says of how much there is to do, and of how much memory that uses.
//
// Hints are optional, and never trusted: results are the same whatever they say, and a hint that makes no sense (a
// negative or infinite number, NaN) is ignored. A fork or loop without hints costs nothing more. One with hints costs a
// compare if the policy uses none, as `random` does.
#pragma once

#include <takt/detail/exceptions.hpp>
#include <takt/detail/hot.hpp>
#include <takt/hinted.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace TAKT_NAMESPACE::detail {

template <class T>
concept number = (std::integral<T> || std::floating_point<T>) && !std::same_as<T, bool>;
template <class T>
concept whole_number = std::integral<T> && !std::same_as<T, bool>;

}  // namespace TAKT_NAMESPACE::detail

namespace takt {

/// How much work there is, in a whole group, fork or loop, or in one child. The unit is free, as only ratios matter: a
/// group and its children must use the same.
struct work {
  template <detail::number T>
  TAKT_INLINE constexpr explicit work(T all) noexcept : total(static_cast<double>(all)) {}
  double total;
};

/// How many bytes of memory a group, fork or loop uses, all its branches, children or iterations together; 0: unknown.
struct bytes {
  template <detail::whole_number T>
  TAKT_INLINE constexpr bytes(T all) noexcept : count(all < T{0} ? 0 : static_cast<std::uint64_t>(all)) {}
  std::uint64_t count;
};

/// What weights() makes.
template <std::size_t N>
struct weight_list {
  double of[N];
};

/// The work of the branches of a fork, relative to each other: as many as there are branches.
template <detail::number... T>
  requires(sizeof...(T) >= 2)
TAKT_INLINE constexpr weight_list<sizeof...(T)> weights(T... of) noexcept {
  return {{static_cast<double>(of)...}};
}

/// The work of a loop: a number, or what work_of() makes.
struct loop_work {
  template <detail::number T>
  TAKT_INLINE constexpr loop_work(T all) noexcept : total(static_cast<double>(all)) {}
  TAKT_INLINE constexpr loop_work(takt::work all) noexcept : total(all.total) {}
  TAKT_INLINE constexpr loop_work(double (*function)(const void*, std::int64_t, std::int64_t) noexcept,
                                  const void* its_context) noexcept
      : total(-1), of(function), context(its_context) {}
  double total;
  double (*of)(const void* context, std::int64_t begin, std::int64_t end) noexcept = nullptr;
  const void* context = nullptr;
};

/// The hints of a loop: takt::hints{.work = n, .bytes = n * sizeof(double)}. Each part is optional.
struct hints {
  loop_work work = -1;
  takt::bytes bytes = 0;
};

}  // namespace takt

namespace TAKT_NAMESPACE {
namespace detail {

template <class F>
concept range_work = std::is_class_v<F> && requires(const F& f, std::int64_t i) {
  { f(i, i) } -> std::convertible_to<double>;
};

template <class F>
double work_of_range(const void* f, std::int64_t begin, std::int64_t end) noexcept {
  TAKT_TRY {
    return static_cast<double>((*static_cast<const F*>(f))(begin, end));
  } TAKT_CATCH_ALL {
    return -1;
  }
}

}  // namespace detail

/// The work of a loop as a function of a range: `f(begin, end)` is the work of the iterations from `begin` to before
/// `end`. Both are std::int64_t: values of the index, or, of a loop with a stride, over iterators or over a range,
/// iterations counted from 0.
///
/// It may be called often, at any time while the loop runs, on any thread. It must neither use takt nor wait. `f` is a
/// function object, which is not copied: it must live as long as the loop, as a temporary in the call does. If it
/// throws, the hint is ignored.
template <detail::range_work F>
TAKT_INLINE loop_work work_of(const F& f) noexcept {
  return {&detail::work_of_range<F>, __builtin_addressof(f)};
}

namespace detail {

/// Around a loop: says what is known of it, if somebody may want to know.
class saying {
 public:
  /// `first`: the index of the first iteration, if indices are what loop_work::of gets; else 0.
  TAKT_INLINE saying(const hints& given, std::int64_t first) {
    if constexpr (!k_elided) {
      begun_ = detail::wants_hints();
      if (begun_) [[unlikely]]
        begin(given, first);
    }
  }
  TAKT_INLINE ~saying() {
    if constexpr (!k_elided) {
      if (begun_) [[unlikely]]
        takt_hints_end(&said_);
    }
  }
  saying(const saying&) = delete;
  saying& operator=(const saying&) = delete;

 private:
  TAKT_OUTLINE void begin(const hints& given, std::int64_t first) noexcept {
    said_.work = given.work.total;
    said_.bytes = given.bytes.count;
    said_.given = nullptr;
    said_.branches = 0;
    said_.branch = 0;
    said_.work_of = given.work.of;
    said_.context = given.work.context;
    said_.first = first;
    takt_hints_begin(&said_);
  }

  bool begun_;
  abi::hints said_;  // as it is until somebody wants to know
};

}  // namespace detail
}  // namespace TAKT_NAMESPACE
