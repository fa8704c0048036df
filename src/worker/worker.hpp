// A worker: the state of one thread that executes tasks.
#pragma once

#include <takt/abi.hpp>
#include <takt/config.hpp>

#include "fiber/fiber.hpp"
#include "worker/counters.hpp"
#include "worker/entry.hpp"
#include "worker/join_word.hpp"
#include "worker/promotion_rule.hpp"
#include "worker/scopes.hpp"
#include "worker/state/beat.hpp"
#include "worker/state/group.hpp"
#include "worker/state/loop.hpp"
#include "worker/state/memory.hpp"
#include "worker/state/policy.hpp"
#include "worker/state/reach.hpp"
#include "worker/state/scheduler.hpp"
#include "worker/state/seat.hpp"
#include "worker/state/sleep.hpp"

#include <cstdint>

namespace takt::core {

class runtime;
class worker;

/// One outermost parallel call. It lives on the stack of the thread that made the call.
struct root_call {
  void (*fn)(void*);
  void* argument;
  std::uint32_t scope;
  std::uint32_t environment;  ///< the caller's floating-point environment
  worker* adopter;
  bool parted = false;  ///< fiber_run::parted, at its end
  sync::atomic<std::uint32_t> done{0};
};

/// Where the join word of a task is. A fork's is in its slot; the halves of a loop and the children of a group
/// share one, and their slot holds its address instead.
inline join_word* own_join(abi::slot* s) { return std::launder(reinterpret_cast<join_word*>(s->join)); }
static_assert(task_start::k_environment_bits == platform::k_environment_bits);
static_assert(sizeof(join_word) <= sizeof(abi::slot::join) && alignof(join_word) <= 8);

/// A struct for each room that keeps something here: what the other rooms need of it they ask by its functions.
class alignas(abi::k_cache_line) worker {
 public:
  worker(runtime& r, unsigned number, const promotion_rule& says) : owner(r), index(number), beat(says) {}
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // What thieves and wakers touch. Each poll of the others reads whether this one looks for work, and each of its own
  // writes when: lines apart.
  worker_sleep sleep;
  alignas(abi::k_cache_line) worker_reach reach;

  // What hardly anybody but its thread touches.
  runtime& owner;
  const unsigned index;
  worker_seat seat;
  worker_scheduler scheduler;
  worker_policy policy;
  worker_beat beat;
  worker_loop loop;
  worker_memory memory;
  worker_group group;
  counters stats;
};

/// The worker that the calling thread is, or null. Never inlined and never merged: a computation may be on another
/// thread after any call.
worker* this_worker() noexcept;
/// What the calling thread runs, if that is in a call; else null.
inline fiber* this_fiber() noexcept {
  const worker* const w = this_worker();
  return w != nullptr ? w->scheduler.current() : nullptr;
}

/// Marks the thread as inside the runtime: a signal that arrives meanwhile does nothing.
class runtime_scope {
 public:
  runtime_scope() noexcept;
  ~runtime_scope();
  runtime_scope(const runtime_scope&) = delete;
  runtime_scope& operator=(const runtime_scope&) = delete;
};

/// Runs user code in the middle of a runtime scope.
class user_scope {
 public:
  user_scope() noexcept;
  ~user_scope();
  user_scope(const user_scope&) = delete;
  user_scope& operator=(const user_scope&) = delete;
};

}  // namespace takt::core
