// Random stealing: each keeps what it promotes, and who has nothing takes the oldest task of somebody.
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

/// @throws std::bad_alloc
std::unique_ptr<policy> make_random(runtime& r);

}  // namespace takt::core
