#include "proofs/benchmarks.hpp"

#include <cstdint>
#include <utility>

namespace takt_trace {

namespace {

using takt_bounds::kind;
using takt_bounds::node;

node leaf(std::uint64_t ticks) { return {kind::leaf, ticks, 0, {}}; }
node fork(node a, node b) { return {kind::fork, 0, 0, {std::move(a), std::move(b)}}; }
node sequence(node a, node b) { return {kind::sequence, 0, 0, {std::move(a), std::move(b)}}; }
node loop(std::uint64_t count, node body) { return {kind::loop, 0, count, {std::move(body)}}; }

// Halves until each is one.
node all_of(std::vector<node> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  const auto middle = parts.begin() + static_cast<std::ptrdiff_t>(parts.size() / 2);
  std::vector<node> first(std::make_move_iterator(parts.begin()), std::make_move_iterator(middle));
  std::vector<node> second(std::make_move_iterator(middle), std::make_move_iterator(parts.end()));
  node left = all_of(std::move(first));
  return fork(std::move(left), all_of(std::move(second)));
}

node fib(unsigned n) {
  if (n < 2) return leaf(20);
  node left = fib(n - 1);
  return sequence(fork(std::move(left), fib(n - 2)), leaf(5));
}

// A queen in each row; a branch for each column that no queen above attacks.
node queens(unsigned n, unsigned row, unsigned columns, unsigned left, unsigned right) {
  std::vector<node> free_columns;
  for (unsigned c = 0; row < n && c < n; ++c) {
    const unsigned bit = 1u << c;
    if (((columns | left | right) & bit) != 0) continue;
    free_columns.push_back(queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1));
  }
  if (free_columns.empty()) return leaf(30);
  return sequence(leaf(30), all_of(std::move(free_columns)));
}

// Both halves, then a merge that is a loop over blocks of 128.
node merge_sort(std::uint64_t n) {
  if (n <= 128) return leaf(n * 3);
  node left = merge_sort(n / 2);
  return sequence(fork(std::move(left), merge_sort(n - n / 2)), loop(n / 128, leaf(256)));
}

// Blocks of 16 points; what a point takes is how long it stays.
node mandelbrot(unsigned size) {
  std::vector<node> rows;
  for (unsigned y = 0; y < size; ++y) {
    std::vector<node> blocks;
    for (unsigned x = 0; x < size; x += 16) {
      std::uint64_t steps = 1;
      for (unsigned i = x; i < x + 16; ++i) {
        const double a = 3.0 * i / size - 2, b = 2.0 * y / size - 1;
        double re = 0, im = 0;
        for (unsigned k = 0; k < 30 && re * re + im * im < 4; ++k, ++steps) {
          const double next = re * re - im * im + a;
          im = 2 * re * im + b;
          re = next;
        }
      }
      blocks.push_back(leaf(steps));
    }
    rows.push_back(all_of(std::move(blocks)));
  }
  return all_of(std::move(rows));
}

node spmv(std::uint64_t rows, std::uint64_t entries) { return loop(rows, loop(entries, leaf(7))); }

}  // namespace

std::vector<benchmark> all_benchmarks() {
  return {{"fib", fib(13)},
          {"nqueens", queens(6, 0, 0, 0, 0)},
          {"mergesort", merge_sort(16384)},
          {"mandelbrot", mandelbrot(64)},
          {"spmv", spmv(100, 12)}};
}

}  // namespace takt_trace
