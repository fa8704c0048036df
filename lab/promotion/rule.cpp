#include "promotion/rule.hpp"

#include "promotion/promote.hpp"

namespace takt::core {

bool asked_for(const worker& w) noexcept {
  const runtime& r = w.owner;
  // One task at a time is on offer.
  if (r.worker_count() == 1 || r.policy->offers(w, 0)) return false;
  return w.beat.rule.asked.load(sync::relaxed) != 0 || r.sleeping.any() || r.may_start_thread();
}

bool may_promote(worker& w) noexcept {
  const promotion_rule& rule = w.owner.rule;
  if (!rule.promotes()) return false;
  if (rule.promotes_all()) return true;
  if (rule.waits_for_request()) return asked_for(w);
  return rule.looks_at_thieves() ? has_beat(w) || is_early_due(w) : w.beat.kept || w.owner.beat_ticks == 0;
}

bool may_promote_at_signal(worker& w, std::uint64_t now) noexcept {
  const promotion_rule& rule = w.owner.rule;
  if (!rule.counts_beats()) return asked_for(w);
  beat_line& line = w.beat.rule.line;
  const bool is_due = line.is_beat || now - w.beat.last_promotion >= w.owner.beat_ticks;
  if (!is_due || (rule.looks_at_thieves() && offers_task(w))) return false;
  line.unseen.store(0, sync::relaxed);
  return true;
}

bool leaves_it_to_beats(worker& w) noexcept {
  if (!w.owner.rule.promotes_all()) {
    beats_go_on(w);
    return w.owner.rule.promotes();
  }
  while (promote_oldest(w)) {
  }
  return false;
}

std::int64_t credit_without_beats(const worker& w) noexcept {
  // `eager`: every fork and loop polls, and becomes a task.
  if (w.owner.rule.promotes_all()) return 0;
  return w.beat.sets_refill() ? w.beat.refill : cost::k_most_refill;
}

bool takes_a_beat(worker& w) noexcept {
  if (!w.owner.rule.waits_for_request()) return true;
  w.beat.go_on_alone();
  return false;
}

void looked_in_vain(worker& w) noexcept {
  runtime& r = w.owner;
  if (!r.rule.waits_for_request()) return;
  worker* const v = r.holder(static_cast<unsigned>(w.policy.random++ % r.seats_used()));
  if (v != nullptr && v != &w && v->reach.looked_at() != 0) v->beat.is_asked();
}

}  // namespace takt::core
