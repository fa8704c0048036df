// The programs of bench/baggage without any runtime.
#pragma once

#include <utility>

#define TAKT_BAGGAGE_RECURSIVE [[gnu::noinline]]

namespace takt::bench::par::inline over_serial {

inline constexpr const char* k_system = "serial";

// What runs the whole.
template <class F>
void root(const F& f) {
  f();
}

// Two branches without results.
template <class F, class G>
void both(const F& f, const G& g) {
  f();
  g();
}

// f() + g().
template <class F, class G>
auto sum(const F& f, const G& g) {
  const auto a = f();
  return a + g();
}

}  // namespace takt::bench::par::inline over_serial
