// Many threads call at once and use some megabytes of their stacks. While they idle afterwards, and once they have
// ended, what takt keeps of that is bounded: 64 MiB, and 128 KiB of each stack that it keeps.
#include "process.hpp"

#include <barrier>
#include <thread>
#include <vector>

namespace {

constexpr int k_threads = 100;
constexpr std::size_t k_used = std::size_t{4} << 20;
// 64 MiB, 100 stacks' 128 KiB, those of 4 P in the pool, and what else 100 threads are.
constexpr long k_bound_mb = 64 + 13 + 9 + 24;

}  // namespace

int main() {
  takt::fork_join([] {}, [] {});
  const long before = host::resident_and_writable_mb();
  long at_once = 0;
  long idle = 0;
  {
    std::barrier there(k_threads);
    std::barrier all(k_threads + 1);
    std::vector<std::jthread> threads;
    for (int i = 0; i < k_threads; ++i) {
      threads.emplace_back([&, i] {
        takt::fork_join(
            [&] {
              host::use_stack<k_used>();
              there.arrive_and_wait();
              if (i == 0) at_once = host::resident_and_writable_mb();
              there.arrive_and_wait();
            },
            [] {});
        all.arrive_and_wait();
        all.arrive_and_wait();
      });
    }
    all.arrive_and_wait();
    idle = host::resident_and_writable_mb();
    all.arrive_and_wait();
  }
  const long after = host::resident_and_writable_mb();
  HOST_CHECK(at_once - before > k_threads * 3, "%ld MB: the stacks were not used", at_once - before);
  HOST_CHECK(idle - before < k_bound_mb, "%ld MB while the threads idle", idle - before);
  HOST_CHECK(after - before < k_bound_mb, "%ld MB after the threads", after - before);
  // They are as good as new.
  HOST_CHECK(host::two_run_side_by_side());
}
