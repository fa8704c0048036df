// What a poll asks of the promotion rule (src/worker/promotion_rule.hpp), and what somebody does who looks for work in
// vain. (A build with TAKT_LAB has lab/seams/promotion/rule.hpp in this header's place.)
#pragma once

#include "cost/credit.hpp"
#include "promotion/early.hpp"

namespace takt::core {

/// Whether a beat allows a promotion now, or somebody who looks for work.
inline bool may_promote(worker& w) noexcept { return w.owner.rule.promotes() && (has_beat(w) || is_early_due(w)); }
/// The same in a signal handler, where a beat need not have been noticed.
inline bool may_promote_at_signal(worker& w, std::uint64_t now) noexcept {
  return now - w.beat.last_promotion >= w.owner.beat_ticks && !offers_task(w);
}
/// Whether a poll at that time sees a beat.
inline bool is_beat_due(worker& w, std::uint64_t now) noexcept {
  return now - w.beat.last_promotion >= w.owner.beat_ticks;
}
/// In a signal handler, before anything else. @returns whether the signal is for what runs here.
inline bool takes_signal(worker&) noexcept { return true; }
/// In a signal handler that has promoted a frame, or found none. @returns whether what it interrupted is to poll soon.
inline bool is_to_poll(worker&, bool) noexcept { return true; }
/// At a poll, and where a construct begins. @returns whether beats decide what is promoted; else that has been done.
inline bool leaves_it_to_beats(worker& w) noexcept { return w.owner.rule.promotes(); }
/// The credit for where they do not.
inline std::int64_t credit_without_beats(const worker&) noexcept { return cost::k_most_refill; }
/// A promotion has been made, or tried. @returns whether a beat is to be counted for it.
inline bool takes_a_beat(worker&) noexcept { return true; }

/// `w` has looked for work in vain.
inline void looked_in_vain(worker&) noexcept {}

}  // namespace takt::core
