// The example of docs/algorithms/sort.md.
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/random.hpp>
#include <takt/algorithms/sort.hpp>
#include <takt/algorithms/top_k.hpp>

#include <cstdio>

struct city {
  int people;
  std::size_t name;
};

int main() {
  const takt::random_stream random(1);
  auto cities = takt::tabulate(
      10000, [random](std::size_t k) { return city{static_cast<int>(random.below(k, 1000000)), k}; });
  const auto largest = takt::top_k(cities, 2, {}, &city::people);
  takt::stable_sort(cities, std::ranges::greater(), &city::people);
  std::printf("%d\n", largest[1].name == cities[1].name ? 1 : 0);
  std::printf("%d\n", takt::is_sorted(cities, std::ranges::greater(), &city::people) ? 1 : 0);
}
