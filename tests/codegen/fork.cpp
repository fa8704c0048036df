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

// A result that does not fit into the slot has room in the frame, which nobody fills with zeros first.
struct large_result {
  char bytes[4096];
};
large_result make_large(long n);

long fork_large(long n) {
  const auto [a, b] = takt::fork_join([=] { return fib(n); }, [=] { return make_large(n); });
  return a + b.bytes[0];
}
