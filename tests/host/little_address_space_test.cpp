// A process with a limit on its address space (ulimit -v, some batch systems): what a few stacks of the usual size need
// is enough to be parallel, and with less it is serial, with the right answers. takt takes half of what is left at
// most: the rest is the program's. A filter that refuses to tell the stack limit changes nothing.
#include <takt/lab.hpp>

#include "child.hpp"
#include "filter.hpp"
#include "process.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace {

void limit_to(long spare_mb) {
  const rlim_t bytes = static_cast<rlim_t>(host::used_memory().mapped_mb + spare_mb) << 20;
  const rlimit limit{bytes, bytes};
  HOST_CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

void check_answers() {
  std::atomic<long> sum{0};
  takt::parallel_for(0, 10000, [&sum](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
  HOST_CHECK(sum == 49995000);
  std::atomic<int> ran{0};
  takt::task_group group;
  for (int i = 0; i < 3000; ++i) group.run([&ran] { ran.fetch_add(1); });
  group.wait();
  HOST_CHECK(ran == 3000);
}

// The most that has ever been mapped, in kilobytes.
long peak_kb() {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  HOST_CHECK(file != nullptr);
  char line[256];
  long kb = 0;
  while (std::fgets(line, sizeof line, file) != nullptr && std::sscanf(line, "VmPeak: %ld", &kb) != 1) {
  }
  std::fclose(file);
  return kb;
}

// Whatever there is to be had of stacks and threads is wanted: each left branch waits for one that others begin.
long want_stacks(int depth) {
  if (depth == 0) return 1;
  const auto [left, right] =
      takt::fork_join([depth] { return want_stacks(depth - 1); }, [depth] { return want_stacks(depth - 1); });
  return left + right;
}

void check_half(long spare_mb) {
  // What malloc reserves for each thread of a program is not takt's.
  HOST_CHECK(mallopt(M_ARENA_MAX, 1) == 1);
  takt::config c = takt::current_config();
  c.workers = 8;
  c.trigger = takt::lab::eager;
  limit_to(spare_mb);
  const long before = peak_kb();
  takt::configure(c);
  for (int round = 0; round < 20; ++round) HOST_CHECK(want_stacks(10) == 1024);
  check_answers();
  // Beside stacks and threads, takt and this program allocate a little.
  const long taken = peak_kb() - before;
  HOST_CHECK(taken <= (spare_mb << 10) / 2 + 2048, "%ld of %ld MB", taken >> 10, spare_mb);
}

// An emulator may keep limits to itself.
bool limits_hold() {
  const int status = host::status_of_child([] {
    limit_to(50);
    return mmap(nullptr, std::size_t{100} << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
           MAP_FAILED;
  });
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// About a kilobyte a level.
[[gnu::noinline]] long deep(long n) {
  volatile char pad[1000];
  pad[0] = 1;
  return n == 0 ? 0 : deep(n - 1) + pad[0];
}

// A thread's stack is larger than what is left for another one: its call is serial, on its own stack. Others go on as
// before.
void check_large_stack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  HOST_CHECK(pthread_attr_setstacksize(&attributes, std::size_t{128} << 20) == 0);
  pthread_t thread;
  const auto body = [](void*) -> void* {
    limit_to(60);
    const auto [left, right] = takt::fork_join([] { return deep(60'000); }, [] { return 1L; });
    HOST_CHECK(left == 60'000 && right == 1);
    return nullptr;
  };
  HOST_CHECK(pthread_create(&thread, &attributes, body, nullptr) == 0);
  pthread_join(thread, nullptr);
  check_answers();
  HOST_CHECK(host::two_run_side_by_side(), "serial after a thread with a large stack");
}

template <class F>
void in_child(F f) {
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) {
    f();
    std::_Exit(0);
  }
  int status = 0;
  HOST_CHECK(waitpid(child, &status, 0) == child);
  HOST_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", static_cast<unsigned>(status));
}

}  // namespace

int main() {
  rlimit stack{};
  HOST_CHECK(getrlimit(RLIMIT_STACK, &stack) == 0);
  for (const long mb : {1L, 5L, 9L, 18L, 26L, 40L}) {
    in_child([mb] {
      limit_to(mb);
      check_answers();
    });
  }
  if (limits_hold()) {
    for (const long mb : {20L, 45L, 60L, 75L, 200L}) in_child([mb] { check_half(mb); });
  } else {
    host::say("left out: a limit on the address space does not hold here");
  }
  // Two stacks, and the thread of a worker.
  if (stack.rlim_cur > 8 << 20) host::skip("the stack limit is larger than usual");
  in_child([] {
    limit_to(60);
    HOST_CHECK(host::two_run_side_by_side(), "serial with 60 MB to spare");
    check_answers();
  });
  in_child([] {
    limit_to(60);
    if (!host::filter_system_call(SYS_prlimit64, SECCOMP_RET_ERRNO | EPERM)) return;
    HOST_CHECK(host::two_run_side_by_side(), "serial where nobody says how large stacks may be");
  });
  in_child(check_large_stack);
}
