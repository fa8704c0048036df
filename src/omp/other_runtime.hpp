// The OpenMP runtime beside takt. See README.md, "Two runtimes".
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

/// Converted code has made a parallel call: takt's workers use the CPUs now.
void note_converted_call() noexcept;

/// How many threads the team of a region would have: `wanted` by num_threads, or 0. `is_inside`: another thread than the
/// program's may be the one that asks. `is_numbered`: none has a number beyond what the program would be told.
std::uint32_t threads_of_team(std::uint64_t wanted, bool is_inside, bool is_numbered) noexcept;

}  // namespace takt::core
