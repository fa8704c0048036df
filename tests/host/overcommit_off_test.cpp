// A system that does not overcommit (vm.overcommit_memory = 2): what can be written counts as used, and to make it
// writable may be refused. Whichever of these requests is refused, and all that follow, the answers are right, nothing
// is left behind, and calls are parallel while two stacks can be had.
#include <takt/lab.hpp>

#include "child.hpp"
#include "process.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>

namespace {

// Requests until one is refused; negative: none is.
std::atomic<int> left{-1};
std::atomic<int> refused{0};

}  // namespace

// In the place of the C library's.
extern "C" int mprotect(void* at, std::size_t bytes, int protection) noexcept {
  if ((protection & PROT_WRITE) != 0 && left.load() >= 0 && left.fetch_sub(1) <= 0) {
    left = 0;
    refused.fetch_add(1);
    errno = ENOMEM;
    return -1;
  }
  return static_cast<int>(syscall(SYS_mprotect, at, bytes, protection));
}

namespace {

long sum_of_forks(int depth) {
  if (depth == 0) return 1;
  const auto [a, b] =
      takt::fork_join([depth] { return sum_of_forks(depth - 1); }, [depth] { return sum_of_forks(depth - 1); });
  return a + b;
}

void check_answers() {
  HOST_CHECK(sum_of_forks(10) == 1024);
  std::atomic<long> sum{0};
  takt::parallel_for(0, 10000, [&sum](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
  HOST_CHECK(sum == 49995000);
}

void in_child(int granted) {
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) {
    takt::config c = takt::current_config();
    c.workers = granted == 2 ? 2 : 4;
    c.trigger = takt::lab::eager;
    takt::configure(c);
    left = granted;
    const long before = host::mapped_by_program_mb();
    for (int round = 0; round < 20; ++round) check_answers();
    if (granted == 0) {
      HOST_CHECK(refused > 0, "no stack was asked for");
      HOST_CHECK(host::mapped_by_program_mb() < before + 12, "what was refused is mapped");
    }
    // One for each worker.
    if (granted == 2) HOST_CHECK(host::two_run_side_by_side(), "serial with two stacks");
    left = -1;
    // Refused for now is not refused for ever.
    HOST_CHECK(host::two_run_side_by_side());
    std::_Exit(0);
  }
  const int status = host::wait_for(child);
  HOST_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d are granted: status %x", granted,
             static_cast<unsigned>(status));
}

}  // namespace

int main() {
  // Skips where nobody tells.
  host::mapped_by_program_mb();
  for (int granted = 0; granted < 6; ++granted) in_child(granted);
}
