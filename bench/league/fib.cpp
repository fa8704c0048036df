// fib N [THREADS]: a fork at every call.
#include "entry.hpp"

namespace {

[[gnu::noinline]] std::size_t fib(std::size_t n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

std::size_t serial_fib(std::size_t n) {
  std::size_t a = 0, b = 1;
  for (; n > 0; --n) {
    const std::size_t before = a;
    a = b;
    b += before;
  }
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  league::use_threads(argc, argv, 2);
  const auto n = static_cast<std::size_t>(league::number(argc, argv, 1, 39));
  return league::measure("fib", "iteration_count", 1, [=] { return fib(n) == serial_fib(n); });
}
