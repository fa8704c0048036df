// Before a task allocates. (A build with TAKT_LAB has lab/seams/scheduler/pause.hpp in this header's place.)
#pragma once

#include "memory/memory_keeper.hpp"

namespace takt::core {

/// `f`, which runs on `w`, could sleep here before it is asked for the budget.
inline void pause_before(worker&, fiber&, memory_report&) noexcept {}

}  // namespace takt::core
