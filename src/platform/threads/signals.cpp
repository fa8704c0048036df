#include "platform/threads/signals.hpp"

#include "sync/atomic.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace takt::platform {

namespace {

// Signals are numbered from 1 to 64.
constexpr int k_signals = 65;

struct hold {
  struct sigaction before {};              // what the program had for it
  sync::atomic<std::uint32_t> spent{0};    // `before` was for one signal (SA_RESETHAND), and has had it
  bool held = false;                       // our handler was installed, and has not been given back
};
hold holds[k_signals];
sync::mutex installing;  // for holds[].held

sync::atomic<int> in_force{0};  // the signal that is sent; 0: none
// Always the same one; read on any thread.
sync::atomic<void (*)(std::uint32_t)> interrupt_handler{nullptr};

// What the queued signal carries. The address is private to this copy of the library: another copy in the process takes
// its own only, and so does everybody else.
char mark;

// What the handler takes of a stack, beside the kernel's frame.
constexpr std::size_t k_handler_bytes = 8192;

// What is pending with this code is thrown away by the kernel when the process becomes another program (exec), whose default
// action for a real-time signal would be its end.
constexpr int k_code = SI_TIMER;

bool is_ours(const siginfo_t* info) noexcept {
  return info != nullptr && info->si_code == k_code && info->si_value.sival_ptr == &mark;
}

bool is_function(const struct sigaction& action) noexcept {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

long queue(pid_t tid, int number, siginfo_t& info) noexcept {
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, number, &info);
}

// The default action of all signals that takt can be told to use, but these, ends the process.
bool is_harmless_by_default(int number) noexcept { return number == SIGURG || number == SIGWINCH; }

// As the handler before ours would have had it; the kernel has applied its mask and flags, which ours has taken over.
void pass_on(int number, siginfo_t* info, void* context) noexcept {
  hold& h = holds[number];
  const bool once = (h.before.sa_flags & SA_RESETHAND) != 0;
  if (is_function(h.before) && !(once && h.spent.exchange(1, sync::relaxed) != 0)) {
    if ((h.before.sa_flags & SA_SIGINFO) != 0) {
      h.before.sa_sigaction(number, info, context);
    } else {
      h.before.sa_handler(number);
    }
    return;
  }
  if (h.before.sa_handler == SIG_IGN || is_harmless_by_default(number) || info == nullptr) return;
  // The default action is the kernel's: it comes with the same signal again, when this handler returns.
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  sigaction(number, &by_default, nullptr);
  queue(static_cast<pid_t>(syscall(SYS_gettid)), number, *info);
}

void on_signal(int number, siginfo_t* info, void* context) {
  const int saved = errno;
  if (is_ours(info)) {
    interrupt_handler.load(sync::relaxed)(interrupted_environment(context));
  } else {
    pass_on(number, info, context);
  }
  errno = saved;
}

bool is_installed(int number) noexcept {
  struct sigaction now {};
  return sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_signal;
}

// Who handles stack overflows on alternate stacks may run code on stacks that have no room for a signal's frame (Go
// does), and has made the alternate ones large enough. Nobody else need have.
int stack_flag() noexcept {
  struct sigaction faults {};
  if (sigaction(SIGSEGV, nullptr, &faults) != 0 || !is_function(faults)) return 0;
  return faults.sa_flags & SA_ONSTACK;
}

// Whether there is such a signal. Emulators that have fewer real-time signals than the kernel take handlers for all of
// them; those that they have not can be neither sent nor blocked.
bool exists(int number) noexcept {
  if (number < SIGRTMIN) return true;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  sigset_t before;
  sigset_t now;
  return pthread_sigmask(SIG_BLOCK, &one, &before) == 0 && pthread_sigmask(SIG_SETMASK, &before, &now) == 0 &&
         sigismember(&now, number) == 1;
}

bool install(int number) noexcept {
  hold& h = holds[number];
  struct sigaction now {};
  if (!exists(number) || sigaction(number, nullptr, &now) != 0) return false;
  // Replaced by somebody who may call ours from theirs: on top of that the two would call each other without end.
  if (h.held && is_function(now)) return is_installed(number);
  // Before ours can run, it must know whom to pass things on to.
  h.before = now;
  struct sigaction ours = h.before;
  if (!is_function(h.before)) {
    ours.sa_flags |= SA_RESTART;
    sigemptyset(&ours.sa_mask);
  }
  ours.sa_flags = (ours.sa_flags & ~SA_RESETHAND) | SA_SIGINFO | stack_flag();
  ours.sa_sigaction = &on_signal;
  h.spent.store(0, sync::relaxed);
  if (sigaction(number, &ours, nullptr) != 0) return false;
  h.held = true;
  return true;
}

// SIGURG, which does nothing where nobody handles it, unless somebody does: a second signal of a number below SIGRTMIN
// is dropped while the first one is pending, so ours would swallow theirs. Then a real-time signal, best one of
// nobody's. Not the very last one, which tools keep for themselves.
int install_any() noexcept {
  const auto is_free = [](int number) {
    struct sigaction now {};
    if (holds[number].held) return true;
    // One that is ignored is not, in a program that takes this one's place (exec), once it has had a handler.
    return sigaction(number, nullptr, &now) == 0 &&
           (now.sa_handler == SIG_DFL || (now.sa_handler == SIG_IGN && is_harmless_by_default(number)));
  };
  if (const int number = in_force.load(sync::relaxed); number != 0 && install(number)) return number;
  if (is_free(SIGURG) && install(SIGURG)) return SIGURG;
  for (const bool any : {false, true}) {
    for (int number = SIGRTMAX - 1; number >= SIGRTMIN; --number) {
      if ((any || is_free(number)) && install(number)) return number;
    }
  }
  return 0;
}

// What the status file of a thread says of signals. Sets are hexadecimal digits behind their names; of the queue, which
// all processes of a user share, it has how many are in it and how many may be. @returns false if it cannot be read.
struct signal_sets {
  std::uint64_t blocked = 0;
  std::uint64_t pending = 0;  // for this thread alone
  bool queue_is_full = false;
};
bool read_sets(std::uint64_t thread_name, signal_sets& out) noexcept {
  char text[4096];
  std::snprintf(text, sizeof text, "/proc/self/task/%llu/status", static_cast<unsigned long long>(thread_name));
  // Not through the C library: its calls are places where a thread can be cancelled.
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, text, O_RDONLY | O_CLOEXEC));
  if (file < 0) return false;
  std::size_t length = 0;
  for (;;) {
    const long n = syscall(SYS_read, file, text + length, sizeof text - 1 - length);
    if (n <= 0) break;
    length += static_cast<std::size_t>(n);
  }
  syscall(SYS_close, file);
  text[length] = '\0';
  const auto find = [&text](const char* name, std::uint64_t& set) {
    const char* at = std::strstr(text, name);
    if (at == nullptr) return false;
    set = std::strtoull(at + std::strlen(name), nullptr, 16);
    return true;
  };
  unsigned long long queued = 0;
  unsigned long long limit = 0;
  const char* const queue_line = std::strstr(text, "\nSigQ:");
  out.queue_is_full =
      queue_line != nullptr && std::sscanf(queue_line + 6, "%llu/%llu", &queued, &limit) == 2 && queued >= limit;
  return find("\nSigPnd:", out.pending) && find("\nSigBlk:", out.blocked);
}

// A set of signals as the kernel has it.
constexpr std::size_t k_set_bytes = 8;

constexpr std::uint64_t bit_of(int number) noexcept { return std::uint64_t{1} << (number - 1); }

}  // namespace

void admit_signals(sigset_t& blocked) noexcept {
  // The kernel ends the process at a fault whose signal is blocked, without calling the program's handler.
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPIPE, SIGXFSZ}) {
    sigdelset(&blocked, number);
  }
  if (const int number = in_force.load(sync::relaxed); number != 0) sigdelset(&blocked, number);
}

int install_interrupts(void (*handler)(std::uint32_t), int signal) noexcept {
  const std::lock_guard guard(installing);
  interrupt_handler.store(handler, sync::relaxed);
  const int number = signal == 0 ? install_any() : install(signal) ? signal : 0;
  in_force.store(number, sync::relaxed);
  return number;
}

void keep_installed(bool in_use) noexcept {
  const std::lock_guard guard(installing);
  if (!in_use) in_force.store(0, sync::relaxed);
  for (int number = 1; number < k_signals; ++number) {
    hold& h = holds[number];
    if (!h.held || number == in_force.load(sync::relaxed)) continue;
    // Who has replaced ours keeps what they have, and may still call ours.
    if (!is_installed(number)) continue;
    if (h.spent.load(sync::relaxed) != 0) {
      h.before = {};
      h.before.sa_handler = SIG_DFL;
    }
    h.held = sigaction(number, &h.before, nullptr) != 0;
  }
}

std::uint64_t name_for_interrupts() noexcept {
  const auto tid = static_cast<std::uint64_t>(syscall(SYS_gettid));
  struct sigaction ours {};
  const int number = in_force.load(sync::relaxed);
  if (number == 0 || sigaction(number, nullptr, &ours) != 0 || (ours.sa_flags & SA_ONSTACK) == 0) return tid;
  stack_t alternate{};
  if (sigaltstack(nullptr, &alternate) != 0 || (alternate.ss_flags & SS_DISABLE) != 0) return tid;
#ifdef AT_MINSIGSTKSZ
  const std::size_t frame = getauxval(AT_MINSIGSTKSZ);
#else
  const std::size_t frame = 0;
#endif
  return alternate.ss_size < frame + k_handler_bytes ? 0 : tid;
}

bool is_open_to_interrupts(std::uint64_t thread_name) noexcept {
  const int number = in_force.load(sync::relaxed);
  if (number == 0 || thread_name == 0 || !is_installed(number)) return false;
  if (static_cast<std::uint64_t>(syscall(SYS_gettid)) == thread_name) {
    sigset_t blocked;
    return pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 && sigismember(&blocked, number) == 0;
  }
  signal_sets sets;
  // With a full queue the kernel refuses a real-time signal, and sends another one without its mark.
  return read_sets(thread_name, sets) && (sets.blocked & bit_of(number)) == 0 && !sets.queue_is_full;
}

bool send_interrupt(std::uint64_t thread_name) noexcept {
  // Looked at once more: who looked before may have been kept off its CPU since, and the program has another handler.
  const int number = in_force.load(sync::relaxed);
  if (number == 0 || !is_installed(number)) return false;
  siginfo_t info{};
  info.si_code = k_code;
  info.si_pid = getpid();
  info.si_value.sival_ptr = &mark;
  return queue(static_cast<pid_t>(thread_name), number, info) == 0;
}

void* value_of_interrupts() noexcept { return &mark; }

void take_back_interrupt() noexcept {
  const int number = in_force.load(sync::relaxed);
  if (number == 0) return;
  // What is not blocked has come by the end of any system call. The rest takes as long as reading files.
  sigset_t waiting;
  if (sigpending(&waiting) == 0 && sigismember(&waiting, number) == 0) return;
  const auto tid = static_cast<pid_t>(syscall(SYS_gettid));
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  // What is not ours is put back, in its order. Only what is for this thread alone: other threads may be waiting for
  // the rest. More than so many are not to be expected; those behind them are then late by a place.
  siginfo_t others[16];
  std::size_t count = 0;
  signal_sets sets;
  while (count < std::size(others) && read_sets(static_cast<std::uint64_t>(tid), sets) &&
         (sets.pending & bit_of(number)) != 0) {
    const timespec at_once{};
    if (syscall(SYS_rt_sigtimedwait, &one, &others[count], &at_once, k_set_bytes) != number) break;
    if (!is_ours(&others[count])) ++count;
  }
  for (std::size_t i = 0; i < count; ++i) queue(tid, number, others[i]);
}

}  // namespace takt::platform
