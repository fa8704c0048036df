// The worker object that a thread keeps from one outermost call to the next.
#pragma once

#include "platform/platform.hpp"

#include <cstdint>

namespace takt::core {

/// Names it to the platform, as what each thread has for itself.
void keep_workers_per_thread(platform::platform& os) noexcept;
/// What a loop must take to be worth a call, if others have had a part of a loop in the last one of this thread; else
/// ~0.
std::uint64_t least_ticks_after_last_call() noexcept;

}  // namespace takt::core
