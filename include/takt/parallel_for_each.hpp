// parallel_for_each: over ranges without random access, and over items that the body adds.
#pragma once

#include <takt/detail/misfit.hpp>
#include <takt/fork_join.hpp>
#include <takt/parallel_for.hpp>
#include <takt/task_group.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace TAKT_NAMESPACE {

template <class T>
class feeder;

namespace detail {

template <class F, class T, class Reference>
concept takes_feeder = std::invocable<F&, Reference, feeder<T>&> && std::invocable<F&, T&, feeder<T>&>;

template <class F, class It>
concept takes_element = separate_elements<It> && (std::invocable<F&, std::iter_reference_t<It>> ||
                                                  takes_feeder<F, std::iter_value_t<It>, std::iter_reference_t<It>>);

/// What goes through a range once, some elements at a time.
template <class It, class End>
class walk {
 public:
  walk(It first, End last) : at_(std::move(first)), last_(std::move(last)) {}

  /// The next elements; none at the end. What a step throws ends the walk; those before it are in `some`.
  void take(std::vector<It>& some) {
    some.clear();
    if (std::exchange(over_, true)) return;
    while (at_ != last_ && some.size() < k_most) {
      some.push_back(at_);
      ++at_;
    }
    over_ = false;
  }

 private:
  // A bound: many times what a worker does between two looks, and not more than a cache holds. Half and twice are as fast.
  static constexpr std::size_t k_most = 1024;

  It at_;
  End last_;
  bool over_ = false;
};

/// The elements at hand run in parallel while the walk goes on beside them.
template <class It, class End, class F>
void for_each_walked(It first, End last, F& body) {
  if constexpr (k_elided) {
    for (; first != last; ++first) static_cast<void>(std::invoke(body, *first));
  } else if constexpr (std::random_access_iterator<It> && std::sized_sentinel_for<End, It>) {
    takt::parallel_for(first, first + (last - first), body);
  } else {
    loop_errors errors;
    walk<It, End> rest(std::move(first), std::move(last));
    std::vector<It> now;
    std::vector<It> next;
    const auto attempt = [&errors](auto&& what) {
      TAKT_TRY {
        what();
      } TAKT_CATCH_ALL {
        errors.keep();
      }
    };
    attempt([&] { rest.take(now); });
    while (!now.empty() && !(errors && detail::is_search_stopped())) {
      attempt([&] {
        takt::fork_join([&] { takt::parallel_for(now, [&body](It& at) { static_cast<void>(std::invoke(body, *at)); }); },
                        [&] { rest.take(next); });
      });
      std::swap(now, next);
      next.clear();
    }
    errors.rethrow();
  }
}

}  // namespace detail

/// Takes more items while parallel_for_each runs.
template <class T>
class feeder {
 public:
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;

  /// body(item, feeder) will be called, perhaps at once and before add() returns. From the body alone.
  void add(T item) {
    if constexpr (detail::k_elided) {
      added_.push_back(std::move(item));
    } else {
      added_.run([this, item = std::move(item)]() mutable { call_(body_, item, *this); });
    }
  }

 private:
  template <class F>
  explicit feeder(F& body)
      : body_(std::addressof(body)), call_([](void* f, T& item, feeder& self) {
          static_cast<void>(std::invoke(*static_cast<F*>(f), item, self));
        }) {}

  void finish() {
    if constexpr (detail::k_elided) {
      while (!added_.empty()) {
        T item = std::move(added_.back());
        added_.pop_back();
        call_(body_, item, *this);
      }
    } else {
      added_.wait();
    }
  }

  template <std::forward_iterator It, std::sentinel_for<It> End, class F>
    requires detail::takes_element<F, It>
  friend void parallel_for_each(It first, End last, F&& body);

  void* body_;
  void (*call_)(void*, T&, feeder&);
  std::conditional_t<detail::k_elided, std::vector<T>, task_group> added_;
};

/// Calls body(element) for every element of a range that need not have random access: a list, a map, a filtered view. Or
/// body(element, feeder), which may add items, of the type of the elements: body(item, feeder) is called for each, as an
/// lvalue.
///
/// One thread walks along the range, up to 1024 elements ahead of those that run. Items that are added are children of a
/// task group: the newest first, or on other workers.
/// @throws the exception of the first element that threw, after all have run; else that of one of the added items; what
/// a step of the walk throws comes behind the elements before it. std::bad_alloc
/// Cost: as parallel_for; without random access two iterators of memory for each of 1024 elements, and the span has the
/// whole walk. For each added item that of a child of a group.
template <std::forward_iterator It, std::sentinel_for<It> End, class F>
  requires detail::takes_element<F, It>
void parallel_for_each(It first, End last, F&& body) {
  using item = std::iter_value_t<It>;
  using reference = std::iter_reference_t<It>;
  if constexpr (detail::takes_feeder<F, item, reference>) {
    feeder<item> more(body);
    auto with_feeder = [&](reference element) { static_cast<void>(std::invoke(body, static_cast<reference>(element), more)); };
    detail::for_each_walked(std::move(first), std::move(last), with_feeder);
    more.finish();
  } else {
    detail::for_each_walked(std::move(first), std::move(last), body);
  }
}

template <std::ranges::forward_range Range, class F>
  requires detail::takes_element<F, std::ranges::iterator_t<Range>>
void parallel_for_each(Range&& range, F&& body) {
  takt::parallel_for_each(std::ranges::begin(range), std::ranges::end(range), static_cast<F&&>(body));
}

template <class... Arguments>
auto parallel_for_each(const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::parallel_for_each: takes a range that can be walked along more than once, or an iterator and its "
                "end, and a body that is called with an element, or with one and a takt::feeder of the elements' type");
  return detail::anything{};
}

}  // namespace TAKT_NAMESPACE
