#include "sim/interval_timer.hpp"

#include <link.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

// Older C libraries have no name for it.
#if !defined(sigev_notify_thread_id)
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace takt::sim {

namespace {

// A signal is sent after two beats of silence, and is late by no more than a stop is: less than a beat, unless stops
// are dear. What they take is known within a tenth or so, and taken off: a small part of the time, so.
constexpr long k_shortest_ns = 20'000;
constexpr long k_costs_per_interval = 5;

volatile std::uint32_t measured = 0;
void count(int, siginfo_t*, void*) { measured = measured + 1; }

void handle(int signal, interval_timer::handler by) {
  struct sigaction action {};
  action.sa_sigaction = by;
  // On the stack of the code, where it may stay for a while. No second one comes before it has returned.
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

// One that nobody handles: real-time signals of a timer that are pending when the process becomes another program
// (exec) are dropped by the kernel, so there is no harm in their default action.
int unused_signal() {
  for (int signal = SIGRTMAX - 1; signal >= SIGRTMIN; --signal) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL)
      return signal;
  }
  return 0;
}

struct module_search {
  std::uintptr_t address;
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;
};

int look_into(dl_phdr_info* module, std::size_t, void* into) {
  auto& search = *static_cast<module_search*>(into);
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module->dlpi_phdr[i];
    const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || search.address - begin >= part.p_memsz) continue;
    // The program itself has no name.
    if (module->dlpi_name == nullptr || *module->dlpi_name == '\0') return 1;
    search.begin = begin;
    search.bytes = part.p_memsz;
    return 1;
  }
  return 0;
}

}  // namespace

interval_timer::~interval_timer() {
  if (made_) timer_delete(timer_);
}

bool interval_timer::make(handler stopped, std::uint64_t (*clock)(), double ticks_per_second) {
  if (made_) return true;
  const int signal = unused_signal();
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
  if (signal == 0 || timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) return false;
  made_ = true;
  interval_ns_ = k_costs_per_interval * k_shortest_ns;
  handle(signal, &count);
  measure(clock, ticks_per_second);
  const double cost_ns = static_cast<double>(cost_) / ticks_per_second * 1e9;
  interval_ns_ = std::max(k_shortest_ns, static_cast<long>(k_costs_per_interval * cost_ns));
  handle(signal, stopped);
  module_search search{reinterpret_cast<std::uintptr_t>(&std::malloc)};
  dl_iterate_phdr(&look_into, &search);
  allocator_ = search.begin;
  allocator_bytes_ = search.bytes;
  return true;
}

// Of a few stops, the middle one: the longest time between two looks at the clock in which one came. Where the program
// blocks the signal none comes.
void interval_timer::measure(std::uint64_t (*clock)(), double ticks_per_second) {
  constexpr double k_most_s = 0.1;
  const auto most = static_cast<std::uint64_t>(k_most_s * ticks_per_second);
  std::uint64_t took[9];
  const std::uint64_t begun = clock();
  start();
  for (std::uint64_t& one : took) {
    const std::uint32_t before = measured;
    std::uint64_t last = clock();
    one = 0;
    do {
      const std::uint64_t now = clock();
      one = std::max(one, now - last);
      last = now;
    } while (measured == before && last - begun < most);
    one = std::max(one, clock() - last);
  }
  stop();
  std::ranges::sort(took);
  cost_ = took[std::size(took) / 2];
}

void interval_timer::set(bool on) noexcept {
  runs_ = on;
  itimerspec when{};
  if (on) when.it_value.tv_nsec = when.it_interval.tv_nsec = interval_ns_;
  timer_settime(timer_, 0, &when, nullptr);
}

std::uintptr_t interval_timer::stopped_at(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#else
  return machine.pc;
#endif
}

}  // namespace takt::sim
