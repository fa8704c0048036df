// A space-bounded scheduler: who runs what next.
#include "lab/policy/space_bounded_state.hpp"

namespace takt::core {

// --- who runs it

std::uint64_t space_bounded::next(worker& w) noexcept {
  seat_tasks& mine = seat_of(w);
  const auto seat = w.seat.index();
  waiting_task taken;
  const auto accept = [&](const waiting_task& t) {
    return w.sleep.eligible(entry::scope(t.task)) && takes_room(t.where.anchor, seat);
  };
  // What this worker has made is of any scope: the fiber may have been another call's, resumed here, and there may be
  // nobody else. Then it does not wait for room, either.
  const auto is_nobody_elses = [&w](const waiting_task& t) { return is_own(t) &&
      !w.sleep.eligible(entry::scope(t.task)); };
  const auto accept_own = [&](const waiting_task& t) { return is_nobody_elses(t) || accept(t); };
  std::uint64_t e = entry::k_none;
  bool stolen = false;
  unsigned victim = seat;
  for (unsigned level = levels_.count() + 1; e == entry::k_none && level-- > 0;) {
    // What it has made last; of others what they have made first.
    victim = seat;
    e = take(mine, [&](const seat_tasks& s) { return s.lists[level].from_near(accept_own); }, taken);
    const seats all = seats_of(level, seat);
    const unsigned count = all.last - all.first + 1;
    const auto from = static_cast<unsigned>(w.policy.next_random() % count);
    for (unsigned i = 0; e == entry::k_none && i < count; ++i) {
      victim = all.first + (from + i) % count;
      if (victim == seat || seats_[victim]->count.load(sync::relaxed) == 0) continue;
      w.stats.steals_tried.add();
      e = take(*seats_[victim], [&](const seat_tasks& s) { return s.lists[level].from_far(accept); }, taken);
      stolen = e != entry::k_none;
    }
  }
  if (e == entry::k_none) return e;
  if (stolen) count_steal(w, owner_.holder(victim), levels_.distance(seat, victim));
  mine.taken = taken.where.anchor;
  mine.taken.seat = static_cast<std::uint16_t>(seat);
  if (!stolen && is_nobody_elses(taken)) mine.taken = {.seat = mine.taken.seat, .level = mine.taken.around};
  mine.has_taken = true;
  w.policy.promoted_by = taken.by;
  return e;
}

bool space_bounded::is_anything_for(worker& w, task_search& search) noexcept {
  const unsigned seat = w.seat.is_held() ? w.seat.index() : w.seat.last();
  for (unsigned level = 0; level <= levels_.count(); ++level) {
    const seats all = seats_of(level, seat);
    for (unsigned s = all.first; s <= all.last; ++s) {
      const auto is_for = [&](const waiting_task& t) {
        const anchoring& a = t.where.anchor;
        return a.around == level && search.wants(t.task) && has_room(a, seat) && search.ends_at(t.task);
      };
      if (find(*seats_[s], is_for) != entry::k_none) return true;
    }
  }
  return false;
}

std::uint64_t space_bounded::take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept {
  seat_tasks* const mine = w.seat.is_held() ? &seat_of(w) : nullptr;
  // Whoever clears up after a call asks without a fiber. What it has made goes with it, waiting for room or not; of
  // what lies elsewhere only that call's is its own.
  const auto chosen = [&](const waiting_task& t) {
    return wanted != nullptr ? entry::task(t.task) == wanted : runs_here(entry::task(t.task));
  };
  const auto left = [&](const waiting_task& t) {
    return is_own(t) ||
        (scope_table::is_of(entry::scope(t.task), w.scheduler.scope()) && runs_here(entry::task(t.task)));
  };
  const auto of_ended_call = [&](const waiting_task& t) {
    return scope_table::is_of(entry::scope(t.task), w.scheduler.scope()) && chosen(t);
  };
  const auto by = [this](auto accept) {
    return [this, accept](const seat_tasks& s) { return const_cast<waiting_task*>(find_in(s, accept)); };
  };
  const bool clears_up = w.scheduler.current() == nullptr;
  waiting_task taken;
  std::uint64_t e = entry::k_none;
  if (mine != nullptr) e = clears_up ? take(*mine, by(left), taken) : take(*mine, by(chosen), taken);
  for (unsigned s = 0; e == entry::k_none && s < seat_count(); ++s) {
    if (seats_[s].get() == mine) continue;
    e = clears_up ? take(*seats_[s], by(of_ended_call), taken) : take(*seats_[s], by(chosen), taken);
  }
  // What another policy knows of the computation is not for this one.
  if (clears_up || w.scheduler.current()->policy.current != this) return e;
  anchoring& here = w.scheduler.current()->policy.locality.anchor;
  bool any = false;
  if (here.forks != nullptr && wanted != nullptr && here.forks->construct == wanted) {
    // The left branch is over, and the right one runs here.
    any |= end_branch(here);
    if (e != entry::k_none) tie(w, here, here.forks->given);
  }
  // Code that waits uses nothing.
  if (e == entry::k_none) any |= end_strand(here);
  if (any) wake_for_what_waits();
  return e;
}

std::uint64_t space_bounded::take_awaited(worker& w, bool) noexcept {
  const auto awaited = [this, &w](const seat_tasks& s) {
    return const_cast<waiting_task*>(find_in(s, [&w](const waiting_task& t) { return is_awaited(w, t.task); }));
  };
  waiting_task taken;
  for (const auto& s : seats_) {
    if (const std::uint64_t e = take(*s, awaited, taken); e != entry::k_none) return e;
  }
  return entry::k_none;
}

}  // namespace takt::core
