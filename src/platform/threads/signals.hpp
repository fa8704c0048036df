// The signal that reaches code which does not poll. README.md beside platform.hpp has the protocol.
#pragma once

#include <csignal>
#include <cstdint>

namespace takt::platform {

/// Leaves out of `blocked`, the mask of a thread that takt starts, what must reach code of the program that runs there:
/// takt's own signal, and those that a thread brings upon itself by what it does.
void admit_signals(sigset_t& blocked) noexcept;

/// As the functions of platform with such names.
int install_interrupts(void (*handler)(std::uint32_t environment), int signal) noexcept;
void keep_installed(bool in_use) noexcept;
std::uint64_t name_for_interrupts() noexcept;
bool is_open_to_interrupts(std::uint64_t thread_name) noexcept;
bool send_interrupt(std::uint64_t thread_name) noexcept;
void take_back_interrupt() noexcept;
/// What a signal with the code SI_TIMER must carry to be taken for one of ours.
void* value_of_interrupts() noexcept;

/// The floating-point environment of the code that a signal interrupted; `context` is the handler's third argument.
std::uint32_t interrupted_environment(const void* context) noexcept;

}  // namespace takt::platform
