// The first call comes from a thread that is bound to one CPU. That is this thread's affair: the process has all its
// CPUs, and so have takt's threads. A process that is bound as a whole keeps to its binding.
#include "child.hpp"
#include "threads_of_process.hpp"

#include <thread>

namespace {

bool pool_has(const cpu_set_t& cpus, const std::vector<pid_t>& without_pool) {
  const auto pool = host::others(host::threads_of_process(), without_pool);
  if (pool.empty()) return false;
  // For a moment a thread that wakes is kept off its waker's CPU.
  return host::wait_until([&] {
    for (const pid_t tid : pool) {
      const cpu_set_t now = host::cpus_of(tid);
      if (!CPU_EQUAL(&now, &cpus)) return false;
    }
    return true;
  });
}

bool bound_thread_calls_first() {
  const cpu_set_t all = host::cpus_of(0);
  const cpu_set_t one = host::one_of(all);
  std::thread([&] {
    host::bind_this_thread(one);
    takt::fork_join([] {}, [] {});
  }).join();
  return takt::current_config().workers == static_cast<unsigned>(CPU_COUNT(&all)) && host::two_run_side_by_side();
}

bool bound_thread_starts_the_pool() {
  const cpu_set_t all = host::cpus_of(0);
  const cpu_set_t one = host::one_of(all);
  std::atomic<bool> met{false};
  std::atomic<bool> end{false};
  std::thread bound([&] {
    host::bind_this_thread(one);
    // Both share its CPU until the other one is elsewhere.
    met.store(host::two_run_side_by_side());
    met.notify_all();
    end.wait(false);
  });
  met.wait(false);
  std::vector<pid_t> ours{getpid()};
  for (const pid_t tid : host::threads_of_process()) {
    const cpu_set_t now = host::cpus_of(tid);
    if (tid != getpid() && CPU_EQUAL(&now, &one)) ours.push_back(tid);
  }
  const bool good = ours.size() == 2 && pool_has(all, ours);
  end.store(true);
  end.notify_all();
  bound.join();
  return good;
}

bool process_is_bound() {
  const cpu_set_t one = host::one_of(host::cpus_of(0));
  host::bind_all_threads(one);
  takt::fork_join([] {}, [] {});
  return takt::current_config().workers == 1;
}

}  // namespace

int main() {
  host::promote_at_once();
  host::several_cpus();
  HOST_CHECK_GOOD(host::status_of_child(&bound_thread_starts_the_pool));
  unsetenv("TAKT_WORKERS");
  HOST_CHECK_GOOD(host::status_of_child(&process_is_bound));
  HOST_CHECK_GOOD(host::status_of_child(&bound_thread_calls_first));
}
