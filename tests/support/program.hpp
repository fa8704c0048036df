// Small programs that force every kind of promotion, for tests that need "some parallel work" and its answer.
#pragma once

#include <takt/takt.hpp>

#include <cstdint>

namespace takt_test {

inline long fib(long n) {
  if (n < 2) return n;
  auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

inline long serial_fib(long n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

/// Sum of i * j over 0 <= j < i < n, with both loop levels parallel.
inline std::int64_t triangle(std::int64_t n) {
  return takt::parallel_reduce(
      std::int64_t{0}, n, std::int64_t{0},
      [](std::int64_t i) {
        return takt::parallel_reduce(
            std::int64_t{0}, i, std::int64_t{0}, [i](std::int64_t j) { return i * j; },
            [](std::int64_t a, std::int64_t b) { return a + b; });
      },
      [](std::int64_t a, std::int64_t b) { return a + b; });
}

inline std::int64_t serial_triangle(std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) sum += i * j;
  }
  return sum;
}

}  // namespace takt_test
