// The platform of real threads: pthreads, futexes, mmap and the CPU's time-stamp counter.

#include "platform/platform.hpp"
#include "platform/threads/caches.hpp"
#include "platform/threads/cpu_count.hpp"
#include "platform/threads/foreign.hpp"
#include "platform/threads/modules.hpp"
#include "platform/threads/scheduling.hpp"
#include "platform/threads/signals.hpp"
#include "platform/threads/stacks.hpp"
#include "platform/threads/thread_end.hpp"
#include "platform/threads/usable_memory.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <cstring>

#include <algorithm>
#include <cerrno>
#include <new>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace takt::platform {

struct thread {
  pthread_t id;
  void (*fn)(void*);
  void* argument;
  scheduled_thread scheduled;
  sigset_t inherited;  ///< the mask of the thread that started it
};

namespace {

thread_local thread* started_here = nullptr;  // the calling thread, if start_thread() made it

// Our system calls are none of the program's: it finds its errno as it was, whatever a filter has them say.
class errno_kept {
 public:
  errno_kept() noexcept : saved_(errno) {}
  ~errno_kept() { errno = saved_; }
  errno_kept(const errno_kept&) = delete;
  errno_kept& operator=(const errno_kept&) = delete;

 private:
  const int saved_;
};

#if defined(__x86_64__)
// A sandbox may forbid the counter: to read it is a segmentation fault then (prctl, PR_SET_TSC).
sync::atomic<bool> counter_traps{false};
void look_for_counter() noexcept {
  const int before = errno;
  int mode = PR_TSC_ENABLE;
  counter_traps.store(prctl(PR_GET_TSC, &mode, 0, 0, 0) == 0 && mode == PR_TSC_SIGSEGV, sync::relaxed);
  errno = before;
}
#else
void look_for_counter() noexcept {}
#endif

// Of no use where the CPU tells the rate of its counter.
[[maybe_unused]] std::uint64_t monotonic_ns() noexcept {
  timespec t{};
#if defined(__x86_64__)
  // The C library's clock may read the counter, too.
  if (counter_traps.load(sync::relaxed)) {
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  } else {
    clock_gettime(CLOCK_MONOTONIC, &t);
  }
#else
  clock_gettime(CLOCK_MONOTONIC, &t);
#endif
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint64_t read_ticks() noexcept {
#if defined(__x86_64__)
  return counter_traps.load(sync::relaxed) ? monotonic_ns() : __rdtsc();
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

void* thread_main(void* p) {
  auto* self = static_cast<thread*>(p);
  // What runs here belongs to calls of other threads: nobody can mean to cancel it with this one.
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  started_here = self;
  // By the thread itself: for another one the C library opens a file that a program executed meanwhile would inherit.
  pthread_setname_np(pthread_self(), "takt");
  begin_as_process(self->scheduled);
  self->fn(self->argument);
  return nullptr;
}

bool take_token(parker& p) noexcept {
  // EDGE park.token: what the waker wrote before it left the token is seen by whoever takes it.
  if (p.token.exchange(0, sync::acquire) == 0) return false;
  if (started_here != nullptr) follow_process(started_here->scheduled);
  return true;
}

class threads_platform final : public platform {
 public:
  std::uint64_t now() noexcept override { return read_ticks(); }
  double ticks_per_second() noexcept override {
    // No static of a function: a child of a process that forks meanwhile would find its guard locked for ever.
    double rate = rate_.load(sync::relaxed);
    if (rate == 0) {
      // Nobody reads the clock before its rate.
      look_for_counter();
      rate = measure_tick_rate();
      double none = 0;
      if (!rate_.compare_exchange_strong(none, rate, sync::relaxed, sync::relaxed)) rate = none;
    }
    return rate;
  }

  thread* start_thread(void (*fn)(void*), void* argument, bool is_small) noexcept override {
    const errno_kept kept;
    auto* t = new (std::nothrow) thread{{}, fn, argument, {}, {}};
    if (t == nullptr) return nullptr;
    const std::size_t stack_bytes = own_thread_bytes(is_small);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    t->scheduled.kept_off =
        cpus_to_start_on(t->scheduled) &&
        pthread_attr_setaffinity_np(&attributes, cpu_set::k_bytes,
                                    reinterpret_cast<const cpu_set_t*>(t->scheduled.narrowed.words())) == 0;
    // Signals of the program go to the program's threads.
    sigset_t all;
    sigfillset(&all);
    admit_signals(all);
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    t->inherited = before;
    int error = pthread_create(&t->id, &attributes, &thread_main, t);
    if (error != 0 && error != EAGAIN && t->scheduled.kept_off) {
      // A hint that cannot be given must not cost the thread.
      drop_hints();
      t->scheduled.kept_off = false;
      pthread_attr_destroy(&attributes);
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, stack_bytes);
      error = pthread_create(&t->id, &attributes, &thread_main, t);
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) {
      delete t;
      return nullptr;
    }
    return t;
  }
  void join_thread(thread* t) noexcept override {
    pthread_join(t->id, nullptr);
    delete t;
  }

  bool park(parker& p, std::uint64_t timeout_ticks) noexcept override {
    const errno_kept kept;
    timespec timeout{};
    if (timeout_ticks != 0) {
      const double ns = static_cast<double>(timeout_ticks) * 1e9 / ticks_per_second();
      timeout.tv_sec = static_cast<time_t>(ns / 1e9);
      timeout.tv_nsec = static_cast<long>(ns - static_cast<double>(timeout.tv_sec) * 1e9);
    }
    p.since.store(read_ticks(), sync::relaxed);
    // EDGE park.sleeper
    p.sleeper.store(started_here, sync::release);
    bool is_woken = false;
    for (;;) {
      if ((is_woken = take_token(p))) break;
      const long r =
          syscall(SYS_futex, &p.token, FUTEX_WAIT_PRIVATE, 0, timeout_ticks != 0 ? &timeout : nullptr, nullptr, 0);
      if (r != 0 && errno == ETIMEDOUT) {
        is_woken = take_token(p);
        break;
      }
    }
    // Another thread may have the parker next, and this one may end. Who wakes it now leaves a token, for which it waits.
    p.sleeper.store(nullptr, sync::relaxed);
    return is_woken;
  }
  void unpark(parker& p) noexcept override {
    const errno_kept kept;
    // EDGE park.sleeper: the thread has its number.
    if (thread* t = p.sleeper.load(sync::acquire); t != nullptr && !p.woken_by_many) {
      const std::uint64_t since = p.since.load(sync::relaxed);
      const std::uint64_t now = read_ticks();
      if (now > since && static_cast<double>(now - since) > k_long_sleep_s * ticks_per_second())
        keep_off_this_cpu(t->scheduled);
    }
    // EDGE park.token
    p.token.store(1, sync::release);
    syscall(SYS_futex, &p.token, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
  void relax(unsigned round) noexcept override {
    if (round % 64 == 63) {
      const errno_kept kept;
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
    const errno_kept kept;
    return map_stack(call_bytes, latent_bytes, out);
  }
  void release_stack(stack_memory& memory) noexcept override {
    const errno_kept kept;
    unmap_stack(memory);
  }
  std::size_t stack_reserve(std::size_t call_bytes, std::size_t latent_bytes) noexcept override {
    return mapped_for_stack(call_bytes, latent_bytes);
  }
  std::uint64_t address_space_left() noexcept override {
    const errno_kept kept;
    return unmapped_space().bytes;
  }
  std::size_t thread_reserve(bool is_small) noexcept override {
    const errno_kept kept;
    return own_thread_bytes(is_small);
  }
  std::size_t resident_bytes(const stack_memory& memory) noexcept override {
    const errno_kept kept;
    return bytes_beyond_hot(memory);
  }
  bool trim_stack(stack_memory& memory) noexcept override {
    const errno_kept kept;
    return give_back_beyond_hot(memory);
  }

  std::uint64_t this_thread() noexcept override {
    const errno_kept kept;
    return name_for_interrupts();
  }
  int enable_interrupts(void (*handler)(std::uint32_t), int signal) noexcept override {
    const errno_kept kept;
    return install_interrupts(handler, signal);
  }
  void keep_interrupts(bool in_use) noexcept override {
    const errno_kept kept;
    keep_installed(in_use);
  }
  bool takes_interrupts(std::uint64_t thread_name) noexcept override {
    const errno_kept kept;
    return is_open_to_interrupts(thread_name);
  }
  bool interrupt(std::uint64_t thread_name) noexcept override {
    const errno_kept kept;
    return send_interrupt(thread_name);
  }
  void recall_interrupt() noexcept override {
    const errno_kept kept;
    take_back_interrupt();
  }
  void* seen_by_others(void* variable) noexcept override { return variable; }
  const void* loaded_as(const void* address) noexcept override { return library_of(address); }
  bool foreign_frames(const void* low, const void* high) noexcept override {
    return frames_of_other_runtimes(low, high);
  }

  std::uint64_t blocked_signals() noexcept override {
    sigset_t blocked;
    std::uint64_t first = 0;
    if (pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0) std::memcpy(&first, &blocked, sizeof first);
    return first;
  }
  void begin_in_child() noexcept override {
    if (started_here == nullptr) return;
    // A task has forked. The child, and what it starts with exec, is to be reached by signals like any process.
    pthread_sigmask(SIG_SETMASK, &started_here->inherited, nullptr);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
    let_go(started_here->scheduled);
    started_here = nullptr;
  }

  std::uint64_t cpu_time() noexcept override {
    const errno_kept kept;
    // The system call: where the counter traps, the C library's clock is not asked. Refused: no time at all.
    timespec t{};
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
    const double seconds = static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
    return static_cast<std::uint64_t>(seconds * ticks_per_second());
  }
  unsigned usable_cpus() noexcept override {
    const errno_kept kept;
    cpu_sources machine;
    machine.affinity = &look_at_process_cpus;
    return takt::platform::usable_cpus(machine);
  }
  unsigned most_cpus() noexcept override {
    const errno_kept kept;
    const long all = sysconf(_SC_NPROCESSORS_CONF);
    return all > 0 ? static_cast<unsigned>(all) : 1u;
  }
  std::size_t shared_caches(unsigned workers, const placement& wanted, shared_cache* out,
                            std::size_t most) noexcept override {
    const errno_kept kept;
    try {
      const std::vector<shared_cache> all = find_seats(workers, wanted).caches;
      std::copy_n(all.begin(), std::min(most, all.size()), out);
      return all.size();
    } catch (...) {
      // No memory: nothing is known of caches.
      return 0;
    }
  }
  bool can_keep_to() noexcept override {
    const errno_kept kept;
    return takt::platform::can_keep_to();
  }
  void keep_to(const cpu_set* cpus) noexcept override {
    if (started_here == nullptr) return;
    const errno_kept kept;
    takt::platform::keep_to(started_here->scheduled, cpus);
  }
  std::size_t default_stack_bytes() noexcept override {
    const errno_kept kept;
    return usual_stack_bytes();
  }

  void keep_per_thread(void*, std::size_t, void (*at_end)() noexcept) noexcept override { at_thread_end(at_end); }
  bool watch_this_thread() noexcept override { return watch_for_thread_end(); }
  std::size_t this_stack_bytes() noexcept override {
    const errno_kept kept;
    return own_stack_bytes();
  }

 private:
  sync::atomic<double> rate_{0};
};

platform* replaced = nullptr;

// Never destroyed: threads outlive static destructors. Made before anything runs: no guard that a fork could copy.
constinit union forever {
  constexpr forever() : platform() {}
  ~forever() {}
  threads_platform platform;
} real;

}  // namespace

platform& threads() noexcept { return real.platform; }

platform& current() noexcept { return replaced != nullptr ? *replaced : threads(); }

platform* replace(platform* p) noexcept {
  platform* before = replaced;
  replaced = p;
  return before;
}

}  // namespace takt::platform
