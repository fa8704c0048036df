// A task that sleeps before it allocates.
#pragma once

#include "fiber/fiber.hpp"
#include "sync/atomic.hpp"
#include "worker/join_word.hpp"

#include <cstdint>

namespace takt::core {

/// What a task is about to take. `told` has been gathered on its worker, with this; `own` is this alone. Bytes.
struct memory_report {
  std::int64_t told = 0;
  std::int64_t own = 0;
};

/// A task that sleeps before it allocates; on its own stack. To its fiber it is a join with one child, which is done
/// when the task is woken.
struct sleeping_task {
  explicit sleeping_task(fiber& f) noexcept : of(&f) { word.begin(1, {}); }

  join_word word;
  fiber* of;
  memory_report report{};  ///< to be counted when it is woken
  sync::plain<sleeping_task*> next_sleeper{};
};

}  // namespace takt::core
