// How code is reached that does not poll. What runs in the signal handler is async-signal-safe: no allocation,
// no lock but the spin locks of queues, and nothing at all while the thread is inside the runtime.
#include "promotion/beat.hpp"
#include "policy/policies.hpp"
#include "promotion/promote.hpp"

namespace takt::core {

// The refill was too long for what the code does now; and a loop that has claimed more than it runs is to look around.
// (It may be below zero for a moment, for a loop that will give back what it took in vain.)
static void poll_soon(worker& w) noexcept {
  if (credit_of(w) >= 0) show_credit(-1 - w.beat.watch);
  end_free_loops(w);
  leave_free_band(w);
  ++takt_hot.polls;
  w.beat.cuts.fetch_add(1, sync::relaxed);
}

void on_interrupt(std::uint32_t environment) {
  // A handler runs to its end on the thread that it interrupted: no migration here.
  if (takt_hot.worker == nullptr) return;
  worker& w = *static_cast<worker*>(takt_hot.worker);
  // The next one is sent only after this handler.
  struct arrived {
    worker& w;
    ~arrived() { w.reach.signal_arrived(); }
  } const until_here{w};
  if (!takes_signal(w) || takt_hot.busy != 0) return;
  const std::uint64_t now = w.owner.clock.now();
  w.owner.policy->serve(w, true);
  const promotion_rule& rule = w.owner.rule;
  if (!rule.promotes_at_polls() || w.owner.beat_ticks == 0 || !may_promote_at_signal(w, now)) return;
  takt_hot.busy = 1;
  __asm__ volatile("" ::: "memory");
  if (rule.counts_beats()) {
    if (!w.beat.kept) count_due_beat(w);
    w.beat.kept = true;  // kept if there is nothing to promote
  }
  const bool promoted = promote_at_beat(w, true, environment);
  if (promoted) {
    count_beat(w);
    w.stats.interrupts_used.add();
  }
  if (is_to_poll(w, promoted)) poll_soon(w);
  __asm__ volatile("" ::: "memory");
  takt_hot.busy = 0;
}

}  // namespace takt::core
