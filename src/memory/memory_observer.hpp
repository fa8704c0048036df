// What the scheduler tells of computations and workers, and asks, for who decides when a task may allocate.
#pragma once

#include "fiber/fiber.hpp"
#include "worker/join_word.hpp"

#include <cstdint>

namespace takt::core {

class worker;

/// Hears and answers nothing, as long as no task is ever made to wait.
class memory_observer {
 public:
  memory_observer() = default;
  memory_observer(const memory_observer&) = delete;
  memory_observer& operator=(const memory_observer&) = delete;
  virtual ~memory_observer() = default;

  // --- of a computation, in this order
  /// It is about to begin: an outermost call, if `task` is null; else a task with that record, which counts in `join`,
  /// and `home` is its group's fiber, or null.
  virtual void begins(fiber& /*f*/, abi::slot* /*task*/, const join_word* /*join*/, const fiber* /*home*/) noexcept {}
  /// Somebody is about to run it: at its begin, and after each wait.
  virtual void runs(fiber& /*f*/) noexcept {}
  /// Whether the order of tasks matters: of a loop there are two halves then, and no more.
  virtual bool keeps_order() const noexcept { return false; }
  /// It runs the second half of that loop, which it has promoted, and somebody else has the first.
  virtual void takes_second_first(join_word& /*loop*/) noexcept {}
  /// It has left its stack, for a join, or to sleep, and has not arrived yet.
  virtual void waits(fiber& /*f*/) noexcept {}
  /// Its join is over.
  virtual void goes_on(fiber& /*f*/) noexcept {}
  /// It goes on behind that join.
  virtual void joined(fiber& /*f*/, const join_word* /*join*/) noexcept {}
  /// Its code is over, and nobody has been told.
  virtual void passes_on(fiber& /*f*/) noexcept {}
  /// It is done; whoever its end makes ready has been told so (goes_on).
  virtual void ends(fiber& /*f*/) noexcept {}
  /// One of that call waits, and may run elsewhere already.
  virtual void settle(std::uint32_t /*scope*/) noexcept {}

  // --- of a worker
  /// The calling thread is `w`'s from here on.
  virtual void takes_thread(worker& /*w*/) noexcept {}
  /// It will not come by any more: those that sleep of its call are everybody's.
  virtual void hand_over_all(worker& /*w*/) noexcept {}
  /// In a child of fork(2), in which `w` is the only worker, in the middle of a computation.
  virtual void go_on_alone(const worker& /*w*/) noexcept {}

  // --- who sleeps and may go on
  /// `w` has nothing to do. @returns a fiber for it to resume whose time has come; or null.
  virtual fiber* take_due(worker& /*w*/) noexcept { return nullptr; }
  /// `w` has found nothing. @returns a fiber for it to resume, due or not, if nobody else runs anything.
  virtual fiber* take_early(worker& /*w*/) noexcept { return nullptr; }
  /// `w` waits for one thing, in vain so far. @returns a fiber for it to resume that sleeps, and that it awaits.
  virtual fiber* take_awaited(worker& /*w*/) noexcept { return nullptr; }
  /// The second look before `w` parks: the scope of the first that it may resume; 0: there is none.
  virtual std::uint32_t scope_of_any_for(const worker& /*w*/) noexcept { return 0; }
  bool is_any_for(const worker& w) noexcept { return scope_of_any_for(w) != 0; }
  /// `f` is ready, on its stack, and `w` would resume it. @returns whether it is left to who comes to it.
  virtual bool leaves_in_order(const worker& /*w*/, fiber& /*f*/) noexcept { return false; }
};

}  // namespace takt::core
