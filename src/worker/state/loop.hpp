// What a worker knows of the loops that it has run (src/loop).
#pragma once

#include <takt/abi.hpp>

#include "cost/burst.hpp"
#include "cost/numbers.hpp"

#include <cstdint>
#include <utility>

namespace takt::core {

struct worker_loop {
  /// It goes to another computation: the ones outside of calls have been run by the thread.
  void begin_call(const cost::burst& outside) noexcept { burst = outside; }
  /// What it runs now is long enough to be given away.
  void end_short_ones(std::uint64_t now, std::uint64_t least) noexcept { burst.end_long(now, least); }
  bool has_not_begun(const abi::loop_frame& frame) const noexcept { return begun == &frame; }
  /// The next one of each kind is timed.
  void time_next() noexcept { short_count = nested_count = cost::k_timed_share - 1; }
  std::uint64_t take_ticks() noexcept { return std::exchange(ticks, 0); }

  const abi::loop_frame* begun = nullptr;  ///< it has been pushed last, and none of it has begun
  /// Estimated time of the short ones since the last poll that the credit did not cover.
  std::uint64_t ticks = 0;
  cost::burst burst;               ///< those since the last pause
  std::uint32_t short_count = 0;   ///< how many have been short
  std::uint32_t nested_count = 0;  ///< of OpenMP, in the middle of a nest, that were not free
};

}  // namespace takt::core
