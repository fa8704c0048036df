// The worker object that a thread keeps from one outermost call to the next.
#pragma once

#include "platform/platform.hpp"

namespace takt::core {

/// Names it to the platform, as what each thread has for itself.
void keep_workers_per_thread(platform::platform& os) noexcept;
/// Whether others have had a part of the last outermost call of this thread.
bool last_call_was_parted() noexcept;

}  // namespace takt::core
