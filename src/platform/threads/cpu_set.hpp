// Where threads may run, and which CPUs are the process's.
#pragma once

#include "platform/cpu_set.hpp"

#include <sys/types.h>

namespace takt::platform {

/// Where thread `tid` (0: the calling one) may run. @returns false when the kernel does not tell.
bool affinity_of(pid_t tid, cpu_set& out) noexcept;
/// @returns false when the kernel refuses.
bool set_affinity_of(pid_t tid, const cpu_set& cpus) noexcept;

/// The process's CPUs: those where at least one of its threads may run. A thread that is bound to one of them, for
/// reasons of its own, says nothing about the others; `taskset -a` and a cpuset bind them all. Empty: not known.
cpu_set cpus_of_process() noexcept;

}  // namespace takt::platform
