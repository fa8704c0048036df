// Signals as settings name them.
#pragma once

namespace takt::settings {

/// Whether takt may use the signal: none that ends or stops what it is sent to whatever the handler, none that a thread
/// brings upon itself, none of the C library's own.
bool may_use_signal(int number);

/// "SIGUSR2", "USR2", "SIGRTMIN+3", "SIGRTMAX-1" or a number. @returns 0 for what is none that takt may use.
int signal_named(const char* text);

}  // namespace takt::settings
