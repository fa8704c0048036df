// A program with a handler for the signal that takt would use, or is told to use: it gets each signal that was sent to
// it, none that was not, and each as if takt were not there.
#include "signals.hpp"

#include <unistd.h>

#include <cerrno>
#include <thread>

namespace {

std::atomic<int> got{0};
static_assert(std::atomic<int>::is_always_lock_free);
volatile sig_atomic_t value = 0;
volatile sig_atomic_t usr1_was_blocked = 0;
volatile sig_atomic_t was_on_alternate_stack = 0;

alignas(16) char alternate[1 << 16];

void count(int) { got.fetch_add(1); }

void look(int, siginfo_t* info, void*) {
  got.fetch_add(1);
  value = info->si_value.sival_int;
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  usr1_was_blocked = sigismember(&blocked, SIGUSR1);
  const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
  was_on_alternate_stack = here >= alternate && here < alternate + sizeof alternate;
}

void set_handler(struct sigaction action) { HOST_CHECK(sigaction(SIGURG, &action, nullptr) == 0); }

// Where takt's handler is in front of the program's, it is in front of this one then.
void change_handler(struct sigaction action) {
  takt::config settings = takt::config::from_environment();
  settings.interrupts = false;
  takt::configure(settings);
  set_handler(action);
  settings.interrupts = true;
  takt::configure(settings);
  HOST_CHECK(takt::current_config().signal != 0);
  got = 0;
  host::calls_with_silent_leaves(3);
  HOST_CHECK(got == 0);
}

// One that a thread sends to itself has come when the sending returns; under valgrind, soon. Two that are pending are one.
void check_that_came(int count) {
  HOST_CHECK(host::wait_until([count] { return got == count; }), "%d", got.load());
}

}  // namespace

int main() {
  // Counted, one by one.
  struct sigaction plain {};
  plain.sa_handler = &count;
  set_handler(plain);
  raise(SIGURG);
  check_that_came(1);
  host::calls_with_silent_leaves(20);
  HOST_CHECK(got == 1, "%d", got.load());
  raise(SIGURG);
  check_that_came(2);
  HOST_CHECK(pthread_kill(pthread_self(), SIGURG) == 0);
  check_that_came(3);
  // Any thread of the process may get it.
  HOST_CHECK(kill(getpid(), SIGURG) == 0);
  check_that_came(4);
  takt::fork_join([] { raise(SIGURG); }, [] {});
  check_that_came(5);

  // Its handler has no SA_RESTART, so that it ends a read.
  int ends[2];
  HOST_CHECK(pipe(ends) == 0);
  std::atomic<bool> interrupted{false};
  std::thread reader([&] {
    char c;
    interrupted.store(read(ends[0], &c, 1) < 0 && errno == EINTR);
  });
  got = 0;
  HOST_CHECK(host::wait_until([&] {
    // One that comes before the read does not end it.
    if (!interrupted.load()) pthread_kill(reader.native_handle(), SIGURG);
    return interrupted.load();
  }));
  reader.join();

  // Its mask, what was queued, its stack.
  struct sigaction careful {};
  careful.sa_sigaction = &look;
  careful.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaddset(&careful.sa_mask, SIGUSR1);
  stack_t stack{};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  HOST_CHECK(sigaltstack(&stack, nullptr) == 0);
  change_handler(careful);
  HOST_CHECK(pthread_sigqueue(pthread_self(), SIGURG, {.sival_int = 42}) == 0);
  check_that_came(1);
  HOST_CHECK(value == 42 && usr1_was_blocked == 1 && was_on_alternate_stack == 1, "%d %d %d",
             static_cast<int>(value), static_cast<int>(usr1_was_blocked), static_cast<int>(was_on_alternate_stack));

  // A handler for one signal.
  struct sigaction once {};
  once.sa_handler = &count;
  once.sa_flags = SA_RESETHAND;
  change_handler(once);
  raise(SIGURG);
  check_that_came(1);
  raise(SIGURG);
  HOST_CHECK(got == 1, "%d", got.load());
  HOST_CHECK(host::a_leaf_is_reached());
}
