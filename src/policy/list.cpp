// The policies there are.
#include "policy/adws.hpp"
#include "policy/others.hpp"
#include "policy/random.hpp"
#include "worker/runtime.hpp"

namespace takt::core {

namespace {

policy_maker replaced = nullptr;

}  // namespace

std::unique_ptr<policy> make_policy(runtime& r, takt::policy name, bool may_bind) {
  if (replaced != nullptr && name == r.settings.policy) return replaced(r);
  if (name == takt::policy::adws) return make_adws(r, {.levels = false, .may_bind = may_bind});
  if (name == takt::policy::ml_adws) return make_adws(r, {.levels = true, .may_bind = may_bind});
  if (auto other = make_other_policy(r, name, may_bind); other != nullptr) return other;
  return make_random(r);
}

policy_maker replace_policy(policy_maker maker) noexcept {
  policy_maker const before = replaced;
  replaced = maker;
  return before;
}

}  // namespace takt::core
