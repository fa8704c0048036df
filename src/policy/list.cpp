// The policies there are.
#include "policy/adws.hpp"
#include "policy/depth_first.hpp"
#include "policy/random.hpp"
#include "policy/space_bounded.hpp"
#include "worker/runtime.hpp"

namespace takt::core {

namespace {

policy_maker replaced = nullptr;

}  // namespace

std::unique_ptr<policy> make_policy(runtime& r, takt::policy name, bool may_bind) {
  if (replaced != nullptr && name == r.settings.policy) return replaced(r);
  if (r.settings.memory_policy == memory_policy::asyncdf) return make_depth_first(r);
  switch (name) {
    case takt::policy::adws:
      return make_adws(r, {.plans = true, .levels = false, .may_bind = false});
    case takt::policy::ml_random:
      return make_adws(r, {.plans = false, .levels = true, .may_bind = may_bind});
    case takt::policy::ml_adws:
      return make_adws(r, {.plans = true, .levels = true, .may_bind = may_bind});
    case takt::policy::sb:
      return make_space_bounded(r, may_bind);
    case takt::policy::automatic:
    case takt::policy::random:
      break;
  }
  return make_random(r);
}

policy_maker replace_policy(policy_maker maker) noexcept {
  policy_maker const before = replaced;
  replaced = maker;
  return before;
}

}  // namespace takt::core
