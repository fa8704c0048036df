// The signal that reaches code which does not poll.
#pragma once

#include <csignal>
#include <cstdint>

namespace takt::platform {

/// Leaves takt's own signal out of `blocked`, the mask of a thread that takt starts.
void admit_interrupts(sigset_t& blocked) noexcept;

/// As platform::enable_interrupts and platform::interrupt.
bool install_interrupts(void (*handler)(std::uint32_t environment)) noexcept;
void send_interrupt(std::uint64_t thread_name) noexcept;

/// The floating-point environment of the code that a signal interrupted; `context` is the handler's third argument.
std::uint32_t interrupted_environment(const void* context) noexcept;

}  // namespace takt::platform
