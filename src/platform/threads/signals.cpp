#include "platform/threads/signals.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace takt::platform {

namespace {

void (*interrupt_handler)(std::uint32_t) = nullptr;
struct sigaction previous_action;

// SIGURG: ignored by default, so a stray one is harmless, and hardly anybody handles it; whoever did before us is
// called when the signal is not from this process.
constexpr int k_signal = SIGURG;

void on_signal(int number, siginfo_t* info, void* context) {
  const int saved = errno;
  if (info != nullptr && info->si_code == SI_TKILL && info->si_pid == getpid()) {
    interrupt_handler(interrupted_environment(context));
  } else if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    if (previous_action.sa_sigaction != nullptr) previous_action.sa_sigaction(number, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(number);
  }
  errno = saved;
}

}  // namespace

void admit_interrupts(sigset_t& blocked) noexcept { sigdelset(&blocked, k_signal); }

bool install_interrupts(void (*handler)(std::uint32_t)) noexcept {
  if (interrupt_handler != nullptr) return true;
  interrupt_handler = handler;
  struct sigaction action {};
  action.sa_sigaction = &on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  if (sigaction(k_signal, &action, &previous_action) != 0) {
    interrupt_handler = nullptr;
    return false;
  }
  return true;
}

void send_interrupt(std::uint64_t thread_name) noexcept {
  syscall(SYS_tgkill, getpid(), static_cast<pid_t>(thread_name), k_signal);
}

}  // namespace takt::platform
