// What is ready, from left to right: asyncdf's policy, in place of all others.
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

/// @throws std::bad_alloc
std::unique_ptr<policy> make_depth_first(runtime& r);

}  // namespace takt::core
