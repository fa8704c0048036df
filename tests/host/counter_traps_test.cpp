// A sandbox in which to read the time-stamp counter is a segmentation fault. The C library's clock may read it, too, so
// that nothing of this program and of takt asks that one.
#include "child.hpp"

#include <sys/prctl.h>

namespace {

#if defined(__x86_64__)
long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

bool right_and_parallel() {
  if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0) host::skip("the counter cannot be forbidden here");
  if (fib(20) != 6765) return false;
  std::atomic<int> here{0};
  // No clock: a child that stays serial is ended by its parent.
  const auto meet = [&here] {
    here.fetch_add(1);
    while (here.load() < 2) sched_yield();
  };
  takt::fork_join(meet, meet);
  std::atomic<long> sum{0};
  takt::parallel_for(0, 10'000, [&sum](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
  return sum == 49'995'000;
}
#endif

}  // namespace

int main() {
#if defined(__x86_64__)
  host::promote_at_once();
  HOST_CHECK_GOOD(host::status_of_child(&right_and_parallel));
#else
  host::skip("no counter that could be forbidden");
#endif
}
