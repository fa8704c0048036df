// The policies of the laboratory.
#include "policy/others.hpp"

#include <takt/lab.hpp>

#include "lab/policy/depth_first.hpp"
#include "lab/policy/random_kept.hpp"
#include "lab/policy/space_bounded.hpp"
#include "policy/adws.hpp"
#include "worker/runtime.hpp"

namespace takt::core {

std::unique_ptr<policy> make_other_policy(runtime& r, takt::policy name, bool may_bind) {
  if (name == lab::ml_random) return make_adws(r, {.levels = true, .may_bind = may_bind, .does_plan = false});
  if (name == lab::sb) return make_space_bounded(r, may_bind);
  if (name == lab::random_private) return make_random_private(r);
  if (name == lab::random_mixed) return make_random_mixed(r);
  // Who is not the runtime's has no order to go by.
  if (name == lab::asyncdf && name == r.settings.policy) return make_depth_first(r);
  return nullptr;
}

}  // namespace takt::core
