// What the policies keep for the computation on a fiber (src/policy).
#pragma once

#include "fiber/locality.hpp"

namespace takt::core {

class policy;
class policy_scope;

struct fiber_policy {
  core::policy& in_force() const noexcept { return *current; }
  /// A member of a team begins, outside of what was said.
  void begin(core::policy& own) noexcept { current = &own; }
  void leave_scopes() noexcept { scopes = nullptr; }

  policy* current = nullptr;       ///< under which it runs
  policy_scope* scopes = nullptr;  ///< where that has changed; the innermost
  core::locality locality;         ///< the policy's
};

}  // namespace takt::core
