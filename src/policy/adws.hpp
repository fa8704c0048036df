// Almost deterministic work stealing (ADWS paper), and multi-level scheduling.
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

struct adws_kind {
  bool plans;   ///< almost deterministic work stealing; else random, which is of interest with levels only
  bool levels;  ///< caches first, then the workers that share one (sections 4 and 5)
  bool may_bind;  ///< workers to the CPUs of the caches
};

/// @throws std::bad_alloc
std::unique_ptr<policy> make_adws(runtime& r, adws_kind kind);

}  // namespace takt::core
