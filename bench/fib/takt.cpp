#include "fib/config.hpp"

#include <takt/takt.hpp>

namespace takt::bench {
namespace {

TAKT_BENCH_RECURSIVE long fib(long n) {
  if (n < 2) {
    return n;
  }
  auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

const enrol<fib_problem> forks("takt", [](const fib_problem::input& in, long& out) {
  out = fib(in.n);
});

}  // namespace
}  // namespace takt::bench
