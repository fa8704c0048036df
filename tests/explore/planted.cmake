# The mistakes of the twins that are not in an access: each is made when sync::planted names it.
include("${PROJECT_SOURCE_DIR}/tests/support/plant.cmake")

takt_plant(explore src/promotion/promote.cpp
[[      own_join(s)->begin(1, start, scope_of(f, s));
      takt_hot.split = s + 1;]]
[[      own_join(s)->begin(1, start, scope_of(f, s));
      if (!sync::makes_mistake("stale split")) takt_hot.split = s + 1;]])

takt_plant(explore src/join/join.cpp
[[  f->frames.save(takt_hot.head, takt_hot.split);
  end_free_loops]]
[[  f->frames.save(takt_hot.head, sync::makes_mistake("split stays behind") ? f->frames.saved_split() : takt_hot.split);
  end_free_loops]])

takt_plant(explore src/scheduler/work.cpp
[[&open_join::of(*join).stop : scope_for_task(*join));]]
[[&open_join::of(*join).stop : sync::makes_mistake("a task inherits no stop") ? nullptr : scope_for_task(*join));]])
takt_plant(explore src/scheduler/work.cpp
[[  if (loop_ends(r, root) || (may_work && is_anything_for(w))]]
[[  if ((!sync::makes_mistake("sleeps without a second look") && loop_ends(r, root)) || (may_work && is_anything_for(w))]])
takt_plant(explore src/scheduler/work.cpp
[[    if (!r.sleeping.cancel(w)) r.threading.park(w.sleep.parked(), 0);
    return;]]
[[    if (!r.sleeping.cancel(w) && !sync::makes_mistake("leaves the token")) r.threading.park(w.sleep.parked(), 0);
    return;]])
takt_plant(explore src/scheduler/work.cpp
[[    if (join->arrive()) {]]
[[    if (join->arrive() || sync::makes_mistake("does not wait")) {]])

takt_plant(explore src/scheduler/aside.cpp
[[  wake_for_all(w);
  begun_]]
[[  if (!sync::makes_mistake("nobody comes for the seat")) wake_for_all(w);
  begun_]])
takt_plant(explore src/scheduler/aside.cpp
[[  promote_all(w);]]
[[  if (!sync::makes_mistake("keeps what is latent")) promote_all(w);]])
takt_plant(explore src/scheduler/work.cpp
[[  if (!r.take_place(w, entry::scope(e))) {]]
[[  if (!r.take_place(w, entry::scope(e)) && !sync::makes_mistake("a full part lets in")) {]])
takt_plant(explore src/worker/seats.cpp
[[  if (is_seat_wanted()) give_to_who_waits(seat);]]
[[  if (is_seat_wanted() && !sync::makes_mistake("a wish is overlooked")) give_to_who_waits(seat);]])
takt_plant(explore src/worker/seats.cpp
[[    if (any_seat_empty() && wishes_.cancel(wish)) continue;]]
[[    if (!sync::makes_mistake("waits without a second look") && any_seat_empty() && wishes_.cancel(wish)) continue;]])

takt_plant(explore src/join/join.cpp
[[  return own->is_child() && own->target() == this_worker()->scheduler.current()->join.takes_back;]]
[[  return own->is_child() && (own->target() == this_worker()->scheduler.current()->join.takes_back || sync::makes_mistake("runs what may want the lock"));]])
takt_plant(explore src/scheduler/work.cpp
[[      if (!run_awaited(w, patience != 0)) wait]]
[[      if (sync::makes_mistake("a held thread runs nothing") || !run_awaited(w, patience != 0)) wait]])

takt_plant(explore lab/policy/space_bounded.cpp
[[  if (all.empty()) return false;]]
[[  if (all.empty() || sync::makes_mistake("room stays taken")) return false;
  if (sync::makes_mistake("room comes back twice")) room_.give_back(all, relax());]])

takt_plant(explore lab/memory/pauses.cpp
[[  return hybrid_ && asleep_.is_any(first_of)]]
[[  return hybrid_ && !sync::makes_mistake("forgets who sleeps") && asleep_.is_any(first_of)]])
takt_plant(explore lab/memory/pauses.cpp
[[  if (!is_any() || !keeper().is_alone(w)) return nullptr;]]
[[  if (!is_any() || !keeper().is_alone(w) || sync::makes_mistake("forgets who sleeps")) return nullptr;]])
takt_plant(explore src/memory/memory_keeper.cpp
[[    if (s == nullptr || !may_go_on(*f, s->report.told)) continue;]]
[[    if (s == nullptr || !may_go_on(*f, s->report.told) || sync::makes_mistake("nobody wakes who waits for the budget")) continue;]])
takt_plant(explore src/memory/memory_keeper.cpp
[[  memory_ledger::add(-bytes);
  note_need]]
[[  if (!sync::makes_mistake("does not count what is given")) memory_ledger::add(-bytes);
  note_need]])
takt_plant(explore lab/memory/pauses.cpp
[[  asleep_.put(s, rounds);]]
[[  asleep_.put(s, sync::makes_mistake("a round too few") ? rounds - 1 : rounds);]])
takt_plant(explore src/memory/memory_keeper.cpp
[[  return s.word.finish() ? f : nullptr;]]
[[  return s.word.finish() && !sync::makes_mistake("drops who has left its stack") ? f : nullptr;]])
takt_plant(explore lab/memory/asyncdf.cpp
[[  if (!any_ready()) return 0;]]
[[  if (!any_ready() || sync::makes_mistake("forgets who is ready")) return 0;]])
takt_plant(explore lab/memory/asyncdf.cpp
[[  if (!any_ready()) return nullptr;]]
[[  if (!any_ready() || sync::makes_mistake("forgets who is ready")) return nullptr;]])
takt_plant(explore lab/memory/asyncdf.cpp
[[  return bytes > quota_ ? static]]
[[  if (sync::makes_mistake("sleeps for ever")) return std::uint64_t{1} << 40;
  return bytes > quota_ ? static]])
takt_plant(explore lab/memory/asyncdf.cpp
[[(how == looks::found_nothing && !keeper().is_alone(w));]]
[[(how == looks::found_nothing && (!keeper().is_alone(w) || sync::makes_mistake("sleeps for ever")));]])
takt_plant(explore src/scheduler/memory.cpp
[[  if (memory.admit(f, report)) return;
  worker]]
[[  if (memory.admit(f, report)) {
    if (sync::makes_mistake("counts twice")) memory.count(f, report);
    return;
  }
  worker]])
takt_plant(explore src/scheduler/memory.cpp
[[  while (!memory.admit(f, report)) {]]
[[  while (!memory.admit(f, report) && !sync::makes_mistake("does not count who waits in place")) {]])

takt_plant(explore src/join/added_list.hpp
[[    if (added_.load(sync::acquire) <= before) return {nullptr, 0};]]
[[    const std::uint64_t seen = added_.load(sync::acquire);
    if (seen <= before) return {nullptr, 0};]])
takt_plant(explore src/join/added_list.hpp
[[    const std::uint64_t all = Links::number(newest) + 1;]]
[[    const std::uint64_t all = sync::makes_mistake("counts what it saw first") ? seen : Links::number(newest) + 1;]])
takt_plant(explore src/join/group_running.cpp
[[  if (!kept.list.empty()) run_all_here(kept, here);]]
[[  if (!kept.list.empty() && !sync::makes_mistake("leaves what it keeps")) run_all_here(kept, here);]])
takt_plant(explore src/join/group_running.cpp
[[      wait_for(g.word, &g.held);
      g.word.reopen();]]
[[      wait_for(g.word, &g.held);
      if (!sync::makes_mistake("does not reopen")) g.word.reopen();]])
takt_plant(explore src/join/group_running.cpp
[[    if (!has_latent(g)) break;]]
[[    if (!has_latent(g) || sync::makes_mistake("waits once")) break;]])

takt_plant(explore src/spawn/spawned.cpp
[[  if (!w.word.finish()) return;]]
[[  if (!w.word.finish() || sync::makes_mistake("nobody resumes another waiter")) return;]])
takt_plant(explore src/spawn/spawned.cpp
[[  r.announce_spawned();]]
[[  if (!sync::makes_mistake("wakes nobody for what is spawned")) r.announce_spawned();]])
takt_plant(explore src/scheduler/work.cpp
[[         spawned::any_for(w);]]
[[         (spawned::any_for(w) && !sync::makes_mistake("does not look for what is spawned"));]])
takt_plant(explore src/scheduler/work.cpp
[[  if (leaves_one && spawned::want_seat(w.owner)) w.owner.announce_spawned();]]
[[  if (leaves_one && spawned::want_seat(w.owner) && !sync::makes_mistake("leaves a seat to nobody")) w.owner.announce_spawned();]])

takt_plant(explore src/scheduler/work.cpp
[[!waits_for_sleeper && !w.scheduler.team.has_members()) break;]]
[[!waits_for_sleeper && (sync::makes_mistake("ends with members") || !w.scheduler.team.has_members())) break;]])
takt_plant(explore src/worker/crew.cpp
[[    return begun() + without_worker_.load(sync::relaxed) <]]
[[    return begun() + (sync::makes_mistake("waits for who has no worker") ? 0 : without_worker_.load(sync::relaxed)) <]])
takt_plant(explore src/worker/injected.cpp
[[    if (sleeping.choose(*there)) threading.unpark]]
[[    if (!sync::makes_mistake("does not wake a member's thread") && sleeping.choose(*there)) threading.unpark]])
takt_plant(explore src/worker/injected.cpp
[[  if (w.scheduler.teams().any_waiting()) return true;]]
[[  if (w.scheduler.teams().any_waiting() && !sync::makes_mistake("sleeps with a member that is ready")) return true;]])
takt_plant(explore src/team/team.cpp
[[  end_relief(*f);
  f->team.relief = &done;]]
[[  if (!takt::sync::makes_mistake("forgets who had taken it over")) end_relief(*f);
  f->team.relief = &done;]])
takt_plant(explore src/policy/policies.cpp
[[(injected && !r.is_alone())]]
[[(injected && (sync::makes_mistake("one worker tells nobody") ? r.worker_count() > 1 : !r.is_alone()))]])

takt_plant(explore src/promotion/interrupt.cpp
[[  end_free_loops(w);
  leave_free_band(w);]]
[[  if (!sync::makes_mistake("a signal leaves loops free")) end_free_loops(w);
  if (!sync::makes_mistake("a signal leaves the band")) leave_free_band(w);]])

takt_plant(explore src/omp/omp.cpp
[[    std::byte* const cell = frame.cells + h * frame.partial_bytes;]]
[[    const bool wrong = takt::sync::makes_mistake("combines in the wrong order");
    const std::uint64_t from = wrong ? frame.cursor.frame.halves - 1 - h : h;
    std::byte* const cell = frame.cells + from * frame.partial_bytes;]])
takt_plant(explore src/omp/omp.cpp
[[    if (frame.pool != nullptr && frame.took_part[h] == 0) continue;]]
[[    if (frame.pool != nullptr && frame.took_part[h] == 0 && !takt::sync::makes_mistake("combines who took no part")) continue;]])
takt_plant(explore src/omp/omp.cpp
[[  return c.frame.halves == 0 && frame->last == frame->count]]
[[  return (c.frame.halves == 0 || takt::sync::makes_mistake("two slices run the last iteration")) &&
                 frame->last == frame->count]])

foreach(header IN ITEMS detail/fork.hpp detail/loop.hpp parallel_reduce.hpp)
  takt_plant(explore include/takt/${header} "#pragma once" "#pragma once\n#include \"sync/explored.hpp\"")
endforeach()
takt_plant(explore include/takt/detail/fork.hpp
[=[    left_result first = left();
    set_head(s);
    if (is_promoted(s)) [[unlikely]]
      return {static_cast<decltype(first)&&>(first), detail::join_promoted<G, right_result>(s)};
    // The]=]
[=[    left_result first = left();
    const bool early = is_promoted(s);
    set_head(s);
    if (sync::makes_mistake("compares before the pop") ? early : is_promoted(s)) [[unlikely]]
      return {static_cast<decltype(first)&&>(first), detail::join_promoted<G, right_result>(s)};
    // The]=])
takt_plant(explore include/takt/detail/loop.hpp
[[  *const_cast<volatile std::uint64_t*>(&frame.next) = next;
  TAKT_POINT();
  const std::uint64_t end = *const_cast<volatile std::uint64_t*>(&frame.end);]]
[[  const std::uint64_t early = frame.end;
  TAKT_POINT();
  *const_cast<volatile std::uint64_t*>(&frame.next) = next;
  TAKT_POINT();
  std::uint64_t end = *const_cast<volatile std::uint64_t*>(&frame.end);
  if (sync::makes_mistake("reads the bound first")) end = early;]])
takt_plant(explore include/takt/detail/loop.hpp
[[    if (kept_ > 1) keep(0, at(static_cast<std::size_t>(__builtin_ctz(kept_ & ~1u))));]]
[[    if (kept_ > 1) {
      const int last = 31 - __builtin_clz(kept_);
      keep(0, at(static_cast<std::size_t>(sync::makes_mistake("later error first") ? last : __builtin_ctz(kept_ & ~1u))));
    }]])
takt_plant(explore include/takt/parallel_reduce.hpp
[[*own.sum_ = combine(std::move(*own.sum_), std::move(own.halves_[h]));]]
[[{
        const std::uint64_t from = sync::makes_mistake("wrong reduction order") ? halves - 1 - h : h;
        *own.sum_ = combine(std::move(*own.sum_), std::move(own.halves_[from]));
      }]])
takt_plant(explore src/join/join.cpp
[[  if (take_back(offer.rest())) offer.end_rest();]]
[[  if (take_back(offer.rest()) && !takt::sync::makes_mistake("the rest is not counted")) offer.end_rest();]])
