// The beats of a worker (src/promotion).
#pragma once

#include "cost/grants.hpp"
#include "sync/atomic.hpp"
#include "worker/promotion_rule.hpp"

#include <cstdint>

namespace takt::core {

struct worker_beat {
  explicit worker_beat(const promotion_rule& says) noexcept : rule(says) {}

  /// Tasks that others have taken from this one and done, and that were worth it, since its last beat
  /// (src/promotion/README.md, "More than one for a beat"). A hint.
  sync::atomic<std::uint32_t> done_by_others{0};
  /// Ticks, a beat at most: what it has done of others' tasks, less a share for each that it has told of.
  std::uint64_t worth = 0;
  std::uint64_t last_poll = 0;
  std::uint64_t last_promotion = 0;
  bool kept = false;      ///< the token: a beat was due and found nothing to promote
  bool refilled = false;  ///< the credit was set to the refill at `last_poll`: what is left of it tells what was spent
  std::int64_t refill = 0;
  /// Taken off the credit that the fast paths see, so that each push comes by the runtime; 0: is not.
  std::int64_t watch = 0;
  std::int64_t credit_noted = 0;        ///< the credit from which on nothing has been noted
  sync::atomic<std::uint64_t> cuts{0};  ///< how often a signal, or another worker, has taken the credit away
  cost::grants granted;                 ///< of what runs free, until it leaves the fiber it runs
  std::uint32_t band_rest = 0;          ///< polls until there may be a band of free forks again
  [[no_unique_address]] rule_state rule;
};

}  // namespace takt::core
