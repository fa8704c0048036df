// What takt's programs have in common, with hints and without: serial.hpp says what each function is.
#pragma once

#include <cstddef>

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench::par::inline over_takt_common {

struct affinity {};

inline void touch(const void* first, std::size_t bytes) { takt::touch(first, bytes); }

template <class F>
void root(const F& f) {
  f();
}

// `hints`: takt::hints, or nothing.
template <class T, class Add, class Merge, class... Hints>
T sum_with(std::size_t count, const Add& add, const Merge& merge, Hints... hints) {
  return takt::parallel_reduce(
      std::size_t{0}, count, T{},
      [&add](std::size_t i) {
        T one{};
        add(one, i);
        return one;
      },
      [&merge](T a, const T& b) {
        merge(a, b);
        return a;
      },
      hints...);
}

}  // namespace takt::bench::par::inline over_takt_common
