// The policies of the laboratory, in place of src/policy/others.hpp.
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

/// Null: there is none of that name. @throws std::bad_alloc
std::unique_ptr<policy> make_other_policy(runtime& r, takt::policy name, bool may_bind);

/// `ml_random` is `ml_adws` without plans.
struct plans {
  constexpr explicit plans(bool yes) noexcept : does(yes) {}
  constexpr operator bool() const noexcept { return does; }
  bool does;
};

}  // namespace takt::core
