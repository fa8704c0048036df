// The serial program's answers, on however many nodes, with branches that travel as often as can be.
#include "programs.hpp"

#include <takt/stay.hpp>

#include <chrono>

namespace {

using cluster_test::check;

// A loop within forks within loops, some of them of one node.
long nested(int n) {
  const auto inner = [n](int i) {
    const auto [a, b] = takt::cluster::fork_join(
        [i] { return cluster_test::fib(10 + i % 3); },
        [i, n] {
          return takt::parallel_reduce(
              0, n + i, 0L, [](int k) { return long{k}; }, [](long x, long y) { return x + y; });
        });
    return a + b;
  };
  return takt::parallel_reduce(
      0, 4,  0L,
      [n, inner](int) { return takt::cluster::parallel_reduce(0, n, 0L, inner, [](long x, long y) { return x + y; }); },
      [](long x, long y) { return x + y; });
}
long serial_nested(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += cluster_test::serial_fib(10 + i % 3) + long{n + i} * (n + i - 1) / 2;
  return 4 * sum;
}

// The first in serial order is reported, wherever it was thrown.
void throws_from(int n, int first) {
  try {
    takt::cluster::parallel_for(0, n, [first](int i) {
      cluster_test::serial_fib(12);
      if (i >= first) throw std::out_of_range("at " + std::to_string(i));
    });
    check(first >= n, "nothing was thrown");
  } catch (const std::out_of_range& e) {
    check(e.what() == "at " + std::to_string(first), e.what());
  }
}

void all() {
  check(cluster_test::fib(24) == cluster_test::serial_fib(24), "fib");
  const uts::tree t{4, 7};
  check(cluster_test::count_nodes(t, uts::root(19)) == uts::count(t, uts::root(19)), "uts");
  check(cluster_test::ordered_product(100'000) == cluster_test::serial_product(100'000), "ordered product");
  check(cluster_test::ordered_product(0) == cluster_test::k_one, "nothing to reduce");
  check(nested(40) == serial_nested(40), "nested");
  throws_from(1000, 300);
  throws_from(1000, 1000);
  {
    const takt::stay here;
    check(cluster_test::fib(18) == cluster_test::serial_fib(18), "fib on its thread");
  }
}

}  // namespace

int main(int argc, char** argv) {
  // The known sizes of the benchmark's trees are those of its serial program.
  check(uts::sha1(reinterpret_cast<const std::uint8_t*>("abc"), 3)[0] == 0xa9, "SHA-1");
  const long times = argc > 1 ? std::atol(argv[1]) : 1;
  takt::cluster::session nodes(std::chrono::microseconds(50));
  if (nodes.rank() != 0) return 0;
  for (long i = 0; i < times; ++i) all();
  std::printf("%u nodes: right\n", nodes.size());
}
