// Fibers: the stacks that tasks run on, with everything that must travel with a computation when it moves to
// another thread. See README.md beside this file.
#pragma once

#include <takt/abi.hpp>

#include "platform/platform.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>

namespace takt::core {

using boost::context::detail::fcontext_t;
using boost::context::detail::transfer_t;

/// The per-thread part of the C++ exception state (Itanium ABI: caught exceptions, number in flight).
struct exception_state {
  void* caught = nullptr;
  unsigned in_flight = 0;
};
exception_state save_exception_state() noexcept;
void restore_exception_state(const exception_state& state) noexcept;

using platform::floating_point_environment;
using platform::set_floating_point_environment;

class worker;

/// Who waits at a join (src/join).
struct waiter {
  /// The worker whose thread waits in place; null: this is a fiber, and whoever ends the join resumes it.
  worker* held_by = nullptr;
};

struct fiber : waiter {
  fcontext_t context = nullptr;
  platform::stack_memory memory;
  abi::slot* latent_base = nullptr;

  // Saved while the fiber does not run.
  abi::slot* head = nullptr;
  abi::slot* split = nullptr;
  exception_state exceptions;

  // What it runs.
  void (*entry)(fiber*) = nullptr;
  void* argument = nullptr;
  abi::run_function task = nullptr;  ///< of a task that began here; null: a root call
  std::uint32_t scope = 0;  ///< the id of its scope, which travels with it
  std::uint32_t environment = 0;  ///< the floating-point environment that the task started with
  std::uint32_t depth = 0;  ///< nesting depth of the task it runs, for the statistics

  std::uint32_t stays = 0;  ///< how often its code has said that it must go on on this thread

  fiber* next = nullptr;  ///< in the pool

  // Sanitizers' views of the stack.
  void* tsan = nullptr;
  void* asan_fake = nullptr;
};

/// One end of a switch that is not a fiber: the stack of an operating-system thread.
struct native_context {
  fcontext_t context = nullptr;
  exception_state exceptions;
  void* tsan = nullptr;
  void* asan_fake = nullptr;
  struct fiber* target = nullptr;  ///< the fiber switched to last
  const void* asan_low = nullptr;
  std::size_t asan_bytes = 0;
};

/// The calling thread's own end; defined by the worker, read anew at every switch.
native_context& native_of_this_thread() noexcept;

/// Thread's stack -> fiber. Returns when a fiber, not necessarily this one, switches back to the thread.
void switch_to_fiber(native_context& native, fiber& f) noexcept;
/// Fiber -> the stack of the thread that it runs on now. Returns when some thread switches to the fiber again.
void switch_to_native(fiber& f) noexcept;

/// A pool of fibers, shared by all workers, that gives memory back beyond a limit. Thread-safe.
class fiber_pool {
 public:
  fiber_pool(platform::platform& os, std::size_t call_bytes, std::size_t keep) noexcept
      : os_(os), call_bytes_(call_bytes), keep_(keep) {}
  ~fiber_pool();
  fiber_pool(const fiber_pool&) = delete;
  fiber_pool& operator=(const fiber_pool&) = delete;

  /// @returns null when no stack can be had.
  fiber* take() noexcept;
  void give(fiber* f) noexcept;

  /// Fibers in use, and the most there have been.
  std::uint64_t live() const noexcept { return live_.load(sync::relaxed); }
  std::uint64_t peak() const noexcept { return peak_.load(sync::relaxed); }

 private:
  fiber* make() noexcept;
  void destroy(fiber* f) noexcept;
  void lock() noexcept;
  void unlock() noexcept;

  platform::platform& os_;
  std::size_t call_bytes_;
  std::size_t keep_;
  sync::atomic<std::uint32_t> locked_{0};
  fiber* free_ = nullptr;
  std::size_t free_count_ = 0;
  sync::atomic<std::uint64_t> live_{0};
  sync::atomic<std::uint64_t> peak_{0};
};

}  // namespace takt::core
