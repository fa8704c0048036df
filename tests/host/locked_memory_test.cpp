// A process that locks all its memory, as real-time programs do. Stacks are locked as they are touched: a call makes
// resident what it uses and no more. With a limit on locked memory the answers are right as well.
#include "process.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <thread>
#include <vector>

namespace {

void call() {
  const auto [a, b] = takt::fork_join([] { return 1; }, [] { return 2; });
  HOST_CHECK(a == 1 && b == 2);
}

// Old kernels cannot, and qemu-user 7.2 has no mlock2.
bool can_lock_on_touch() {
#if defined(SYS_mlock2)
  constexpr int k_on_fault = 1;  // MLOCK_ONFAULT, which older headers lack
  return syscall(SYS_mlock2, nullptr, std::size_t{0}, k_on_fault) == 0;
#else
  return false;
#endif
}

void stacks_are_locked_as_they_are_touched() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) host::skip("memory cannot be locked here");
  long before = host::used_memory().resident_mb;
  call();
  long after = host::used_memory().resident_mb;
  // A worker thread that was started has a stack of its own, 8 MB by default.
  HOST_CHECK(after - before < 16, "%ld MB for the first call", after - before);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    std::thread([] {
      const long mine = host::used_memory().resident_mb;
      call();
      const long then = host::used_memory().resident_mb;
      HOST_CHECK(then - mine < 4, "%ld MB for a thread's call", then - mine);
      host::use_stack<(1 << 20)>();
    }).join();
  }
  // What is too much of locked memory is unmapped; stacks are as good as before.
  HOST_CHECK(host::two_run_side_by_side());
}

void answers_are_right_within_a_limit() {
  // As nobody: root may lock what it likes.
  if (setgid(65534) != 0 || setuid(65534) != 0) return;
  const rlimit limit{4 << 20, 4 << 20};
  HOST_CHECK(setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
  if (mlockall(MCL_FUTURE) != 0) return;
  call();
  std::atomic<long> sum{0};
  takt::parallel_for(0, 10000, [&sum](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
  HOST_CHECK(sum == 49995000);
}

}  // namespace

int main() {
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) {
    answers_are_right_within_a_limit();
    std::_Exit(0);
  }
  int status = 0;
  HOST_CHECK(waitpid(child, &status, 0) == child);
  HOST_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "with a limit: status %x", static_cast<unsigned>(status));
  if (!can_lock_on_touch()) host::skip("stacks: memory cannot be locked as it is touched here (no mlock2)");
  stacks_are_locked_as_they_are_touched();
}
