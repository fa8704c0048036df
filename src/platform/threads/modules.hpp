// The libraries that make up the process.
#pragma once

namespace takt::platform {

/// As platform::loaded_as.
const void* library_of(const void* address) noexcept;

}  // namespace takt::platform
