// Other runtimes in the process: whether code of theirs, or that they have called, is on a thread's stack.
#pragma once

#include <cstdint>

namespace takt::platform {

/// As platform::foreign_state. Looks for runtimes that have been loaded since the last time if `look` is true.
std::uint64_t state_of_other_runtimes(bool look) noexcept;

}  // namespace takt::platform
