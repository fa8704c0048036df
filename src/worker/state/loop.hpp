// What a worker knows of the loops that it has run (src/loop).
#pragma once

#include <takt/abi.hpp>

#include "cost/burst.hpp"
#include "cost/claims.hpp"

#include <cstdint>

namespace takt::core {

struct worker_loop {
  const abi::loop_frame* begun = nullptr;  ///< it has been pushed last, and none of it has begun
  /// Estimated time of the short ones since the last poll that the credit did not cover.
  std::uint64_t ticks = 0;
  cost::burst burst;               ///< those since the last pause
  std::uint32_t short_count = 0;   ///< how many have been short
  std::uint32_t nested_count = 0;  ///< of OpenMP, in the middle of a nest, that were not free
  cost::remembered_claims claims;
};

}  // namespace takt::core
