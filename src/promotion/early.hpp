// What others find here, and what is promoted for them before a beat is due. See README.md, "Early promotions".
#pragma once

#include "policy/policies.hpp"
#include "worker/runtime.hpp"

namespace takt::core {

/// Whether others who want work of the call that runs here find some that `w` has published.
inline bool offers_task(const worker& w) noexcept {
  return w.owner.policy->offers(w, w.scheduler.current()->run.scope());
}
/// Whether a beat is to be spent, and no task waits to be taken.
inline bool has_beat(const worker& w) noexcept {
  return (w.beat.kept || w.owner.beat_ticks == 0) && !offers_task(w);
}
/// Whether what is promoted now is promoted without a beat.
inline bool is_early(const worker& w) noexcept {
  return w.owner.rule.looks_at_thieves() && !w.beat.kept && w.owner.beat_ticks != 0;
}
/// Whether somebody looks for work, as at the last poll, and part of a beat has passed.
inline bool is_early_due(worker& w) noexcept {
  return w.beat.wanted && w.owner.beat_ticks != 0 && w.reach.looked_at() >= w.beat.early_from && w.owner.policy->is_wanted(w);
}
/// What polls aim at.
inline std::uint64_t poll_target(const worker& w) noexcept {
  return w.beat.wanted ? w.owner.poll_ticks / cost::k_early_share : w.owner.poll_ticks;
}

}  // namespace takt::core
