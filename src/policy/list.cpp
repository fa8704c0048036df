// The policies there are.
#include "policy/random.hpp"

namespace takt::core {

namespace {

policy_maker replaced = nullptr;

}  // namespace

std::unique_ptr<policy> make_policy(runtime& r) { return replaced != nullptr ? replaced(r) : make_random(r); }

policy_maker replace_policy(policy_maker maker) noexcept {
  policy_maker const before = replaced;
  replaced = maker;
  return before;
}

}  // namespace takt::core
