// The CPUs of the process become more and fewer while it runs (taskset -a, a cpuset). As many workers take part.
#include "threads_of_process.hpp"

#include <atomic>

namespace {

std::atomic<int> inside{0};
std::atomic<int> most{0};

// Tells how many run bodies at once: on one CPU, too, as each lets others in.
void count_bodies(int depth) {
  if (depth > 0) {
    takt::fork_join([depth] { count_bodies(depth - 1); }, [depth] { count_bodies(depth - 1); });
    return;
  }
  const int now = inside.fetch_add(1) + 1;
  int seen = most.load();
  while (now > seen && !most.compare_exchange_weak(seen, now)) {
  }
  sched_yield();
  inside.fetch_sub(1);
}

int bodies_at_once() {
  most.store(0);
  count_bodies(10);
  return most.load();
}

bool comes_to(unsigned workers) {
  return host::wait_until([workers] {
    takt::fork_join([] {}, [] {});
    return takt::current_config().workers == workers;
  });
}

}  // namespace

int main() {
  host::promote_at_once();
  unsetenv("TAKT_WORKERS");
  const cpu_set_t all = host::several_cpus();
  const cpu_set_t one = host::one_of(all);
  const auto count = static_cast<unsigned>(CPU_COUNT(&all));
  host::bind_all_threads(one);
  takt::fork_join([] {}, [] {});
  HOST_CHECK(takt::current_config().workers == 1);
  for (int round = 0; round < 2; ++round) {
    HOST_CHECK(bodies_at_once() == 1);
    host::bind_all_threads(all);
    HOST_CHECK(comes_to(count));
    HOST_CHECK(host::two_run_side_by_side());
    host::bind_all_threads(one);
    HOST_CHECK(comes_to(1));
  }
  // Within a single call, too, in which everybody is busy.
  host::bind_all_threads(one);
  HOST_CHECK(comes_to(1));
  takt::fork_join(
      [&] {
        host::bind_all_threads(all);
        HOST_CHECK(host::wait_until([] { return bodies_at_once() >= 2; }));
      },
      [] {});
  // What the user says goes.
  takt::config c = takt::current_config();
  c.workers = 2;
  takt::configure(c);
  host::bind_all_threads(one);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < end) takt::fork_join([] {}, [] {});
  HOST_CHECK(takt::current_config().workers == 2);
}
