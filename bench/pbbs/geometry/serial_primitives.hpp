// The sequence primitives that the geometric algorithms are written with, as the standard
// library has them: for serial programs whose best algorithm is the parallel one, and for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

namespace takt::bench::pbbs {

struct serial_primitives {
  template <class F, class G>
  static void fork(std::size_t /*size*/, const F& f, const G& g) {
    f();
    g();
  }
  template <class Body>
  static void loop(std::size_t begin, std::size_t end, const Body& body) {
    for (std::size_t i = begin; i < end; ++i) {
      body(i);
    }
  }
  template <class T, class Map, class Combine>
  static T reduce(std::size_t n, T identity, const Map& map, const Combine& combine) {
    T sum = std::move(identity);
    for (std::size_t i = 0; i < n; ++i) {
      sum = combine(std::move(sum), map(i));
    }
    return sum;
  }
  template <class T, class Pred>
  static std::size_t filter(const T* in, std::size_t n, T* out, const Pred& pred) {
    return static_cast<std::size_t>(std::copy_if(in, in + n, out, pred) - out);
  }
  template <class I, class Pred>
  static std::size_t filter_index(std::size_t n, I* out, const Pred& pred) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (pred(static_cast<I>(i))) {
        out[count++] = static_cast<I>(i);
      }
    }
    return count;
  }
  template <class T, class Less>
  static void sort(T* v, std::size_t n, Less less) {
    std::sort(v, v + n, less);
  }
};

// Whether the version of Par that is tuned by hand stops making tasks here: a cut-off in a
// recursion, from which on it uses serial_primitives. takt has none.
template <class Par>
constexpr bool is_cut_off(std::size_t size) {
  if constexpr (requires { Par::k_cut_off; }) {
    return size <= Par::k_cut_off;
  } else {
    return false;
  }
}

}  // namespace takt::bench::pbbs
