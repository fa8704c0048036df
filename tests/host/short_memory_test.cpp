// Memory that runs out at any allocation: the n-th one of malloc and calloc fails, or all from there on, for n = 1, 2,
// ... until nothing more is asked for; in a thread's first call, and in a process's. Each time all that is asked for is
// done, with the right answers, and nothing is left behind.
#include "process.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <new>
#include <thread>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
}

namespace {

// Allocations until one fails; negative: none does.
std::atomic<long> left{-1};
std::atomic<bool> for_good{false};

bool refuses() noexcept {
  long n = left.load(std::memory_order_relaxed);
  while (n > 0) {
    if (left.compare_exchange_weak(n, n - 1, std::memory_order_relaxed)) return false;
  }
  if (n < 0) return false;
  if (!for_good.load(std::memory_order_relaxed)) left.store(-1, std::memory_order_relaxed);
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" void* malloc(std::size_t bytes) noexcept { return refuses() ? nullptr : __libc_malloc(bytes); }
extern "C" void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return refuses() ? nullptr : __libc_calloc(count, bytes);
}

namespace {

// Returns what went wrong, or null.
const char* wrong() noexcept {
  const auto [a, b] = takt::fork_join([] { return 4000; },
                                      [] {
                                        const auto [c, d] = takt::fork_join([] { return 900; }, [] { return 50; });
                                        return c + d;
                                      });
  if (a + b != 4950) return "forks";
  std::atomic<long> sum{0};
  takt::parallel_for(0, 5000, [&sum](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
  if (sum != 12497500) return "a loop";
  const long reduced =
      takt::parallel_reduce(0, 5000, 0L, [](int i) { return long{i}; }, [](long x, long y) { return x + y; });
  if (reduced != 12497500) return "a reduction";
  std::atomic<int> ran{0};
  try {
    takt::task_group group;
    for (int i = 0; i < 50; ++i) group.run([&ran] { ran.fetch_add(1); });
    group.wait();
    if (ran != 50) return "a group";
  } catch (const std::bad_alloc&) {
    // The group itself; not one of its children.
    if (ran != 0) return "a group that failed";
  }
  return nullptr;
}

// @returns how many allocations there were before the one that failed.
bool fails_at(long n, bool all) {
  for_good = all;
  left = n;
  const char* const what = wrong();
  const bool reached = left < 0 || (all && left == 0);
  left = -1;
  HOST_CHECK(what == nullptr, "%s: allocation %ld fails%s", what, n, all ? ", and all after it" : "");
  return reached;
}

template <class Attempt>
long each_allocation(Attempt attempt) {
  long n = 0;
  while (attempt(n, false)) ++n;
  for (long m = 0; m < n; ++m) attempt(m, true);
  return n;
}

bool first_call_of_a_process(long n, bool all) {
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) std::_Exit(fails_at(n, all) ? 2 : 0);
  int status = 0;
  HOST_CHECK(waitpid(child, &status, 0) == child);
  HOST_CHECK(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2),
             "status %x: allocation %ld fails%s", static_cast<unsigned>(status), n, all ? ", and all after it" : "");
  return WEXITSTATUS(status) == 2;
}

bool first_call_of_a_thread(long n, bool all) {
  bool reached = false;
  std::thread([&] { reached = fails_at(n, all); }).join();
  return reached;
}

}  // namespace

int main() {
  // Nothing of takt runs in this process yet, so its children are like new ones.
  const long of_process = each_allocation(&first_call_of_a_process);
  HOST_CHECK(of_process > 3, "only %ld allocations were seen", of_process);
  HOST_CHECK(wrong() == nullptr);
  // All the threads that there may be are there: what a refused one means is for another test.
  HOST_CHECK(host::two_run_side_by_side());
  const long of_thread = each_allocation(&first_call_of_a_thread);
  HOST_CHECK(of_thread > 0, "only %ld allocations were seen", of_thread);
  const long before = host::mappings();
  each_allocation(&first_call_of_a_thread);
  const long after = host::mappings();
  HOST_CHECK(after < before + 10, "%ld mappings before, %ld after", before, after);
  HOST_CHECK(host::two_run_side_by_side());
}
