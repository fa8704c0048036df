// Almost deterministic work stealing (ADWS paper), and multi-level scheduling.
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

struct adws_kind {
  bool levels;  ///< caches first, then the workers that share one (sections 4 and 5)
  bool may_bind;  ///< workers to the CPUs of the caches, in the order of the topology
  bool does_plan = true;  ///< see plans (others.hpp); else who promotes keeps, and thieves choose at random
};

/// @throws std::bad_alloc
std::unique_ptr<policy> make_adws(runtime& r, adws_kind kind);

}  // namespace takt::core
