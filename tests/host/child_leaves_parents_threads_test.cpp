// The children of a process wake threads of their own, never those of their parent.
#include "child.hpp"
#include "threads_of_process.hpp"

#include <time.h>

int main() {
  if (!host::children_start_threads()) host::skip(host::k_no_threads_in_children);
  host::promote_at_once();
  const cpu_set_t all = host::several_cpus();
  HOST_CHECK(host::two_run_side_by_side());
  for (int i = 0; i < 10; ++i) {
    // After a long sleep a waker would keep the thread off its own CPU.
    const timespec t{0, 5'000'000};
    nanosleep(&t, nullptr);
    HOST_CHECK_GOOD(host::status_of_child([] { return host::two_run_side_by_side(); }));
    for (const pid_t tid : host::threads_of_process()) {
      const cpu_set_t now = host::cpus_of(tid);
      HOST_CHECK(CPU_EQUAL(&now, &all), "thread %d has %d CPUs", tid, CPU_COUNT(&now));
    }
  }
  HOST_CHECK(host::two_run_side_by_side());
}
