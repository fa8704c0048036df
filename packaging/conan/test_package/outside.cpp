// A fork, a loop, and what takt counts: the package has a library that can be linked, and it runs.
#include <takt/takt.hpp>

#include <cstdio>
#include <functional>
#include <string>

namespace {

long fib(long n) {
  if (n < 2) {
    return n;
  }
  auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

}  // namespace

int main() {
  const long sum = takt::parallel_reduce(
      0, 1000, 0L, [](int i) { return static_cast<long>(i); }, std::plus<>{});
  const bool good =
      fib(20) == 6765 && sum == 499500 && takt::stats_json().find("workers") != std::string::npos;
  std::puts(good ? "outside: good" : "outside: wrong answer");
  return good ? 0 : 1;
}
