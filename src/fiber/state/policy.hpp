// What the policies keep for the computation on a fiber (src/policy).
#pragma once

#include "fiber/locality.hpp"

namespace takt::core {

class policy;
class policy_scope;

struct fiber_policy {
  policy* current = nullptr;       ///< under which it runs
  policy_scope* scopes = nullptr;  ///< where that has changed; the innermost
  core::locality locality;         ///< the policy's
};

}  // namespace takt::core
