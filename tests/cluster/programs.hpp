// What the programs of this folder run on all nodes, and the serial answers.
#pragma once

#include "uts.hpp"

#include <takt/cluster.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace cluster_test {

/// Ends this node, and mpirun the others.
inline void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::_Exit(1);
}

inline long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::cluster::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}
inline long serial_fib(int n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

inline long count_nodes(uts::tree t, uts::node n) {
  return 1 + takt::cluster::parallel_reduce(
                 0, uts::children(t, n), 0L, [t, n](int i) { return count_nodes(t, uts::child(n, i)); },
                 [](long a, long b) { return a + b; });
}

/// Order matters: a product of matrices over residues.
struct matrix {
  std::uint64_t a, b, c, d;
  friend bool operator==(const matrix&, const matrix&) = default;
};
inline matrix product(matrix x, matrix y) {
  constexpr std::uint64_t m = 1'000'003;
  return {(x.a * y.a + x.b * y.c) % m, (x.a * y.b + x.b * y.d) % m, (x.c * y.a + x.d * y.c) % m,
          (x.c * y.b + x.d * y.d) % m};
}
inline matrix factor(std::uint64_t i) { return {i % 97 + 1, i % 31, i % 7, i % 101 + 2}; }
inline constexpr matrix k_one{1, 0, 0, 1};
inline matrix serial_product(std::uint64_t n) {
  matrix all = k_one;
  for (std::uint64_t i = 0; i < n; ++i) all = product(all, factor(i));
  return all;
}
inline matrix ordered_product(std::uint64_t n) {
  return takt::cluster::parallel_reduce(std::uint64_t{0}, n, k_one, [](std::uint64_t i) { return factor(i); },
                                        [](matrix x, matrix y) { return product(x, y); });
}

}  // namespace cluster_test
