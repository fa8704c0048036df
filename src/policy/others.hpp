// Policies that this build has besides those of list.cpp: none. (A build with TAKT_LAB has lab/seams/policy/others.hpp in
// this header's place.)
#pragma once

#include "policy/policy.hpp"

namespace takt::core {

/// Null: there is none of that name.
inline std::unique_ptr<policy> make_other_policy(runtime&, takt::policy, bool) { return nullptr; }

/// Whether `adws` plans: what it is told is not always so in the laboratory.
struct plans {
  constexpr explicit plans(bool) noexcept {}
  constexpr operator bool() const noexcept { return true; }
};

}  // namespace takt::core
