#include "fib/config.hpp"

namespace takt::bench {
namespace {

// noinline, see TAKT_BENCH_RECURSIVE.
[[gnu::noinline]] long fib(long n) {
  if (n < 2) {
    return n;
  }
  return fib(n - 1) + fib(n - 2);
}

const enrol<fib_problem> serial("serial", [](const fib_problem::input& in, long& out) {
  out = fib(in.n);
});

}  // namespace
}  // namespace takt::bench
