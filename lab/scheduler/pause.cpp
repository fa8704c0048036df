#include "scheduler/pause.hpp"

#include "join/join.hpp"
#include "policy/policies.hpp"
#include "promotion/promote.hpp"

namespace takt::core {

void pause_before(worker& w, fiber& f, memory_report& report) noexcept {
  memory_keeper& memory = *w.owner.memory;
  const std::int64_t told = report.told;
  // Alone it would be woken at once.
  std::uint64_t rounds = memory.is_hybrid() ? memory.rounds_for(f.memory_use.held.load(sync::relaxed) + report.own) : 0;
  bool sleeps = rounds != 0;
  if (memory.is_asyncdf()) {
    rounds = memory.rounds_beyond(told);
    sleeps = !memory.is_within_quota(f, told);
  }
  const bool has_company = !memory.is_alone(w) || w.owner.policy->offers(w, 0);
  // A stack in hand last: it may be one beyond the share of stacks, in the place of what would be allocated.
  if (sleeps && has_company && !memory.is_leftmost(f) &&
      w.owner.ensure_fiber(w, static_cast<std::uint64_t>(report.told))) {
    w.stats.memory_sleeps.add();
    memory.tell_of_others(report);
    pausing_task s(f);
    f.memory_use.sleeps = true;
    memory.put_to_sleep(s, rounds);
    note_latent_environments(w);
    leave_for(w, s.word);
    f.memory_use.sleeps = false;
  }
  if (sleeps) memory.has_slept(f, told);
}

}  // namespace takt::core
