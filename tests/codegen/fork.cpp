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

// Captures of more than two registers. Half of all calls of a recursion are leaves: they are to pay for no fork.
double integrate(double left, double right, double at_left, double at_right, double area) {
  const double middle = (left + right) / 2;
  const double at_middle = (middle * middle + 1) * middle;
  const double area_left = (at_left + at_middle) * (middle - left) / 2;
  const double area_right = (at_middle + at_right) * (right - middle) / 2;
  if (__builtin_fabs(area_left + area_right - area) < 1e-9) return area_left + area_right;
  auto [a, b] = takt::fork_join([=] { return integrate(left, middle, at_left, at_middle, area_left); },
                                [=] { return integrate(middle, right, at_middle, at_right, area_right); });
  return a + b;
}

// The same where an integer is returned, and the last call becomes a loop.
long add_up(const long* from, const long* to, long factor, long offset) {
  if (to - from == 1) return *from * factor + offset;
  const long* const middle = from + (to - from) / 2;
  auto [a, b] = takt::fork_join([=] { return add_up(from, middle, factor, offset); },
                                [=] { return add_up(middle, to, factor, offset); });
  return a + b;
}
