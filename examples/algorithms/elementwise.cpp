// The example of docs/algorithms/elementwise.md.
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/for_each.hpp>

#include <cstdio>

int main() {
  auto squares = takt::tabulate(1000, [](std::size_t k) { return k * k; });
  takt::transform(squares, squares.begin(), [](std::size_t x) { return x + 1; });
  takt::for_each(squares, [](std::size_t& x) { x *= 2; });
  std::printf("%zu %zu %zu\n", squares[0], squares[1], squares[999]);
}
