// The example of docs/algorithms/find.md.
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/find.hpp>

#include <cstdio>

int main() {
  const auto x = takt::tabulate(1000000, [](std::size_t k) { return k * k; });
  std::printf("%td\n", takt::find_if(x, [](std::size_t v) { return v > 5000; }) - x.begin());
  std::printf("%d\n", takt::all_of(x, [](std::size_t v) { return v % 4 < 2; }) ? 1 : 0);
}
