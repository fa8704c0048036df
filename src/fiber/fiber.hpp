// Fibers: the stacks that tasks run on, with everything that must travel with a computation when it moves to
// another thread. See README.md beside this file.
#pragma once

#include "fiber/memory_use.hpp"
#include "fiber/stack_share.hpp"
#include "fiber/state/frames.hpp"
#include "fiber/state/join.hpp"
#include "fiber/state/policy.hpp"
#include "fiber/state/promotion.hpp"
#include "fiber/state/run.hpp"
#include "fiber/state/stop.hpp"
#include "fiber/state/team.hpp"
#include "platform/floating_point.hpp"
#include "platform/stacks.hpp"
#include "platform/threading.hpp"
#include "sync/spin_lock.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

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
/// Writing the control words costs more than reading them, and they hardly ever differ.
inline void set_environment_if_different(std::uint32_t environment) noexcept {
  if (floating_point_environment() != environment) set_floating_point_environment(environment);
}

struct fiber;

/// One end of a switch, while something else runs.
struct switch_state {
  fcontext_t context = nullptr;
  exception_state exceptions;
  // Sanitizers' views of the stack.
  void* tsan = nullptr;
  void* asan_fake = nullptr;
};

/// What the pool knows of a stack.
struct fiber_stack {
  platform::stack_memory memory;
  std::uint64_t reserved = 0;  ///< for that, as the pool counts it
  fiber* next = nullptr;       ///< in the pool

  // Ticks that tasks have run here since its memory was looked at, and what it had then beside its hot part.
  static constexpr std::uint64_t k_never_looked_at = ~std::uint64_t{0} / 2;
  std::uint64_t ran_since_look = k_never_looked_at;
  std::size_t resident = 0;

  std::size_t call_bytes() const noexcept { return static_cast<std::size_t>(memory.middle - memory.call_low); }
};

/// A struct for each room that keeps something here: what the other rooms need of it they ask by its functions.
struct fiber {
  switch_state saved;
  fiber_stack stack;
  fiber_frames frames;
  fiber_run run;
  fiber_policy policy;
  core::memory_use memory_use;
  fiber_promotion promotion;
  fiber_join join;
  fiber_stop stop;
  fiber_team team;
};

/// One end of a switch that is not a fiber: the stack of an operating-system thread.
struct native_context {
  switch_state saved;
  fiber* target = nullptr;  ///< the fiber switched to last
  const void* asan_low = nullptr;
  std::size_t asan_bytes = 0;
};

/// The calling thread's own end; defined by the worker, read anew at every switch.
native_context& native_of_this_thread() noexcept;

/// Thread's stack -> fiber. Returns when a fiber, not necessarily this one, switches back to the thread.
void switch_to_fiber(native_context& native, fiber& f) noexcept;
/// Fiber -> the stack of the thread that it runs on now. Returns when some thread switches to the fiber again.
void switch_to_native(fiber& f) noexcept;

/// A pool of fibers, shared by all workers, that gives memory back beyond a limit. Thread-safe. See README.md, "Memory
/// of idle stacks".
class fiber_pool {
 public:
  /// `look_ticks`: for so much that has run there the memory of an idle fiber is looked at once, where somebody waits.
  /// `most_bytes`: what all stacks may reserve together; k_no_limit: as much as they like. `are_small`: so that more
  /// fit.
  fiber_pool(platform::stacks& stacks, platform::threading& threading, std::size_t call_bytes, std::size_t keep,
             std::uint64_t look_ticks, std::uint64_t most_bytes, bool are_small) noexcept
      : stacks_(stacks),
        threading_(threading),
        call_bytes_(call_bytes),
        keep_(keep),
        look_ticks_(look_ticks),
        are_small_(are_small),
        share_(most_bytes) {}
  ~fiber_pool();
  fiber_pool(const fiber_pool&) = delete;
  fiber_pool& operator=(const fiber_pool&) = delete;

  /// @returns null when no stack can be had. `in_place_of`: bytes that the program takes if there is none.
  fiber* take(std::uint64_t in_place_of = 0) noexcept;
  void give(fiber* f) noexcept;
  /// Gives a fiber that is smaller than those taken from now on; it is null then.
  void give_if_small(fiber*& f) noexcept {
    if (f != nullptr && f->stack.call_bytes() < call_bytes()) give(std::exchange(f, nullptr));
  }
  /// `f` is nobody's business for now: returns what memory is too much. It is destroyed, and null, if that is all that
  /// helps. What has run for a moment only has not touched much.
  void rest(fiber*& f) noexcept {
    if (f != nullptr && f->stack.ran_since_look >= look_ticks_) look_at(f);
  }
  /// The same where nobody waits: whatever has run there.
  void rest_unhurried(fiber*& f) noexcept {
    if (f != nullptr && f->stack.ran_since_look != 0) look_at(f);
  }

  /// What a stack reserves.
  static std::uint64_t reserve(platform::stacks& stacks, std::size_t call_bytes, bool is_small) noexcept {
    return stacks.stack_reserve(call_bytes, latent_bytes(call_bytes, is_small));
  }

  /// How large the call stack of a fiber is that is taken from now on.
  std::size_t call_bytes() const noexcept { return call_bytes_.load(sync::relaxed); }
  /// A caller has a larger stack: so do all fibers from here on. @returns false, and sizes have not changed, when such
  /// a stack cannot be had, also in the place of idle ones, or there is no room for two.
  bool grow(std::size_t call_bytes) noexcept;

  /// In a child of fork(2), where no other thread is in the middle of something. The list is whole after each store.
  void go_on_alone() noexcept { lock_.go_on_alone(); }

  /// Fibers in use, and the most there have been.
  std::uint64_t live() const noexcept { return live_.load(sync::relaxed); }
  std::uint64_t peak() const noexcept { return peak_.load(sync::relaxed); }

 private:
  static std::size_t latent_bytes(std::size_t call_bytes, bool is_small) noexcept;
  /// Stacks that grow with a caller's are small where there would be no room for two otherwise.
  bool is_small(std::size_t call_bytes) const noexcept {
    return are_small_ || !share_.has_room_for_two(reserve(stacks_, call_bytes, false));
  }
  fiber* make(std::size_t call_bytes, std::uint64_t in_place_of = 0) noexcept;
  void destroy(fiber* f) noexcept;
  void look_at(fiber*& f) noexcept;
  /// @returns null if none is idle.
  fiber* take_unused() noexcept;

  platform::stacks& stacks_;
  platform::threading& threading_;
  sync::atomic<std::size_t> call_bytes_;
  const std::size_t keep_;
  const std::uint64_t look_ticks_;
  const bool are_small_;
  stack_share share_;  ///< of all stacks there are
  /// As last looked at, of all fibers.
  sync::atomic<std::size_t> resident_{0};
  spin_lock lock_;  ///< taken once per steal at most
  fiber* unused_ = nullptr;
  std::size_t unused_count_ = 0;
  sync::atomic<std::uint64_t> live_{0};
  sync::atomic<std::uint64_t> peak_{0};
};

}  // namespace takt::core
