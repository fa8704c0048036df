// What is handed to everybody: children of groups, and fibers that their finisher cannot resume. See README.md.
#include "worker/runtime.hpp"

#include <takt/team.hpp>

#include <utility>

namespace takt::core {

namespace {

/// Who awaits it, or its call, may resume it without a seat, everybody else needs one. One that is to go on at a seat
/// is left to its holder.
bool may_resume(const worker& w, const fiber& f, bool seated) noexcept {
  if (f.run.goes_on() >= 0) {
    const auto there = static_cast<unsigned>(f.run.goes_on());
    if (w.seat.last() != there && w.owner.is_looking(there)) return false;
  }
  return (seated || awaits_one_thing(w)) && may_go_on_at(w, f) && !w.owner.scopes.is_full(f.run.part());
}

}  // namespace

worker* thread_of(const fiber& f) noexcept {
  return f.team.as_member() != nullptr ? static_cast<worker*>(f.team.as_member()->on) : nullptr;
}

bool runtime::inject(abi::slot* task, join_word* join, std::uint32_t scope) noexcept {
  if (!entry::can_name(task)) return false;
  // A child is of the part in which it is added, if that is one of the call that waits for it.
  const worker* const at = join != nullptr ? this_worker() : nullptr;
  if (at != nullptr && scope_table::is_of(at->scheduler.current()->run.part(), scope)) {
    scope = at->scheduler.current()->run.part();
  }
  const auto counts = [&] {
    if (join != nullptr && !join->add()) return false;
    scopes.hold(scope);
    return true;
  };
  if (!injected_.put(entry::make(task, scope), counts)) return false;
  announce_injected(scope);
  return true;
}

bool runtime::give_to_everybody(std::uint64_t e) noexcept {
  if (!inject(entry::task(e), nullptr, entry::scope(e))) return false;
  // Injected, a child is held anew; and what is no child belongs to a call, or a child, that is not over.
  scopes.release(entry::scope(e));
  return true;
}

// An adopter prefers its own call's.
std::uint64_t runtime::take_injected(worker& w) noexcept {
  const std::uint64_t e = injected_.take([&w](std::uint64_t seen) {
    return w.sleep.eligible(entry::scope(seen)) && !w.owner.scopes.is_full(entry::scope(seen));
  });
  return e == entry::k_none && awaits_one_thing(w) ? take_injected_awaited(w) : e;
}

bool runtime::any_injected_for(const worker& w) noexcept {
  return injected_.find([&w](std::uint64_t seen) {
    return (w.sleep.eligible(entry::scope(seen)) || (awaits_one_thing(w) && is_awaited(w, seen))) &&
           !w.owner.scopes.is_full(entry::scope(seen));
  }) != entry::k_none;
}

std::uint64_t runtime::take_injected_awaited(worker& w) noexcept {
  return injected_.take([&w](std::uint64_t seen) {
    return is_awaited(w, seen) && !w.owner.scopes.is_full(entry::scope(seen));
  });
}

void runtime::wake_for_injected_of_others(worker& w) noexcept {
  const std::uint64_t e = injected_.find([&w](std::uint64_t seen) { return !w.sleep.eligible(entry::scope(seen)); });
  if (e == entry::k_none) return;
  if (worker* const s = sleeping.choose(entry::scope(e)); s != nullptr) threading.unpark(s->sleep.parker);
}

std::uint64_t runtime::take_injected_back(const abi::slot* task, const join_word* join) noexcept {
  return injected_.take([=](std::uint64_t seen) {
    return task != nullptr ? entry::task(seen) == task : own_join(entry::task(seen))->target() == join;
  });
}

bool runtime::take_injected_of(join_word& join, abi::slot*& task, std::uint32_t& scope) noexcept {
  const std::uint64_t e =
      injected_.take([&join](std::uint64_t seen) { return own_join(entry::task(seen))->target() == &join; });
  if (e == entry::k_none) return false;
  task = entry::task(e);
  scope = entry::scope(e);
  return true;
}

void runtime::hand_over(fiber& ready, int seat) noexcept {
  if (worker* const there = thread_of(ready); there != nullptr) {
    there->scheduler.teams().waiting().put(ready, threading);
    if (there == this_worker()) return;
    if (sleeping.choose(*there)) threading.unpark(there->sleep.parker);
    return;
  }
  ready.run.go_on_at(seat);
  const std::uint32_t scope = ready.run.scope();
  {
    const std::lock_guard guard(ready_mutex_);
    ready.stack.next = nullptr;
    *ready_end_ = &ready;
    ready_end_ = &ready.stack.next;
    // seq_cst: as for an injected task.
    ready_count_.fetch_add(1, sync::seq_cst);
  }
  // It comes by, or looks whether others are to be woken.
  if (seat >= 0 && is_looking(static_cast<unsigned>(seat))) return;
  // All who may, as this is rare: a pool thread may find no seat, and the adopter of the fiber's call needs none. Each
  // once: who finds nothing sleeps again.
  if (orphaned) return;
  std::uint32_t others = sleeping.count();
  announce_injected(scope);
  for (; others > 1; --others) {
    if (worker* s = sleeping.choose(scope); s != nullptr) threading.unpark(s->sleep.parker);
  }
}

bool runtime::may_resume_any(const worker& w, bool seated) noexcept {
  if (w.scheduler.teams().any_waiting()) return true;
  if (!any_ready()) return false;
  const std::lock_guard guard(ready_mutex_);
  for (const fiber* f = ready_; f != nullptr; f = f->stack.next) {
    if (may_resume(w, *f, seated)) return true;
  }
  return false;
}

fiber* runtime::take_ready(worker& w) noexcept {
  // A thread that is held runs only what it awaits.
  const bool bound_first = !w.scheduler.teams().end_yield();
  if (bound_first && !w.scheduler.is_held()) {
    if (fiber* const f = w.scheduler.teams().waiting().take(threading); f != nullptr) return f;
  }
  if (fiber* const f = take_anybodys(w); f != nullptr) return f;
  return bound_first ? nullptr : w.scheduler.teams().waiting().take(threading);
}

void runtime::unlink_ready(fiber** link) noexcept {
  *link = (*link)->stack.next;
  if (*link == nullptr) ready_end_ = link;
  ready_count_.fetch_sub(1, sync::seq_cst);
}

fiber* runtime::take_anybodys(worker& w) noexcept {
  if (!any_ready()) return nullptr;
  const std::lock_guard guard(ready_mutex_);
  for (fiber** link = &ready_; *link != nullptr; link = &(*link)->stack.next) {
    fiber* const f = *link;
    if (!may_resume(w, *f, w.seat.is_held() || attach(w))) continue;
    unlink_ready(link);
    if (f->team.as_member() != nullptr) {
      ++ready_taken_;
      // It stays where it begins.
      f->team.as_member()->on = &w;
    }
    return f;
  }
  return nullptr;
}

// It has nothing to run, and takes its members as soon as it gets a CPU: elsewhere they would have other thread-locals.
static bool comes_by_itself(const worker& w) noexcept {
  return w.sleep.looks.load(sync::relaxed) == worker_sleep::k_looking;
}

std::uint32_t runtime::look_for_stuck() noexcept {
  std::uint32_t all = 0;
  {
    const std::lock_guard guard(workers_mutex);
    for (const auto& w : workers) {
      if (!comes_by_itself(*w)) all += w->scheduler.teams().waiting().look_for_stuck();
    }
  }
  const std::lock_guard guard(ready_mutex_);
  ready_stuck_ = ready_ != nullptr && ready_seen_ == ready_taken_;
  ready_seen_ = ready_taken_;
  for (const fiber* f = ready_stuck_ ? ready_ : nullptr; f != nullptr; f = f->stack.next) {
    if (f->team.as_member() != nullptr) ++all;
  }
  return all;
}

fiber* runtime::take_stuck(worker& w) noexcept {
  fiber* found = nullptr;
  {
    const std::lock_guard guard(workers_mutex);
    for (const auto& other : workers) {
      if (other.get() == &w || comes_by_itself(*other)) continue;
      found = other->scheduler.teams().waiting().take_stuck(threading);
      if (found != nullptr) break;
    }
  }
  const std::lock_guard guard(ready_mutex_);
  for (fiber** link = &ready_; found == nullptr && ready_stuck_ && *link != nullptr; link = &(*link)->stack.next) {
    if ((*link)->team.as_member() == nullptr) continue;
    found = *link;
    unlink_ready(link);
    break;
  }
  if (found != nullptr) found->team.as_member()->on = &w;
  return found;
}

}  // namespace takt::core
