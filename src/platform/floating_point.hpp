// The floating-point environment of the calling thread.
#pragma once

#include <cstdint>

namespace takt::platform {

/// The control bits of SSE and x87 (x86-64), or of FPCR (ARM64), in k_environment_bits. Exception flags are results,
/// not environment: they are left out.
inline constexpr unsigned k_environment_bits = 27;
std::uint32_t floating_point_environment() noexcept;
void set_floating_point_environment(std::uint32_t environment) noexcept;

}  // namespace takt::platform
