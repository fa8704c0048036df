// Forks inside handlers of exceptions: each worker, simulated or not, has its own exception that it is handling.
#include <takt/takt.hpp>

#include <cstdio>

namespace {

long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

bool is_still_handled(long n) {
  try {
    throw n;
  } catch (long) {
    if (fib(12) != 144) return false;
    try {
      throw;
    } catch (long again) {
      return again == n;
    }
  }
}

bool all(long begin, long end) {
  if (end - begin == 1) return is_still_handled(begin);
  const long middle = begin + (end - begin) / 2;
  const auto [a, b] = takt::fork_join([=] { return all(begin, middle); }, [=] { return all(middle, end); });
  return a && b;
}

}  // namespace

int main() {
  const bool good = all(0, 300);
  std::puts(good ? "good" : "wrong answer");
  return good ? 0 : 1;
}
