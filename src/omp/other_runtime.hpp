// The OpenMP runtime beside takt. See README.md, "Two runtimes".
#pragma once

#include "sync/atomic.hpp"

namespace takt::core {

/// Converted code has made a parallel call: takt's workers use the CPUs now.
void note_converted_call() noexcept;

}  // namespace takt::core
