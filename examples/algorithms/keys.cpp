// The example of docs/algorithms/keys.md.
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/group_by.hpp>
#include <takt/algorithms/histogram.hpp>
#include <takt/algorithms/unique.hpp>

#include <cstdio>

int main() {
  const auto x = takt::tabulate(1000, [](std::size_t k) { return k * k % 10; });
  const auto counts = takt::histogram(x, 10);
  std::printf("%zu %zu %zu\n", counts[0], counts[1], counts[2]);
  const auto sums = takt::reduce_by_key(x, x);
  std::printf("%zu keys, %zu times 9 is %zu\n", sums.size(), counts[9], sums.back().second);
  const auto once = takt::remove_duplicates(x);
  std::printf("%zu %zu %zu\n", once[1], once[2], once[3]);
}
