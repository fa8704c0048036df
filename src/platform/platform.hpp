// Everything the scheduler asks of the operating system and the CPU. The scheduler core calls nothing else, so
// that a simulated platform can run the same sources.
#pragma once

#include "sync/atomic.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::platform {

struct thread;

/// What a thread sleeps on. A token: unpark() leaves one, park() takes it.
struct parker {
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

/// What the scheduler says of itself, for platforms on which time is made up; those of credit and iterations come with
/// how much or how many.
enum class action { promotion, steal, call_begins, call_ends, credit, iterations };

class platform {
 public:
  virtual ~platform() = default;

  /// Ticks of a clock that never goes back on one thread and agrees between threads to well below a beat.
  virtual std::uint64_t now() noexcept = 0;
  virtual double ticks_per_second() noexcept = 0;

  /// Starts a thread. @returns null when none can be had.
  virtual thread* start_thread(void (*fn)(void*), void* argument) noexcept = 0;
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

  /// A name for the calling thread that interrupt() understands; stays valid until the thread ends.
  virtual std::uint64_t this_thread() noexcept = 0;
  /// Makes `handler` run on a thread that interrupt() names, with the floating-point environment of the code that it
  /// interrupted. @returns false when the platform cannot.
  virtual bool enable_interrupts(void (*handler)(std::uint32_t environment)) noexcept = 0;
  virtual void interrupt(std::uint64_t thread_name) noexcept = 0;

  /// What other runtimes (OpenMP's, oneTBB's) think the calling thread is doing. It is another value while code of
  /// theirs, or that they have called, is on the stack above where it was asked before. `look`: also of runtimes that
  /// may have been loaded since.
  virtual std::uint64_t foreign_state(bool look) noexcept {
    (void)look;
    return 0;
  }

  /// What holds that address: another value after the library with it has been unloaded, even if a new one lies there.
  /// Null when that cannot be told. Async-signal-safe.
  virtual const void* loaded_as(const void* address) noexcept {
    (void)address;
    return this;
  }

  /// Names a variable of the calling thread that each thread must have for itself, beside takt_hot, and what is to be
  /// called when a thread ends. For platforms whose threads are none of the operating system's.
  virtual void keep_per_thread(void* variable, std::size_t bytes, void (*at_end)() noexcept) noexcept {
    (void)variable, (void)bytes, (void)at_end;
  }

  /// What the scheduler has just done, and what it knows of the program: credit that was used up (units), and the
  /// iterations of a leaf loop that it has run without credit.
  virtual void note(action, std::uint64_t) noexcept {}
  void note(action what) noexcept { note(what, 1); }
  /// What `iterations` of a plain loop took; `ticks` by the clock.
  virtual std::uint64_t took(std::uint64_t iterations, std::uint64_t ticks) noexcept {
    (void)iterations;
    return ticks;
  }

  virtual unsigned usable_cpus() noexcept = 0;
  virtual std::size_t default_stack_bytes() noexcept = 0;
};

/// The platform in use (`threads` unless replaced).
platform& current() noexcept;
/// Replaces the platform; only while the runtime is not configured. @returns the one before.
platform* replace(platform* p) noexcept;

/// Unit tests and the tool read the worker count through this; see threads/cpu_count.hpp.
platform& threads() noexcept;

/// The control bits of SSE and x87 (x86-64), or of FPCR (ARM64), in k_environment_bits. Exception flags are results, not
/// environment: they are left out.
inline constexpr unsigned k_environment_bits = 27;
std::uint32_t floating_point_environment() noexcept;
void set_floating_point_environment(std::uint32_t environment) noexcept;

}  // namespace takt::platform
