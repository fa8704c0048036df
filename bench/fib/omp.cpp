#include "fib/config.hpp"
#include "harness/omp_support.hpp"

namespace takt::bench {
namespace {

long fib(long n) {
  if (n < 2) {
    return n;
  }
  long a = 0;
#pragma omp task shared(a) firstprivate(n)
  a = fib(n - 1);
  const long b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

const enrol<fib_problem> tasks("omp", [](const fib_problem::input& in, long& out) {
  omp_root([&] { out = fib(in.n); });
});

}  // namespace
}  // namespace takt::bench
