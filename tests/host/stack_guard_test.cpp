// Below each call stack lies as much that cannot be touched as below a main thread's: a frame of up to a megabyte that
// overflows ends the process with SIGSEGV, and never writes to what happens to be mapped there.
#include "process.hpp"

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

namespace {

void check_guards() {
  char local = 0;
  const auto at = reinterpret_cast<std::uintptr_t>(&local);
  std::uintptr_t guard = 0;   // bytes without access that end where the mapping before began
  std::uintptr_t ended = 0;
  bool found = false;
  host::each_mapping([&](std::uintptr_t low, std::uintptr_t high, const char* permissions) {
    if (low <= at && at < high) {
      HOST_CHECK(ended == low && guard >= 1 << 20, "%zu bytes", static_cast<std::size_t>(ended == low ? guard : 0));
      found = true;
      return false;
    }
    const bool closed = permissions[0] == '-' && permissions[1] == '-';
    guard = !closed ? 0 : ended == low ? guard + (high - low) : high - low;
    ended = high;
    return true;
  });
  HOST_CHECK(found);
}

[[gnu::noinline]] long overflow(long n) {
  volatile char array[200'000];
  array[0] = 1;
  return n == 0 ? 0 : overflow(n - 1) + array[0];
}

}  // namespace

int main() {
  // Before this process has threads: not every emulator lets a child of such a one start its own.
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    const auto sums = takt::fork_join([] { return overflow(1'000'000); }, [] { return 1; });
    std::_Exit(sums.first != 0 ? 3 : 4);
  }
  int status = 0;
  HOST_CHECK(waitpid(child, &status, 0) == child);
  HOST_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %x", static_cast<unsigned>(status));
  takt::fork_join(check_guards, check_guards);
}
