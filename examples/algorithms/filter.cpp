// The example of docs/algorithms/filter.md.
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/filter.hpp>

#include <cstdio>

int main() {
  auto x = takt::tabulate(1000, [](std::size_t k) { return k; });
  const auto thirds = takt::filter(x, [](std::size_t v) { return v % 3 == 0; });
  std::printf("%zu %zu\n", thirds.size(), thirds[100]);
  const auto odd = takt::stable_partition(x, [](std::size_t v) { return v % 2 == 0; });
  std::printf("%td %zu\n", odd - x.begin(), *odd);
}
