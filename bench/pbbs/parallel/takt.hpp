// How the problems run in parallel with takt: no grain size, no cut-off, no block. README.md has
// the list of what such a struct offers.
#pragma once

#include <cstddef>
#include <functional>
#include <ranges>
#include <string_view>
#include <utility>

#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/merge.hpp>
#include <takt/algorithms/radix_sort.hpp>
#include <takt/algorithms/scan.hpp>
#include <takt/algorithms/sort.hpp>
#include <takt/fork_join.hpp>
#include <takt/parallel_for.hpp>
#include <takt/parallel_reduce.hpp>

#include "harness/touching.hpp"
#include "pbbs/parallel/array.hpp"
#include "pbbs/parallel/enrol.hpp"

namespace takt::bench::pbbs {

struct takt_parallel {
#ifdef TAKT_ELISION
  static constexpr std::string_view k_system = "elision";
#else
  static constexpr std::string_view k_system = "takt";
#endif

  template <class F>
  static void root(const F& f) {
    f();
  }

  template <class F, class G>
  static void fork(F&& f, G&& g) {
    takt::fork_join(std::forward<F>(f), std::forward<G>(g));
  }
  template <class F, class G>
  static void fork(std::size_t /*size*/, F&& f, G&& g) {
    takt::fork_join(std::forward<F>(f), std::forward<G>(g));
  }

  template <class Body>
  static void loop(std::size_t begin, std::size_t end, Body&& body) {
    takt::parallel_for(begin, end, std::forward<Body>(body));
  }
  template <class Body>
  static void loop_each(std::size_t begin, std::size_t end, Body&& body) {
    takt::parallel_for(begin, end, std::forward<Body>(body));
  }

  template <class T, class Map, class Combine>
  static T reduce(std::size_t n, T identity, Map&& map, Combine&& combine) {
    return takt::parallel_reduce(std::size_t{0}, n, std::move(identity), std::forward<Map>(map),
                                 std::forward<Combine>(combine));
  }

  template <class In, class T>
  static T scan(const In* in, std::size_t n, T* out, T init) {
    if (n == 0) {
      return init;
    }
    const T last = static_cast<T>(in[n - 1]);
    takt::exclusive_scan(in, in + n, out, init, std::plus<>{}, touching{});
    return out[n - 1] + last;
  }

  template <class T, class Pred>
  static std::size_t filter(const T* in, std::size_t n, T* out, Pred&& pred) {
    T* const end = takt::copy_if(in, in + n, out, std::forward<Pred>(pred), touching{});
    return static_cast<std::size_t>(end - out);
  }
  template <class I, class Pred>
  static std::size_t filter_index(std::size_t n, I* out, Pred&& pred) {
    const auto all = std::views::iota(I{0}, static_cast<I>(n));
    return static_cast<std::size_t>(takt::copy_if(all, out, std::forward<Pred>(pred)) - out);
  }

  template <class T, class Less>
  static void merge(const T* a, std::size_t m, const T* b, std::size_t n, T* out, Less less) {
    takt::merge(a, a + m, b, b + n, out, less, touching{});
  }
  template <class T, class Less>
  static void sort(T* v, std::size_t n, Less less) {
    takt::sort(v, v + n, less, touching{});
  }
  template <class T, class Key>
  static void integer_sort(T* v, std::size_t n, Key key) {
    takt::radix_sort(v, v + n, [key](const T& x) { return key(touching{}(x)); });
  }
};

// What the problems call: each is compiled once for each system.
using parallel = takt_parallel;

}  // namespace takt::bench::pbbs
