// A filter of system calls that refuses sched_setaffinity, with an error or by killing the process, from the start or
// installed while the pool sleeps, or after a thread was bound.
#include "child.hpp"
#include "filter.hpp"

#include "threads_of_process.hpp"

#include <time.h>

#include <cerrno>
#include <thread>

namespace {

bool install_filter(unsigned answer, unsigned flags) {
  return host::filter_system_call(SYS_sched_setaffinity, answer, flags);
}

// Long enough for a wake-up to be one from a long sleep. Nothing is waited for.
void let_the_pool_sleep() {
  const timespec t{0, 20'000'000};
  nanosleep(&t, nullptr);
}

bool filtered_from_the_start(unsigned answer) {
  if (!install_filter(answer, 0)) _exit(host::k_skip);
  for (int i = 0; i < 5; ++i) {
    if (!host::two_run_side_by_side()) return false;
    let_the_pool_sleep();
  }
  return true;
}

bool filtered_later(unsigned answer, unsigned flags) {
  if (!host::two_run_side_by_side()) return false;
  let_the_pool_sleep();
  if (!install_filter(answer, flags)) _exit(host::k_skip);
  for (int i = 0; i < 5; ++i) {
    if (!host::two_run_side_by_side()) return false;
    let_the_pool_sleep();
  }
  return true;
}

// What the pool's threads inherit is not the process's, and stays so.
bool filtered_once_bound(unsigned answer) {
  const cpu_set_t one = host::one_of(host::cpus_of(0));
  bool met = false;
  std::thread([&] {
    host::bind_this_thread(one);
    if (!install_filter(answer, 0)) _exit(host::k_skip);
    met = host::two_run_side_by_side();
  }).join();
  return met;
}

}  // namespace

int main() {
  host::promote_at_once();
  for (const unsigned answer : {unsigned{SECCOMP_RET_ERRNO | EPERM}, unsigned{SECCOMP_RET_KILL_PROCESS}}) {
    const int status = host::status_of_child([&] { return filtered_from_the_start(answer); });
    if (WIFEXITED(status) && WEXITSTATUS(status) == host::k_skip) host::skip("no filters of system calls here");
    HOST_CHECK_GOOD(status);
    HOST_CHECK_GOOD(host::status_of_child([&] { return filtered_later(answer, 0); }));
    HOST_CHECK_GOOD(host::status_of_child([&] { return filtered_later(answer, SECCOMP_FILTER_FLAG_TSYNC); }));
    HOST_CHECK_GOOD(host::status_of_child([&] { return filtered_once_bound(answer); }));
  }
}
