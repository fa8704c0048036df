// Everything the scheduler asks of the operating system and the CPU. The scheduler core calls nothing else, so
// that a simulated platform can run the same sources.
#pragma once

#include "platform/cpu_set.hpp"
#include "platform/placement.hpp"
#include "sync/atomic.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::platform {

struct thread;

/// What a thread sleeps on. A token: unpark() leaves one, park() takes it.
struct parker {
  /// Several threads may wake it at once: no hint is given then where it is to run.
  bool woken_by_many = false;
  sync::atomic<std::uint32_t> token{0};
  // The platform's own: the sleeper, if the platform has started it, and since when it sleeps.
  sync::atomic<thread*> sleeper{nullptr};
  sync::atomic<std::uint64_t> since{0};
};

/// [call stack | latent stack], each with a guard page at its far end; the call stack grows down from `middle`,
/// the latent stack up.
struct stack_memory {
  void* base = nullptr;
  std::size_t bytes = 0;
  std::byte* call_low = nullptr;
  std::byte* middle = nullptr;
  std::byte* latent_high = nullptr;
};

/// A cache that several workers share, where worker i is the one of seat i.
struct shared_cache {
  unsigned level;  ///< as processors count: 3 is outside of 2
  unsigned first;  ///< worker
  unsigned workers;
  std::uint64_t bytes;
  cpu_set cpus{};  ///< where these workers have to run; empty: wherever they are for the caches outside of it
};

/// What the scheduler says of itself, for platforms on which time is made up; those of credit and iterations come with
/// how much or how many, that of memory with the bytes that are reported now.
enum class action { promotion, steal, call_begins, call_ends, credit, iterations, memory };

class platform {
 public:
  virtual ~platform() = default;

  /// Ticks of a clock that never goes back on one thread and agrees between threads to well below a beat.
  virtual std::uint64_t now() noexcept = 0;
  virtual double ticks_per_second() noexcept = 0;

  /// Starts a thread. @returns null when none can be had. `is_small`: address space is short, and it needs little.
  virtual thread* start_thread(void (*fn)(void*), void* argument, bool is_small) noexcept = 0;
  virtual void join_thread(thread* t) noexcept = 0;

  /// Blocks until the parker has a token, and takes it. @returns false when `timeout_ticks` (0: none) passed first.
  virtual bool park(parker& p, std::uint64_t timeout_ticks) noexcept = 0;
  virtual void unpark(parker& p) noexcept = 0;
  /// One step of a spin loop; later rounds give the CPU away.
  virtual void relax(unsigned round) noexcept = 0;
  /// Seed for one worker's choice of victims.
  virtual std::uint64_t seed() noexcept = 0;

  /// Reserves a fiber's memory. @returns false when it cannot be had; `out` is untouched then.
  virtual bool allocate_stack(std::size_t call_bytes, std::size_t latent_bytes, stack_memory& out) noexcept = 0;
  virtual void release_stack(stack_memory& memory) noexcept = 0;
  /// What allocate_stack() reserves for such a stack.
  virtual std::size_t stack_reserve(std::size_t call_bytes, std::size_t latent_bytes) noexcept {
    return call_bytes + latent_bytes;
  }
  /// What the limits of the process leave for new mappings: k_no_limit where there is none.
  static constexpr std::uint64_t k_no_limit = ~std::uint64_t{0};
  virtual std::uint64_t address_space_left() noexcept { return k_no_limit; }
  /// What a thread of start_thread() reserves.
  virtual std::size_t thread_reserve(bool is_small) noexcept {
    (void)is_small;
    return 0;
  }
  /// Of the memory of a stack on which nothing runs: what is resident, without what is used at each start (its hot
  /// part). 0 where stacks have no pages.
  virtual std::size_t resident_bytes(const stack_memory& memory) noexcept {
    (void)memory;
    return 0;
  }
  /// Gives that back. @returns false when the system refuses.
  virtual bool trim_stack(stack_memory& memory) noexcept {
    (void)memory;
    return true;
  }

  /// A name for the calling thread, by which others reach it while it lives.
  virtual std::uint64_t this_thread() noexcept = 0;
  /// Makes `handler` run on a thread that interrupt() names, with the floating-point environment of the code that it
  /// interrupted. `signal`: a number that the process has chosen, 0 for the platform's choice. @returns the number; 0
  /// when the platform cannot.
  virtual int enable_interrupts(void (*handler)(std::uint32_t environment), int signal) noexcept = 0;
  /// Gives signals back to the program: all but, if `in_use`, that of the last enable_interrupts(). Only while none is
  /// sent.
  virtual void keep_interrupts(bool in_use) noexcept { (void)in_use; }
  /// Whether a signal would reach the thread now. Takes as long as reading a file, except for the calling thread.
  virtual bool takes_interrupts(std::uint64_t thread_name) noexcept {
    (void)thread_name;
    return true;
  }
  /// @returns false when no signal has been sent.
  virtual bool interrupt(std::uint64_t thread_name) noexcept = 0;
  /// After this no signal that was sent to the calling thread, and is not on its way any more, will arrive.
  virtual void recall_interrupt() noexcept {}
  /// Where other threads find `variable` of the calling thread, a thread-local one; null on platforms where they
  /// cannot.
  virtual void* seen_by_others(void* variable) noexcept {
    (void)variable;
    return nullptr;
  }

  /// Whether frames of other runtimes (OpenMP's, oneTBB's) may be on the calling thread's stack from `low` to `high`.
  virtual bool foreign_frames(const void* low, const void* high) noexcept {
    (void)low, (void)high;
    return false;
  }

  /// What holds that address: another value after the library with it has been unloaded, even if a new one lies there.
  /// Null when that cannot be told. Async-signal-safe.
  virtual const void* loaded_as(const void* address) noexcept {
    (void)address;
    return this;
  }

  /// The calling thread's, as a number that is another one where others are blocked.
  virtual std::uint64_t blocked_signals() noexcept { return 0; }

  /// The process is a child of fork(2): the calling thread is its first, whatever it was before.
  virtual void begin_in_child() noexcept {}

  /// Names a variable of the calling thread that each thread must have for itself, beside takt_hot, and what is to be
  /// called when a thread ends. For platforms whose threads are none of the operating system's.
  virtual void keep_per_thread(void* variable, std::size_t bytes, void (*at_end)() noexcept) noexcept {
    (void)variable, (void)bytes, (void)at_end;
  }
  /// From now on `at_end` will be called when the calling thread ends. @returns false when that cannot be had.
  virtual bool watch_this_thread() noexcept { return true; }

  /// What the scheduler has just done, and what it knows of the program: credit that was used up (units), and the
  /// iterations of a leaf loop that it has run without credit.
  virtual void note(action, std::uint64_t) noexcept {}
  void note(action what) noexcept { note(what, 1); }
  /// The program says that it uses the memory [first, first + bytes), for platforms with made-up caches.
  virtual void touched(const void* first, std::size_t bytes) noexcept { (void)first, (void)bytes; }
  /// What `iterations` of a plain loop took; `ticks` by the clock.
  virtual std::uint64_t took(std::uint64_t iterations, std::uint64_t ticks) noexcept {
    (void)iterations;
    return ticks;
  }

  /// How many workers a runtime has here, whatever its settings say; 0: what they say.
  virtual unsigned fixed_workers() noexcept { return 0; }
  /// What the calling thread has had of a CPU so far, in ticks: it stands while others run.
  virtual std::uint64_t cpu_time() noexcept { return now(); }
  /// The shared caches of so many workers, who are meant for the CPUs that are `wanted`, in `out`, the outer levels first, and those of a level by their first worker;
  /// each level has all workers. None where workers would have to share CPUs.
  /// @returns how many there are; what is beyond `most` is left out.
  virtual std::size_t shared_caches(unsigned workers, const placement& wanted, shared_cache* out,
                                    std::size_t most) noexcept {
    (void)workers, (void)wanted, (void)out, (void)most;
    return 0;
  }
  /// The calling thread, if start_thread() has made it, runs on these CPUs from now on, as far as they are the
  /// process's and nobody else has bound it; null: on all of the process's. The set stays as it is until the next call,
  /// or the thread's end.
  virtual void keep_to(const cpu_set* cpus) noexcept { (void)cpus; }
  /// Whether that binds threads of this process, as of now.
  virtual bool can_keep_to() noexcept { return false; }
  /// CPUs that the process may use now, at least 1.
  virtual unsigned usable_cpus() noexcept = 0;
  /// What usable_cpus() may ever come to.
  virtual unsigned most_cpus() noexcept { return usable_cpus(); }
  virtual std::size_t default_stack_bytes() noexcept = 0;
  /// How large the calling thread's own stack may get; 0: memory is too short to find out.
  virtual std::size_t this_stack_bytes() noexcept { return default_stack_bytes(); }
};

/// The platform in use (`threads` unless replaced).
platform& current() noexcept;
/// Replaces the platform; only while the runtime is not configured. @returns the one before.
platform* replace(platform* p) noexcept;

/// The platform for a new runtime: the one in use, or, where TAKT_SIM asks for it, that of the simulator, which the
/// first call puts in its place; see door.hpp. Without a simulator the process ends, after a line on stderr, with exit
/// code 2. Only under the lock of whoever makes a runtime.
struct scheduler_view;
platform& for_runtime(const scheduler_view& scheduler) noexcept;

/// Unit tests and the tool read the worker count through this; see threads/cpu_count.hpp.
platform& threads() noexcept;

/// The control bits of SSE and x87 (x86-64), or of FPCR (ARM64), in k_environment_bits. Exception flags are results,
/// not environment: they are left out.
inline constexpr unsigned k_environment_bits = 27;
std::uint32_t floating_point_environment() noexcept;
void set_floating_point_environment(std::uint32_t environment) noexcept;

}  // namespace takt::platform
