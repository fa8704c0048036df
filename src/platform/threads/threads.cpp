// The platform of real threads: pthreads, futexes, mmap and the CPU's time-stamp counter.

#include "platform/platform.hpp"
#include "platform/threads/cpu_count.hpp"
#include "platform/threads/foreign.hpp"
#include "platform/threads/modules.hpp"
#include "platform/threads/signals.hpp"
#include "platform/threads/stacks.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
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

// Of no use where the CPU tells the rate of its counter.
[[maybe_unused]] std::uint64_t monotonic_ns() noexcept {
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
    admit_interrupts(all);
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
    return map_stack(call_bytes, latent_bytes, out);
  }
  void release_stack(stack_memory& memory) noexcept override { unmap_stack(memory); }

  std::uint64_t this_thread() noexcept override { return static_cast<std::uint64_t>(syscall(SYS_gettid)); }
  bool enable_interrupts(void (*handler)(std::uint32_t)) noexcept override { return install_interrupts(handler); }
  void interrupt(std::uint64_t thread_name) noexcept override { send_interrupt(thread_name); }
  const void* loaded_as(const void* address) noexcept override { return library_of(address); }
  std::uint64_t foreign_state(bool look) noexcept override { return state_of_other_runtimes(look); }

  unsigned usable_cpus() noexcept override { return takt::platform::usable_cpus(); }
  std::size_t default_stack_bytes() noexcept override { return usual_stack_bytes(); }
};

platform* replaced = nullptr;

}  // namespace

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
