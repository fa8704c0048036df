// The smallest program for several machines; docs/cluster.md quotes it.
#include <takt/cluster.hpp>

#include <cstdio>

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = takt::cluster::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

int main() {
  takt::cluster::session nodes;
  if (nodes.rank() != 0) return 0;  // works for node 0 until that ends
  std::printf("%ld\n", fib(30));
}
