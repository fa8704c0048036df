// Other runtimes in the process: whether frames of theirs are on a stack.
#pragma once

namespace takt::platform {

/// As platform::foreign_frames.
bool frames_of_other_runtimes(const void* low, const void* high) noexcept;

}  // namespace takt::platform
