// The first promotion happens on a real-time thread, or on one that is to stay in the background. takt's threads work
// for everybody: they have the class and the niceness of the process's first thread.
#include "child.hpp"
#include "filter.hpp"
#include "threads_of_process.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <thread>
#include <vector>

namespace {

// The class is taken before the thread does anything. `others`: the threads that are not takt's.
bool pool_is(int policy, int priority, int niceness, const std::vector<pid_t>& others) {
  const auto pool = host::others(host::threads_of_process(), others);
  if (pool.empty()) return false;
  for (const pid_t tid : pool) {
    sched_param parameters{};
    HOST_CHECK(sched_getparam(tid, &parameters) == 0);
    const int now = sched_getscheduler(tid);
    const int nice_now = getpriority(PRIO_PROCESS, static_cast<id_t>(tid));
    HOST_CHECK(now == policy && parameters.sched_priority == priority && nice_now == niceness,
               "policy %d, priority %d, nice %d", now, parameters.sched_priority, nice_now);
  }
  return true;
}

template <class Become>
bool from_thread_that(Become become, int policy, int priority, int niceness) {
  bool good = false;
  std::thread([&] {
    if (!become()) _exit(host::k_skip);
    // An emulator has a thread of its own.
    const std::vector<pid_t> before = host::threads_of_process();
    good = host::two_run_side_by_side() && pool_is(policy, priority, niceness, before);
  }).join();
  return good;
}

bool real_time(int priority) {
  const sched_param parameters{priority};
  return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
}

template <class Body>
void expect(Body body) {
  const int status = host::status_of_child(body);
  if (WIFEXITED(status) && WEXITSTATUS(status) == host::k_skip) host::skip("no real-time threads for this user");
  HOST_CHECK_GOOD(status);
}

}  // namespace

int main() {
  host::skip_under_thread_sanitizer();
  host::promote_at_once();
  // What this process has, others than real-time ones too, its workers have.
  const int usual = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  sched_param parameters{};
  sched_getparam(0, &parameters);
  const int priority = parameters.sched_priority;
  const int niceness = getpriority(PRIO_PROCESS, 0);
  expect([=] { return from_thread_that([] { return real_time(10); }, usual, priority, niceness); });
  expect(
      [=] { return from_thread_that([] { return setpriority(PRIO_PROCESS, 0, 7) == 0; }, usual, priority, niceness); });
  expect([=] {
    return from_thread_that([] { return setpriority(PRIO_PROCESS, 0, -3) == 0; }, usual, priority, niceness);
  });
  // A process that is real-time as a whole has real-time workers.
  expect([=] { return real_time(2) && from_thread_that([] { return real_time(10); }, SCHED_FIFO, 2, niceness); });
  // A filter that has come since kills who sets a niceness: the workers keep the one they have inherited.
  const int status = host::status_of_child([=] {
    const auto become = [] {
      return setpriority(PRIO_PROCESS, 0, 7) == 0 &&
             host::filter_system_call(SYS_setpriority, SECCOMP_RET_KILL_PROCESS);
    };
    return from_thread_that(become, usual, priority, 7);
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == host::k_skip)
    host::say("left out: no filters of system calls here");
  else
    HOST_CHECK_GOOD(status);
}
