// The program of the README: all the parallelism there is, and no grain size.
#include <cstdio>
#include <functional>
#include <takt/takt.hpp>

long fib(long n) {
  if (n < 2) return n;
  auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

int main() {
  std::printf("fib(30) = %ld\n", fib(30));

  // A sparse matrix by rows; the rows may be as uneven as they like.
  const int row_begin[] = {0, 2, 3, 6}, column[] = {0, 1, 1, 0, 1, 2};
  const double value[] = {2, 1, 3, 1, 1, 4}, x[] = {1, 2, 3};
  double y[3];
  takt::parallel_for(0, 3, [&](int i) {
    y[i] = takt::parallel_reduce(
        row_begin[i], row_begin[i + 1], 0.0, [&](int k) { return value[k] * x[column[k]]; }, std::plus<>{});
  });
  std::printf("A x = (%g, %g, %g)\n", y[0], y[1], y[2]);
}
