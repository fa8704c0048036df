// A filter of system calls that refuses sched_setaffinity, with an error or by killing the process, from the start or
// installed while the pool sleeps.
#include "child.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include <cerrno>
#include <cstddef>

namespace {

bool install_filter(unsigned answer, unsigned flags) {
  sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, answer), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
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

}  // namespace

int main() {
  host::promote_at_once();
  for (const unsigned answer : {unsigned{SECCOMP_RET_ERRNO | EPERM}, unsigned{SECCOMP_RET_KILL_PROCESS}}) {
    const int status = host::status_of_child([&] { return filtered_from_the_start(answer); });
    if (WIFEXITED(status) && WEXITSTATUS(status) == host::k_skip) host::skip("no filters here");
    HOST_CHECK_GOOD(status);
    HOST_CHECK_GOOD(host::status_of_child([&] { return filtered_later(answer, 0); }));
    HOST_CHECK_GOOD(host::status_of_child([&] { return filtered_later(answer, SECCOMP_FILTER_FLAG_TSYNC); }));
  }
}
