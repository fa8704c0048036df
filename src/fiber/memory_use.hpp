// What a computation holds, and where it stands in serial order (src/memory). It travels with its fiber.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

struct fiber;
struct sleeping_task;

struct memory_use {
  /// Bytes that the code on this fiber has taken less those that it has given back. Its own to write, read by all.
  sync::tally<std::int64_t> held{0};
  /// Set by its own code before it leaves the stack to sleep: it does not wait at a join.
  bool sleeps = false;
  /// Set by its own code before it leaves the stack: the join of a fork or loop that it waits for; null: another one.
  const void* waits_for = nullptr;

  // Under the lock of the serial order, while it is in that.
  bool listed = false;
  bool waits = false;                ///< at a join
  const void* counts_in = nullptr;   ///< the join that waits for this task, or will
  sleeping_task* asleep = nullptr;   ///< it sleeps for the budget
  fiber* left = nullptr;
  fiber* right = nullptr;
};

}  // namespace takt::core
