#include "tools/bench_stop.hpp"

#include <array>
#include <csignal>

namespace takt::tools {
namespace {

constexpr std::array k_signals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t came = 0;
std::array<struct sigaction, k_signals.size()> before;

extern "C" void keep_signal(int signal) { came = signal; }

}  // namespace

signals_kept::signals_kept() {
  came = 0;
  struct sigaction action{};
  action.sa_handler = &keep_signal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: who waits is to look at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < k_signals.size(); ++i) {
    sigaction(k_signals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) {
      sigaction(k_signals[i], &action, nullptr);
    }
  }
}

signals_kept::~signals_kept() {
  for (std::size_t i = 0; i < k_signals.size(); ++i) {
    sigaction(k_signals[i], &before[i], nullptr);
  }
  came = 0;
}

int stop_signal() noexcept { return came; }

}  // namespace takt::tools
