// oneTBB: a task group for each two branches.
#pragma once

#include <tbb/task_group.h>

#define TAKT_BAGGAGE_RECURSIVE

namespace takt::bench::par::inline over_tbb {

inline constexpr const char* k_system = "tbb";

template <class F>
void root(const F& f) {
  f();
}

template <class F, class G>
void both(const F& f, const G& g) {
  tbb::task_group group;
  group.run(g);
  f();
  group.wait();
}

template <class F, class G>
auto sum(const F& f, const G& g) {
  decltype(g()) b{};
  tbb::task_group group;
  group.run([&b, g] { b = g(); });
  const auto a = f();
  group.wait();
  return a + b;
}

}  // namespace takt::bench::par::inline over_tbb
