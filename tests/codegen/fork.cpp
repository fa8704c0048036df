// What the compiler makes of a fork is looked at by check_fork: see there.
#include <takt/takt.hpp>

#if defined(__clang__)
long fib(long n);
#else
// GCC would unroll the recursion.
[[gnu::noinline]] long fib(long n);
#endif

long fib(long n) {
  if (n < 2) return n;
  auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}
