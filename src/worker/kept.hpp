// The worker object that a thread keeps from one outermost call to the next.
#pragma once

#include "platform/platform.hpp"

namespace takt::core {

/// Names it to the platform, as what each thread has for itself.
void keep_workers_per_thread(platform::platform& os) noexcept;

}  // namespace takt::core
