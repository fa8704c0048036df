// A daemon that blocks all signals and takes them with sigwait() or a signalfd: nothing of takt's is pending there, in
// a call or after it.
#include "signals.hpp"

namespace {

void nothing_is_pending() {
  sigset_t pending;
  HOST_CHECK(sigpending(&pending) == 0);
  for (int number = 1; number <= SIGRTMAX; ++number)
    HOST_CHECK(sigismember(&pending, number) != 1, "signal %d", number);
}

void leaf() {
  host::silent_leaf();
  nothing_is_pending();
}

}  // namespace

int main() {
  takt::fork_join([] {}, [] {});
  host::block_all_signals();
  for (int i = 0; i < 50; ++i) takt::fork_join([] { takt::fork_join(leaf, leaf); }, [] {});
  nothing_is_pending();

  // The program's own are left where they are.
  raise(SIGURG);
  raise(SIGUSR1);
  for (int i = 0; i < 20; ++i) takt::fork_join([] { takt::fork_join(host::silent_leaf, host::silent_leaf); }, [] {});
  sigset_t pending;
  HOST_CHECK(sigpending(&pending) == 0);
  HOST_CHECK(sigismember(&pending, SIGURG) == 1 && sigismember(&pending, SIGUSR1) == 1);
}
