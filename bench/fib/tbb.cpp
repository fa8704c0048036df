#include <tbb/task_group.h>

#include "fib/config.hpp"

namespace takt::bench {
namespace {

long fib(long n) {
  if (n < 2) {
    return n;
  }
  long a = 0;
  tbb::task_group group;
  group.run([&a, n] { a = fib(n - 1); });
  const long b = fib(n - 2);
  group.wait();
  return a + b;
}

const enrol<fib_problem> tasks("tbb", [](const fib_problem::input& in, long& out) {
  out = fib(in.n);
});

}  // namespace
}  // namespace takt::bench
