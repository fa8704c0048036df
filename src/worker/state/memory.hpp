// What the memory of its tasks needs of a worker (src/memory).
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

struct worker_memory {
  /// What its code has taken, less what it has given back, since this was last told. Bytes.
  sync::tally<std::int64_t> unreported{0};
  /// Those of its thread when that came, where allocations are watched.
  std::uint64_t blocked_signals = 0;
};

}  // namespace takt::core
