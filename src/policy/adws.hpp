// Almost deterministic work stealing (ADWS paper, section 3), one level.
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

/// @throws std::bad_alloc
std::unique_ptr<policy> make_adws(runtime& r);

}  // namespace takt::core
