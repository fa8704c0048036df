// std::execution::par of libstdc++ on takt, without oneTBB: include this before <execution>, or compile with -include.
//
// It stands in the place of libstdc++'s <pstl/parallel_backend.h>, whose functions have the names below.
#pragma once

#include "halve.hpp"

#include <takt/algorithms/sort.hpp>
#include <takt/takt.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#ifndef __GLIBCXX__
#error "doors/pstl.hpp is for libstdc++"
#endif
#ifdef _PSTL_PARALLEL_BACKEND_H
#error "doors/pstl.hpp comes before <execution>"
#endif
#define _PSTL_PARALLEL_BACKEND_H

namespace takt::doors {

/// What is to be merged of two sequences, and where to.
template <class It1, class It2, class Out, class Compare>
struct merge_of {
  It1 first1, last1;
  It2 first2, last2;
  Out out;
  Compare& compare;
  bool is_divisible() const { return (last1 - first1) + (last2 - first2) > 1; }
  merge_of cut_off() {
    It1 middle1 = first1 + (last1 - first1) / 2;
    It2 middle2 = first2 + (last2 - first2) / 2;
    if (last1 - first1 >= last2 - first2) {
      middle2 = std::lower_bound(first2, last2, *middle1, compare);
    } else {
      middle1 = std::upper_bound(first1, last1, *middle2, compare);
    }
    const Out middle = out + (middle1 - first1) + (middle2 - first2);
    return {middle1, std::exchange(last1, middle1), middle2, std::exchange(last2, middle2), middle, compare};
  }
};

/// Calls f(part) for parts that make up `whole`.
template <class Part, class F>
void for_parts(Part& whole, cuts allowed, const F& f) {
  const bool is_cut = doors::halve(
      whole, allowed, [&] { return whole.cut_off(); },
      [&](Part& lower, cuts left) { doors::for_parts(lower, left, f); },
      [&](Part& upper, cuts left, bool) { doors::for_parts(upper, left, f); });
  if (!is_cut) f(whole);
}

/// Of a sequence: fold(begin, end, value so far) for its parts in order. What another worker has begins with start(at),
/// which may move `at` on.
template <class I, class T, class Fold, class Start, class Combine>
class folded {
 public:
  folded(I first, T value, const Fold& fold, const Start& start, const Combine& combine)
      : first_(first), value_(std::move(value)), fold_(fold), start_(start), combine_(combine) {}
  folded(folded& other, takt::split)
      : first_(other.first_), fold_(other.fold_), start_(other.start_), combine_(other.combine_) {}

  void operator()(std::ptrdiff_t begin, std::ptrdiff_t end) {
    I at = first_ + begin;
    if (!value_) value_.emplace(start_(at));
    value_ = fold_(at, first_ + end, std::move(*value_));
  }
  void join(folded& right) {
    if (right.value_) value_ = combine_(std::move(*value_), std::move(*right.value_));
  }
  T&& result() { return std::move(*value_); }

 private:
  I first_;
  std::optional<T> value_;
  const Fold& fold_;
  const Start& start_;
  const Combine& combine_;
};

template <class I, class T, class Fold, class Start, class Combine>
T fold(I first, I last, T value, const Fold& fold, const Start& start, const Combine& combine) {
  folded<I, T, Fold, Start, Combine> all(first, std::move(value), fold, start, combine);
  takt::parallel_reduce(std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(last - first), all);
  return all.result();
}

/// Two passes: sum(first, last) of all tiles, and scan(first, last, what comes before) of all when total() has been told.
template <class I, class T, class Sum, class Combine, class Total, class Scan>
void scan_tiles(I count, T before, const Sum& sum, const Combine& combine, const Total& total, const Scan& scan) {
  const I most = static_cast<I>(usual_cuts().parts);
  const I tile = (count + most - 1) / most;
  const I tiles = tile == 0 ? 0 : (count + tile - 1) / tile;
  const auto end_of = [&](I t) { return std::min(count, (t + 1) * tile); };
  std::vector<std::optional<T>> all(static_cast<std::size_t>(tiles));
  takt::parallel_for(I{0}, tiles, [&](I t) { all[static_cast<std::size_t>(t)].emplace(sum(t * tile, end_of(t))); });
  for (std::optional<T>& one : all) {
    T next = combine(before, *one);
    one.emplace(std::exchange(before, std::move(next)));
  }
  total(before);
  takt::parallel_for(I{0}, tiles,
                     [&](I t) { scan(t * tile, end_of(t), std::move(*all[static_cast<std::size_t>(t)])); });
}

}  // namespace takt::doors

namespace __pstl {
namespace __par_backend {

template <class T>
class __buffer {
 public:
  explicit __buffer(std::size_t n) : count_(n), memory_(std::allocator<T>().allocate(n)) {}
  ~__buffer() { std::allocator<T>().deallocate(memory_, count_); }
  __buffer(const __buffer&) = delete;
  __buffer& operator=(const __buffer&) = delete;
  operator bool() const { return memory_ != nullptr; }
  T* get() const { return memory_; }

 private:
  const std::size_t count_;
  T* const memory_;
};

/// Those who may stop look at a flag of their own.
inline void __cancel_execution() {}

template <class Policy, class I, class F>
void __parallel_for(Policy&&, I first, I last, F f) {
  takt::parallel_for(std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(last - first),
                     [&](std::ptrdiff_t begin, std::ptrdiff_t end) { f(first + begin, first + end); });
}

template <class Policy, class T, class I, class Body, class Combine>
T __parallel_reduce(Policy&&, I first, I last, const T& identity, const Body& body, const Combine& combine) {
  return takt::doors::fold(first, last, identity, body, [&](I&) { return identity; }, combine);
}

template <class Policy, class I, class U, class T, class Combine, class Reduce>
T __parallel_transform_reduce(Policy&&, I first, I last, U u, T init, Combine combine, Reduce reduce) {
  return takt::doors::fold(
      first, last, std::move(init), reduce, [&](I& at) { return T(u(at++)); }, combine);
}

template <class Policy, class I, class T, class Reduce, class Combine, class Scan, class Apex>
void __parallel_strict_scan(Policy&&, I count, T initial, Reduce reduce, Combine combine, Scan scan, Apex apex) {
  takt::doors::scan_tiles(
      count, initial, [&](I first, I last) { return reduce(first, last - first); }, combine, apex,
      [&](I first, I last, T before) { scan(first, last - first, before); });
}

template <class Policy, class I, class U, class T, class Combine, class Reduce, class Scan>
T __parallel_transform_scan(Policy&&, I count, U u, T init, Combine combine, Reduce reduce, Scan scan) {
  T all = init;
  takt::doors::scan_tiles(
      count, init, [&](I first, I last) { return reduce(first + 1, last, T(u(first))); }, combine,
      [&](const T& total) { all = total; },
      [&](I first, I last, T before) { static_cast<void>(scan(first, last, before)); });
  return all;
}

template <class Policy, class It, class Compare, class LeafSort>
void __parallel_stable_sort(Policy&&, It first, It last, Compare compare, [[maybe_unused]] LeafSort sort,
                            std::size_t = 0) {
  // What is an iterator of C++17 only is sorted by one thread.
  if constexpr (std::random_access_iterator<It>) {
    takt::stable_sort(first, last, compare);
  } else {
    sort(first, last, compare);
  }
}

template <class Policy, class It1, class It2, class Out, class Compare, class LeafMerge>
void __parallel_merge(Policy&&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare,
                      LeafMerge merge) {
  takt::doors::merge_of<It1, It2, Out, Compare> all{first1, last1, first2, last2, out, compare};
  takt::doors::for_parts(all, takt::doors::usual_cuts(), [&](auto& part) {
    merge(part.first1, part.last1, part.first2, part.last2, part.out, compare);
  });
}

template <class Policy, class F, class G>
void __parallel_invoke(Policy&&, F&& f, G&& g) {
  takt::parallel_invoke(std::forward<F>(f), std::forward<G>(g));
}

}  // namespace __par_backend
}  // namespace __pstl
