// A program whose handler mends faults (write barriers, pages filled on demand): it works on every thread that runs
// code of the program.
#include "signals.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace {

std::atomic<int> mended{0};
std::size_t page = 0;

void mend(int, siginfo_t* info, void*) {
  mended.fetch_add(1);
  void* const at = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(page - 1));
  if (mprotect(at, page, PROT_READ | PROT_WRITE) != 0) _exit(1);
}

}  // namespace

int main() {
  page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = &mend;
  action.sa_flags = SA_SIGINFO;
  HOST_CHECK(sigaction(SIGSEGV, &action, nullptr) == 0);
  void* const area = mmap(nullptr, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HOST_CHECK(area != MAP_FAILED);
  auto* const bytes = static_cast<volatile char*>(area);
  // On two threads: each waits for the other before it writes.
  std::atomic<int> here{0};
  const auto write = [&](std::size_t at) {
    here.fetch_add(1);
    HOST_CHECK(host::wait_until([&] { return here.load() == 2; }));
    bytes[at] = 1;
  };
  takt::fork_join([&] { write(0); }, [&] { write(page); });
  HOST_CHECK(mended.load() == 2);

  // And no other that a thread brings upon itself is blocked there.
  here = 0;
  const auto look = [&] {
    here.fetch_add(1);
    HOST_CHECK(host::wait_until([&] { return here.load() == 2; }));
    sigset_t blocked;
    HOST_CHECK(pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPIPE, SIGXFSZ})
      HOST_CHECK(sigismember(&blocked, number) == 0, "signal %d", number);
  };
  takt::fork_join(look, look);
}
