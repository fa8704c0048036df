// Uses a bit of everything that the library compiles: forks, loops, an exception, statistics.
#include <takt/takt.hpp>

#include <cstdio>
#include <functional>
#include <stdexcept>

namespace {

long fib(long n) {
  if (n < 2) {
    return n;
  }
  auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

bool exception_arrives() {
  try {
    takt::parallel_for(0, 100, [](int i) {
      if (i == 42) {
        throw std::runtime_error("outside");
      }
    });
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  const long sum = takt::parallel_reduce(
      0, 1000, 0L, [](int i) { return static_cast<long>(i); }, std::plus<>{});
  const bool good = fib(20) == 6765 && sum == 499500 && exception_arrives() &&
                    takt::stats_json().find("workers") != std::string::npos;
  std::puts(good ? "outside: good" : "outside: wrong answer");
  return good ? 0 : 1;
}
