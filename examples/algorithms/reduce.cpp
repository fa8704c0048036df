// The example of docs/algorithms/reduce.md.
#include <takt/algorithms/extremum.hpp>
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/reduce.hpp>

#include <cstdio>

int main() {
  const auto x = takt::tabulate(100000, [](std::size_t k) { return 1.0 / static_cast<double>(k + 1); });
  const double once = takt::reduce(takt::deterministic, x, 0.0);
  const double again = takt::reduce(takt::deterministic, x, 0.0);
  std::printf("%.6f %s\n", once, once == again ? "equal" : "different");
  std::printf("%.6f\n", takt::transform_reduce(x, x, 0.0));
  std::printf("%td\n", takt::min_element(x) - x.begin());
}
