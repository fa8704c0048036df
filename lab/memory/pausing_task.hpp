// A task that hybrid or asyncdf holds back.
#pragma once

#include "memory/sleeping_task.hpp"

#include <cstdint>

namespace takt::core {

struct pausing_task : sleeping_task {
  using sleeping_task::sleeping_task;

  std::uint64_t rounds = 0;  ///< that it sleeps at least, if it is not woken early
  std::uint64_t began = 0;   ///< the round then
  sync::plain<std::uint64_t> wakes_after{};
  sync::plain<pausing_task*> next_sleeper{};
};

}  // namespace takt::core
