// Almost deterministic work stealing: who runs what next, and who is woken for it.
#include "policy/adws_state.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

// --- who runs it

std::uint64_t adws::start(worker& w, const waiting_task& t, bool stolen) noexcept {
  seat_state& s = seat_of(w);
  s.idle_since = 0;
  s.taken = t.where;
  s.taken.owner = static_cast<std::uint16_t>(w.seat.number());
  const auto seat = w.seat.index();
  if (stolen) s.taken.migrated = false;
  if (is_of_caches(t.where)) {
    const unsigned cache = levels_.cache_of(t.where.level, seat);
    s.taken.leads[t.where.level - 1u] = static_cast<std::uint16_t>(cache + 1);
    if (!t.where.crosses) s.taken.over = levels_.whole(t.where.level, cache);
  } else if (stolen && plans_ && !t.where.crosses) {
    s.taken.over = range::of_seats(seat, 1);
  } else if (!plans_ && t.where.level != 0 && !t.where.over.covers(seat)) {
    const auto inner = static_cast<std::uint8_t>(levels_.count());
    s.taken.over = levels_.whole(inner, levels_.cache_of(inner, seat));
  }
  s.has_taken = true;
  w.policy.promoted_by = t.by;
  return t.task;
}

const cross_group* adws::steals_in(const worker& w, bool& alone) const noexcept {
  const cross_group* const innermost = seat_of(w).shares.load(sync::acquire);
  alone = innermost == nullptr;
  return topmost_dominant(innermost, w.seat.index());
}

bool adws::steal(worker& w, const cross_group* within, bool alone, waiting_task& taken) noexcept {
  seat_state& mine = seat_of(w);
  steal_range all{range::of_seats(0, seat_count()), 0};
  if (within != nullptr) {
    all = {range_of(within->over.load(sync::acquire)), within->depth.load(sync::acquire)};
  }
  const unsigned first = all.over.first();
  const unsigned last = std::min(all.over.last(), seat_count() - 1);
  if (first > last) return false;
  const unsigned count = last - first + 1;
  const auto from = static_cast<unsigned>(w.policy.next_random() % count);
  const auto accept = [&](const waiting_task& t) { return w.sleep.eligible(entry::scope(t.task)) && takes(w, t); };
  for (unsigned i = 0; i < count; ++i) {
    const unsigned victim = first + (from + i) % count;
    seat_state& s = *seats_[victim];
    if (&s == &mine || s.count.load(sync::relaxed) == 0) continue;
    w.stats.steals_tried.add();
    const auto choose = [&](const seat_queues& q) -> waiting_task* {
      // A construct in which this seat has a share is seen before its tasks are: it was divided before.
      if (alone && mine.shares.load(sync::acquire) != nullptr) return nullptr;
      return within == nullptr ? q.any(accept) : all.of(victim, q, accept);
    };
    if (!take(s, choose, taken)) continue;
    count_steal(w, owner_.holder(victim), levels_.distance(w.seat.index(), victim));
    return true;
  }
  return false;
}

std::uint64_t adws::next(worker& w) noexcept {
  seat_state& mine = seat_of(w);
  waiting_task taken;
  // What this worker has pushed is of any scope: the fiber may have been another call's, resumed here, and there may be
  // nobody else.
  const auto mine_or_eligible = [&](const waiting_task& t) {
    return (!t.where.is_part || w.sleep.eligible(entry::scope(t.task))) && takes(w, t);
  };
  const auto choose = [&](const seat_queues& q) { return q.next(mine_or_eligible); };
  if (take(mine, choose, taken)) return start(w, taken, false);
  // What its caches are to run lies in their first seats.
  for (std::uint8_t level = 1; level <= levels_.count(); ++level) {
    const auto of_this_level = [&](const waiting_task& t) { return t.where.level == level && mine_or_eligible(t); };
    seat_state& first = *seats_[levels_.first_seat(level, levels_.cache_of(level, w.seat.index()))];
    if (take(first, [&](const seat_queues& q) { return q.next(of_this_level); }, taken)) {
      return start(w, taken, false);
    }
  }
  bool alone = false;
  const cross_group* const within = steals_in(w, alone);
  const std::uint64_t now = owner_.clock.now();
  // A share in something new: what is planned for this seat may be on its way.
  const std::uint32_t times = mine.times_shared.load(sync::relaxed);
  if (mine.idle_since == 0 || times != mine.times_seen) mine.idle_since = now;
  mine.times_seen = times;
  const bool anywhere = !plans_ || alone || now - mine.idle_since >= patience_;
  if (!anywhere && within == nullptr) return entry::k_none;
  if (!steal(w, anywhere ? nullptr : within, plans_ && alone, taken)) return entry::k_none;
  return start(w, taken, true);
}

bool adws::is_anything_for(worker& w, task_search& search) noexcept {
  const unsigned seat = w.seat.is_held() ? w.seat.index() : w.seat.last();
  // But for its leader's claim.
  const auto is_it = [&](const waiting_task& t) {
    return search.wants(t.task) && levels_.is_open(seat, t.where) && search.ends_at(t.task);
  };
  for (const auto& s : seats_) {
    if (has(*s, is_it)) return true;
  }
  return false;
}

std::uint64_t adws::take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept {
  const auto choose = [&](const seat_queues& q) {
    return q.wanted([&](const waiting_task& t) {
      return wanted != nullptr ? entry::task(t.task) == wanted : runs_here(entry::task(t.task));
    });
  };
  seat_state* const mine = w.seat.is_held() ? &seat_of(w) : nullptr;
  waiting_task taken;
  bool found = mine != nullptr && take(*mine, choose, taken);
  // Whoever clears up after a call asks without a fiber: of what lies elsewhere only that call's is its own. It must
  // not stay there: there may be no worker for that seat, and who waits for a group's child may be in another call.
  const auto of_ended_call = [&](const seat_queues& q) {
    return q.wanted([&](const waiting_task& t) {
      return scope_table::is_of(entry::scope(t.task), w.scheduler.scope()) && wanted == nullptr &&
             runs_here(entry::task(t.task));
    });
  };
  for (unsigned s = 0; !found && s < seat_count(); ++s) {
    if (seats_[s].get() == mine) continue;
    found = w.scheduler.current() != nullptr ? take(*seats_[s], choose, taken) : take(*seats_[s], of_ended_call, taken);
  }
  // What another policy knows of the computation is not for this one.
  const bool is_mine = w.scheduler.current() != nullptr && w.scheduler.current()->policy.current == this;
  cross_group* const g = is_mine ? own_group(w.scheduler.current()->policy.locality, *w.scheduler.current()) : nullptr;
  // What was kept is done, and others have the rest.
  if (!found && wanted != nullptr && g != nullptr) g->dominant.store(1, sync::release);
  // Nor has its cache anything of it to run until they are done.
  const bool waits_for_caches =
      !found && g != nullptr && is_of_caches(w.scheduler.current()->policy.locality) &&
      (wanted != nullptr ? g->frame.construct == wanted : g->frame.what == latent_frame::kind::child);
  if (waits_for_caches && levels_.let_go(w.scheduler.current()->policy.locality)) wake_for_what_waits();
  if (!found) return entry::k_none;
  // Nobody else has that part any more.
  if (w.scheduler.current() != nullptr && taken.where.is_part) {
    cross_group* const its = own_group(taken.where, *w.scheduler.current());
    if (its != nullptr) its->given_is_over.store(1, sync::relaxed);
    if (!is_mine) return taken.task;
    give_back_what_is_over(w);
    // It runs here.
    charge(*w.scheduler.current());
    if (its != nullptr && its == w.scheduler.current()->policy.locality.group) {
      w.scheduler.current()->policy.locality.of_given = true;
    }
  }
  return taken.task;
}

std::uint64_t adws::take_awaited(worker& w, bool) noexcept {
  const auto awaited = [&w](const seat_queues& q) {
    return q.wanted([&w](const waiting_task& t) { return is_awaited(w, t.task); });
  };
  waiting_task taken;
  for (const auto& s : seats_) {
    if (take(*s, awaited, taken)) return taken.task;
  }
  return entry::k_none;
}

}  // namespace takt::core
