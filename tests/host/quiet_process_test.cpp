// A process that does nothing out of the way: what the other programs of this suite start from.
#include "host.hpp"

#include <atomic>

int main() {
  std::atomic<long> sum{0};
  takt::parallel_for(0, 1000, [&](int i) { sum += i; });
  HOST_CHECK(sum == 499500);
  HOST_CHECK(host::two_run_side_by_side());
}
