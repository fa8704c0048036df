// The policy `sb`: a space-bounded scheduler, to compare with. See README.md, "sb".
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

/// `may_bind`: whether it may say where workers are to run.
/// @throws std::bad_alloc
std::unique_ptr<policy> make_space_bounded(runtime& r, bool may_bind);

}  // namespace takt::core
