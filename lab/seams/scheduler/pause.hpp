// Before a task allocates, under hybrid and asyncdf, in place of src/scheduler/pause.hpp.
#pragma once

#include "memory/memory_keeper.hpp"

namespace takt::core {

/// `f`, which runs on `w`, sleeps if it is to; it goes on here or on another thread.
void pause_before(worker& w, fiber& f, memory_report& report) noexcept;

}  // namespace takt::core
