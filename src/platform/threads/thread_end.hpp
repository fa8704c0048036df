// What is to happen when a thread that is not takt's own ends.
#pragma once

namespace takt::platform {

/// Names the function. Not at the same time as anything else here.
void at_thread_end(void (*fn)() noexcept) noexcept;
/// It will be called when the calling thread ends. @returns false when that cannot be had.
bool watch_for_thread_end() noexcept;

}  // namespace takt::platform
