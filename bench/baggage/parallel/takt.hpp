// takt: a fork wherever there are two branches.
#pragma once

#include <takt/takt.hpp>

#include "harness/problem.hpp"

#define TAKT_BAGGAGE_RECURSIVE TAKT_BENCH_RECURSIVE

namespace takt::bench::par::inline over_takt {

inline constexpr const char* k_system = "takt";

template <class F>
void root(const F& f) {
  f();
}

template <class F, class G>
void both(F f, G g) {
  takt::fork_join(std::move(f), std::move(g));
}

template <class F, class G>
auto sum(F f, G g) {
  const auto [a, b] = takt::fork_join(std::move(f), std::move(g));
  return a + b;
}

}  // namespace takt::bench::par::inline over_takt
