// The memory of fibers.
#pragma once

#include "platform/platform.hpp"

#include <cstddef>

namespace takt::platform {

/// As platform::allocate_stack, platform::release_stack and platform::default_stack_bytes.
bool map_stack(std::size_t call_bytes, std::size_t latent_bytes, stack_memory& out) noexcept;
void unmap_stack(stack_memory& memory) noexcept;
std::size_t usual_stack_bytes() noexcept;

}  // namespace takt::platform
