// The platform of real threads: pthreads, futexes, mmap and the CPU's time-stamp counter.

#include "platform/platform.hpp"
#include "platform/threads/cpu_count.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace takt::platform {

struct thread {
  pthread_t id;
  void (*fn)(void*);
  void* argument;
  pid_t tid = 0;
  // Set by a waker that has kept the thread off its own CPU: the thread then puts its affinity back.
  bool moved = false;
  cpu_set_t affinity{};
};

namespace {

thread_local thread* started_here = nullptr;  // the calling thread, if start_thread() made it

std::uint64_t monotonic_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint64_t read_ticks() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t t;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#else
  return monotonic_ns();
#endif
}

double measure_tick_rate() noexcept {
#if defined(__aarch64__)
  std::uint64_t hz;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
  return static_cast<double>(hz);
#elif defined(__x86_64__)
  // Long enough for a few parts in a thousand, short enough not to be felt by the first parallel call. The best
  // of three, so that one preemption does not spoil it.
  double best = 0;
  std::uint64_t shortest = ~0ull;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const std::uint64_t ns0 = monotonic_ns();
    const std::uint64_t t0 = read_ticks();
    std::uint64_t ns1 = ns0;
    while (ns1 - ns0 < 20'000) ns1 = monotonic_ns();
    const std::uint64_t t1 = read_ticks();
    if (ns1 - ns0 < shortest) {
      shortest = ns1 - ns0;
      best = static_cast<double>(t1 - t0) * 1e9 / static_cast<double>(ns1 - ns0);
    }
  }
  return best;
#else
  return 1e9;
#endif
}

#if defined(__x86_64__)
// Without the exception flags (the low six bits of the SSE word).
std::uint32_t control_words(std::uint32_t sse, std::uint16_t x87) noexcept {
  return (sse & 0xffc0u) | (static_cast<std::uint32_t>(x87) << 16);
}
#endif

// A handler itself runs with the default environment.
std::uint32_t interrupted_environment(const void* context) noexcept {
#if defined(__x86_64__)
  const auto* state = static_cast<const ucontext_t*>(context)->uc_mcontext.fpregs;
  return state != nullptr ? control_words(state->mxcsr, state->cwd) : floating_point_environment();
#else
  (void)context;
  return floating_point_environment();
#endif
}

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

// From when on a sleeper's CPU may look busy: the guest polls for less before it halts.
constexpr double k_long_sleep_s = 1e-3;

// Takes the calling thread's CPU out of `cpus`. @returns false when that would leave none, or changes nothing.
bool leave_out_this_cpu(cpu_set_t& cpus) noexcept {
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &cpus) || CPU_COUNT(&cpus) < 2) return false;
  CPU_CLR(here, &cpus);
  return true;
}

// In a virtual machine the CPUs that have been idle for long look busy to the kernel: it puts a woken thread beside its
// waker, where it waits for the end of the waker's time slice, 4 ms, with the other CPU idle. So a thread of ours that
// has slept for long is kept off the waker's CPU until it runs. See README.md.
void keep_off_this_cpu(thread& t) noexcept {
  if (sched_getaffinity(t.tid, sizeof t.affinity, &t.affinity) != 0) return;
  cpu_set_t others = t.affinity;
  if (!leave_out_this_cpu(others)) return;
  t.moved = sched_setaffinity(t.tid, sizeof others, &others) == 0;
}
void put_affinity_back(thread& t) noexcept {
  if (!t.moved) return;
  t.moved = false;
  sched_setaffinity(0, sizeof t.affinity, &t.affinity);
}

bool take_token(parker& p) noexcept {
  // EDGE park.token: what the waker wrote before it left the token is seen by whoever takes it.
  if (p.token.exchange(0, sync::acquire) == 0) return false;
  if (started_here != nullptr) put_affinity_back(*started_here);
  return true;
}

class threads_platform final : public platform {
 public:
  std::uint64_t now() noexcept override { return read_ticks(); }
  double ticks_per_second() noexcept override {
    static const double rate = measure_tick_rate();
    return rate;
  }

  thread* start_thread(void (*fn)(void*), void* argument) noexcept override {
    auto* t = new (std::nothrow) thread{{}, fn, argument};
    if (t == nullptr) return nullptr;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (cpu_set_t others; sched_getaffinity(0, sizeof others, &others) == 0) {
      t->affinity = others;
      t->moved = leave_out_this_cpu(others) && pthread_attr_setaffinity_np(&attributes, sizeof others, &others) == 0;
    }
    // The threads' own stacks only run the scheduler loop. Signals of the program go to the program's threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigdelset(&all, k_signal);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(
        &t->id, &attributes,
        [](void* p) -> void* {
          auto* self = static_cast<thread*>(p);
          started_here = self;
          self->tid = static_cast<pid_t>(syscall(SYS_gettid));
          put_affinity_back(*self);
          self->fn(self->argument);
          return nullptr;
        },
        t);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
      delete t;
      return nullptr;
    }
    pthread_setname_np(t->id, "takt");
    return t;
  }
  void join_thread(thread* t) noexcept override {
    pthread_join(t->id, nullptr);
    delete t;
  }

  bool park(parker& p, std::uint64_t timeout_ticks) noexcept override {
    timespec timeout{};
    if (timeout_ticks != 0) {
      const double ns = static_cast<double>(timeout_ticks) * 1e9 / ticks_per_second();
      timeout.tv_sec = static_cast<time_t>(ns / 1e9);
      timeout.tv_nsec = static_cast<long>(ns - static_cast<double>(timeout.tv_sec) * 1e9);
    }
    p.since.store(read_ticks(), sync::relaxed);
    // EDGE park.sleeper
    p.sleeper.store(started_here, sync::release);
    for (;;) {
      if (take_token(p)) return true;
      const long r =
          syscall(SYS_futex, &p.token, FUTEX_WAIT_PRIVATE, 0, timeout_ticks != 0 ? &timeout : nullptr, nullptr, 0);
      if (r != 0 && errno == ETIMEDOUT) return take_token(p);
    }
  }
  void unpark(parker& p) noexcept override {
    // EDGE park.sleeper: the thread has its number.
    if (thread* t = p.sleeper.load(sync::acquire); t != nullptr) {
      const std::uint64_t since = p.since.load(sync::relaxed);
      const std::uint64_t now = read_ticks();
      if (now > since && static_cast<double>(now - since) > k_long_sleep_s * ticks_per_second()) keep_off_this_cpu(*t);
    }
    // EDGE park.token
    p.token.store(1, sync::release);
    syscall(SYS_futex, &p.token, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
  void relax(unsigned round) noexcept override {
    if (round % 64 == 63) {
      sched_yield();
      return;
    }
    for (int i = 0; i < 16; ++i) {
#if defined(__x86_64__)
      _mm_pause();
#elif defined(__aarch64__)
      __asm__ volatile("isb" ::: "memory");
#endif
    }
  }
  std::uint64_t seed() noexcept override { return read_ticks(); }

  bool allocate_stack(std::size_t call_bytes, std::size_t latent_bytes, stack_memory& out) noexcept override {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto round_up = [page](std::size_t n) { return (n + page - 1) / page * page; };
    call_bytes = round_up(call_bytes);
    latent_bytes = round_up(latent_bytes);
    const std::size_t total = call_bytes + latent_bytes + 2 * page;
    void* base = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return false;
    auto* low = static_cast<std::byte*>(base) + page;
    if (mprotect(low, call_bytes + latent_bytes, PROT_READ | PROT_WRITE) != 0) {
      munmap(base, total);
      return false;
    }
    // A huge page would make every fiber cost 2 MiB at its first touch.
    madvise(low, call_bytes + latent_bytes, MADV_NOHUGEPAGE);
    out = {base, total, low, low + call_bytes, low + call_bytes + latent_bytes};
    return true;
  }
  void release_stack(stack_memory& memory) noexcept override {
    munmap(memory.base, memory.bytes);
    memory = {};
  }

  std::uint64_t this_thread() noexcept override { return static_cast<std::uint64_t>(syscall(SYS_gettid)); }
  bool enable_interrupts(void (*handler)(std::uint32_t)) noexcept override {
    if (interrupt_handler != nullptr) return true;
    interrupt_handler = handler;
    struct sigaction action{};
    action.sa_sigaction = &on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (sigaction(k_signal, &action, &previous_action) != 0) {
      interrupt_handler = nullptr;
      return false;
    }
    return true;
  }
  void interrupt(std::uint64_t thread_name) noexcept override {
    syscall(SYS_tgkill, getpid(), static_cast<pid_t>(thread_name), k_signal);
  }

  unsigned usable_cpus() noexcept override { return takt::platform::usable_cpus(); }
  std::size_t default_stack_bytes() noexcept override {
    constexpr std::size_t k_least = std::size_t{1} << 20;
    constexpr std::size_t k_unlimited = std::size_t{256} << 20;
    constexpr std::size_t k_most = std::size_t{4} << 30;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return k_unlimited;
    return std::clamp(static_cast<std::size_t>(limit.rlim_cur), k_least, k_most);
  }
};

platform* replaced = nullptr;

}  // namespace

std::uint32_t floating_point_environment() noexcept {
#if defined(__x86_64__)
  std::uint32_t sse;
  std::uint16_t x87;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(sse), "=m"(x87));
  return control_words(sse, x87);
#elif defined(__aarch64__)
  std::uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return static_cast<std::uint32_t>(fpcr);
#else
  return 0;
#endif
}

void set_floating_point_environment(std::uint32_t environment) noexcept {
#if defined(__x86_64__)
  const std::uint32_t sse = environment & 0xffffu;
  const auto x87 = static_cast<std::uint16_t>(environment >> 16);
  __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(sse), "m"(x87));
#elif defined(__aarch64__)
  const std::uint64_t fpcr = environment;
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
#else
  (void)environment;
#endif
}

platform& threads() noexcept {
  static threads_platform* const p = new threads_platform;  // never destroyed: threads outlive static destructors
  return *p;
}

platform& current() noexcept { return replaced != nullptr ? *replaced : threads(); }

platform* replace(platform* p) noexcept {
  platform* before = replaced;
  replaced = p;
  return before;
}

}  // namespace takt::platform
