// Random stealing where the owner has a hand in what thieves get (Acar, Charguéraud and Rainey, PPoPP 2013; Heartbeat
// paper, section 5.1).
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

/// Thieves ask, and the owner answers at its next poll. @throws std::bad_alloc
std::unique_ptr<policy> make_random_private(runtime& r);
/// The oldest task is in a cell that thieves may empty. @throws std::bad_alloc
std::unique_ptr<policy> make_random_mixed(runtime& r);

}  // namespace takt::core
