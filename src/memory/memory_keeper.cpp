#include "memory/memory_keeper.hpp"

#include "worker/invariant.hpp"
#include "memory/places.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace takt::core {

namespace {

// As long as nobody knows what the leftmost will need, all others have one part of so many of the budget: all that is
// free in one of 1.1 times the serial program's need.
constexpr std::int64_t k_for_others = 11;

// What a process can address; so what all tasks may need, each no more than this, can be added.
constexpr std::uint64_t k_most_budget = std::uint64_t{1} << 47;

}  // namespace

task_place memory_keeper::place_of(const fiber& parent, abi::slot* task, const join_word* join) noexcept {
  if (join == own_join(task)) return {task, static_cast<std::uint32_t>(parent.frames.index(task)), nullptr, false};
  // Its payload is that of when it was promoted.
  const auto* const half = std::launder(reinterpret_cast<const abi::half_payload*>(task->payload));
  return {task, join->loop_slot(), join, half->index != 0};
}

fiber* memory_keeper::woken(sleeping_task& s) noexcept {
  fiber* const f = s.of;
  // EDGE join.waiter
  return s.word.finish() ? f : nullptr;
}

memory_keeper::memory_keeper(runtime& r) noexcept
    : memory_pauses(r),
      owner_(r),
      limit_(static_cast<std::int64_t>(std::min<std::uint64_t>(r.settings.memory, k_most_budget))),
      given_need_(static_cast<std::int64_t>(std::min({r.settings.memory_need, r.settings.memory, k_most_budget}))),
      need_(limit_ - limit_ / k_for_others) {
  memory_ledger::begin();
  // A simulated run's report has all statistics.
  memory_places::begin(!r.settings.stats.empty() || r.topology.fixed_workers() != 0);
}

memory_keeper::~memory_keeper() {
  for (const auto& w : owner_.workers) memory_ledger::add(w->memory.unreported.load(sync::relaxed));
}

void memory_keeper::give(std::int64_t bytes) noexcept {
  if (limit_ == 0) {
    memory_ledger::add(-bytes);
    note_reported();
    return;
  }
  lock();
  memory_ledger::add(-bytes);
  note_need(followed_);
  sleeping_task* const may = take_who_may();
  lock_.unlock();
  note_reported();
  wake(may);
}

void memory_keeper::tell_of_others(memory_report& report) noexcept {
  const std::int64_t rest = std::exchange(report.told, report.own) - report.own;
  if (rest != 0) tell(rest);
}

void memory_keeper::tell(std::int64_t bytes) noexcept {
  if (bytes < 0) return give(-bytes);
  memory_ledger::add(bytes);
  note_reported();
}

bool memory_keeper::is_alone(const worker& w) const noexcept {
  const unsigned seats = owner_.seats_used();
  for (unsigned s = 0; s < seats; ++s) {
    const worker* const v = owner_.holder(s);
    // Who has found something does not look any more, also before it runs that. Who waits on its stack for what is over
    // soon looks, too, and may go on at any time.
    if (v == nullptr || v == &w) continue;
    if (!v->sleep.has_nothing() || v->reach.looked_at() != 0) return false;
  }
  const std::uint32_t itself = w.seat.runs_unseated() && !w.sleep.has_nothing() ? 1 : 0;
  return owner_.unseated.load(sync::relaxed) <= itself;
}

fiber* memory_keeper::take_awaited(worker& w) noexcept {
  if (fiber* const f = take_awaited_pause(w); f != nullptr) return f;
  if (limit_ == 0) return nullptr;
  // Of its own call one goes on by itself in the end: all that sleeps there is awaited by who has made it.
  const auto accepts = [&w](const fiber& f) {
    return (w.scheduler.is_held() || !w.sleep.eligible(f.run.scope())) && is_awaited(w, f);
  };
  for (bool any = true; any;) {
    sleeping_task* s = nullptr;
    lock();
    for (fiber* f = order_.first(); f != nullptr && s == nullptr; f = f->memory_use.right) {
      if (f->memory_use.asleep == nullptr || !accepts(*f)) continue;
      s = std::exchange(f->memory_use.asleep, nullptr);
      --waiting_;
      count_held(*f, s->report);
    }
    lock_.unlock();
    any = s != nullptr;
    // One that has not left its stack yet goes on by itself.
    if (fiber* const f = any ? woken(*s) : nullptr; f != nullptr) return f;
  }
  return nullptr;
}

// --- the budget --------------------------------------------------------------------------------------------------

bool memory_keeper::may_go_on(const fiber& f, std::int64_t bytes) const noexcept {
  const fiber* const left = order_.leftmost(f.run.scope());
  if (left == &f) return true;
  const std::int64_t all =
      memory_ledger::now() + static_cast<std::int64_t>(owner_.fibers.live()) * memory_ledger::k_stack_bytes;
  const std::int64_t taken = all + kept_free(f.run.scope(), left);
  // Also without what is promised, which takes a walk more.
  if (taken > limit_ || bytes > limit_ - taken) return false;
  const bool begins = begins_to_hold(f);
  const std::int64_t held = serial_order::held_by(f);
  const std::int64_t wanted = std::max(bytes, needed(begins ? held + bytes : first_of(f)) - held);
  // Who holds something will need more, and gives nothing back while it waits for that. Of two such the one in front
  // goes on: if each kept room for the other, both would wait.
  const std::int64_t promised = order_.sum_beside_path(f.run.scope(), begins ? nullptr : &f,
                                                       [&](const fiber& g) { return &g != &f ? still_needed(g) : 0; });
  return promised <= limit_ - taken && wanted <= limit_ - taken - promised;
}

std::int64_t memory_keeper::kept_free(std::uint32_t scope, const fiber* left) const noexcept {
  const std::int64_t held = order_.held_on_path(scope);
  if (knows_need()) return std::max(given_need_ - held_before() - held, std::int64_t{0});
  // Its path's need, and that of one that has begun with as much, which may be more than any path has held.
  const std::int64_t of_leftmost =
      left != nullptr ? grows_.of(first_of(*left), limit_) - serial_order::held_by(*left) : std::int64_t{0};
  return std::max({need_.bytes(held_before()) - held, of_leftmost, std::int64_t{0}});
}

std::int64_t memory_keeper::needed(std::int64_t first) const noexcept {
  return std::min(grows_.of(first, need_.most()), limit_);
}

std::int64_t memory_keeper::still_needed(const fiber& f) const noexcept {
  if (begins_to_hold(f)) return 0;
  return std::max<std::int64_t>(needed(first_of(f)) - serial_order::held_by(f), 0);
}

void memory_keeper::count_held(fiber& f, memory_report report) noexcept {
  const bool begins = begins_to_hold(f);
  count(f, report);
  // What it has taken without being asked, and what its tasks have left, is of that, too.
  if (begins) f.memory_use.first.store(serial_order::held_by(f), sync::relaxed);
  grows_.note(first_of(f), serial_order::held_by(f));
  note_need(f.run.scope());
}

void memory_keeper::note_need(std::uint32_t scope) noexcept {
  const std::int64_t held = order_.held_on_path(scope);
  note_beyond(held);
  if (scope == followed_) {
    need_.note(held);
    return;
  }
  need_.note_most(held);
  if (order_.has_any_of(followed_) || !order_.has_any_of(scope)) return;
  followed_ = scope;
  held_before_ = held_by_nobody();
  need_.begin(held);
}

void memory_keeper::note_beyond(std::int64_t held) noexcept {
  if (given_need_ == 0) return;
  // What one task took and another gave back counts twice on a path, and no path holds more than there is.
  const std::int64_t beyond = std::min(held + held_before(), memory_ledger::now()) - given_need_;
  // Less is what one worker gathers, and does not tell.
  if (beyond >= memory_ledger::k_least_report && beyond > beyond_need()) beyond_.store(beyond, sync::relaxed);
}

sleeping_task* memory_keeper::take_who_may() noexcept {
  sleeping_task* taken = nullptr;
  for (fiber* f = order_.first(); f != nullptr && waiting_ != 0; f = f->memory_use.right) {
    sleeping_task* const s = f->memory_use.asleep;
    if (s == nullptr || !may_go_on(*f, s->report.told)) continue;
    f->memory_use.asleep = nullptr;
    --waiting_;
    count_held(*f, s->report);
    s->next_sleeper.set(taken);
    taken = s;
  }
  return taken;
}

void memory_keeper::wake(sleeping_task* first) noexcept {
  while (first != nullptr) {
    sleeping_task* const s = first;
    first = s->next_sleeper.get();
    if (fiber* const f = woken(*s); f != nullptr) owner_.hand_over(*f, -1);
  }
}

bool memory_keeper::count_if_it_may(fiber& f, memory_report report) noexcept {
  // What it asks for it will hold.
  if (!begins_to_hold(f)) grows_.note(first_of(f), serial_order::held_by(f) + report.own);
  if (f.memory_use.listed && !may_go_on(f, report.told)) return false;
  count_held(f, report);
  return true;
}

bool memory_keeper::admit(fiber& f, memory_report report) noexcept {
  lock();
  const bool may = count_if_it_may(f, report);
  lock_.unlock();
  return may;
}

bool memory_keeper::admit_or_sleep(fiber& f, sleeping_task& s) noexcept {
  lock();
  const bool may = count_if_it_may(f, s.report);
  if (!may) {
    f.memory_use.sleeps = true;
    f.memory_use.asleep = &s;
    ++waiting_;
  }
  lock_.unlock();
  return may;
}

bool memory_keeper::admit_alone(worker& w, fiber& f, memory_report report) noexcept {
  lock();
  const bool alone = is_alone(w);
  if (alone) {
    // Another one that waits in place is not alone any more.
    owner_.goes_on_in_place(w);
    count_held(f, report);
  }
  lock_.unlock();
  return alone;
}

bool memory_keeper::is_leftmost(const fiber& f) noexcept {
  if (limit_ == 0) return false;
  lock();
  const bool is = order_.leftmost(f.run.scope()) == &f;
  lock_.unlock();
  return is;
}

void memory_keeper::begins(fiber& f, abi::slot* task, const join_word* join, const fiber* home) noexcept {
  if (!keeps_order()) return;
  lock();
  f.memory_use.waits = false;
  f.memory_use.counts_in = join;
  f.memory_use.left_behind = 0;
  f.memory_use.first.store(0, sync::relaxed);
  f.memory_use.pause.begin();
  f.memory_use.ahead.clear();
  f.memory_use.parent = nullptr;
  // note_need() sees no other call where a thread makes one after the other: these are of one scope.
  if (task == nullptr && !order_.has_any_of(followed_)) {
    grows_ = {};
    need_.begin_call();
    held_before_ = held_by_nobody();
  }
  if (task == nullptr || !own_join(task)->is_child()) {
    fiber* const parent = task != nullptr ? order_.owner_of(task) : nullptr;
    order_.insert(f, parent, parent != nullptr ? place_of(*parent, task, join) : task_place{});
  } else {
    order_.insert_behind(f, order_.has(home) ? const_cast<fiber*>(home) : order_.owner_of(task));
  }
  lock_.unlock();
}

void memory_keeper::leave_behind(fiber& to, std::int64_t bytes) noexcept {
  // It has not taken that: what it takes next begins on top of it.
  if (serial_order::held_by(to) < memory_ledger::k_least_report) to.memory_use.first.store(0, sync::relaxed);
  to.memory_use.left_behind += bytes;
}

void memory_keeper::passes_on(fiber& f) noexcept {
  if (!keeps_order()) return;
  lock();
  memory_use& m = f.memory_use;
  if (has_budget() && m.listed && order_.has(m.parent)) {
    const bool is_in_order = order_.leftmost(f.run.scope()) == &f;
    const std::int64_t rest = m.held.load(sync::relaxed) + m.left_behind + m.ahead.all();
    if (is_in_order) {
      leave_behind(*m.parent, rest);
    } else {
      m.parent->memory_use.ahead.add(m.counts_in, rest);
    }
    m.left_behind = -m.held.load(sync::relaxed);
    m.ahead.clear();
  }
  // Its parent may end, and be gone, before this one is taken off the list.
  m.done = true;
  lock_.unlock();
}

void memory_keeper::takes_second_first(join_word& loop) noexcept {
  if (!keeps_order()) return;
  lock();
  loop.note_second_first();
  lock_.unlock();
}

void memory_keeper::joined(fiber& f, const join_word* join) noexcept {
  if (limit_ == 0) return;
  lock();
  leave_behind(f, f.memory_use.ahead.take(join));
  lock_.unlock();
}

void memory_keeper::ends(fiber& f) noexcept {
  if (!keeps_order()) return;
  lock();
  if (f.memory_use.listed) order_.remove(f);
  lock_.unlock();
  settle(f.run.scope());
}

void memory_keeper::waits(fiber& f) noexcept {
  if (limit_ == 0 || f.memory_use.sleeps) return;
  lock();
  f.memory_use.waits = true;
  lock_.unlock();
}

void memory_keeper::goes_on(fiber& f) noexcept {
  if (limit_ == 0) return;
  lock();
  memory_use& m = f.memory_use;
  if (m.waits) leave_behind(f, m.ahead.take(m.waits_for));
  m.waits = false;
  lock_.unlock();
}

void memory_keeper::settle(std::uint32_t scope) noexcept {
  if (limit_ == 0) return;
  lock();
  note_need(scope);
  sleeping_task* const may = take_who_may();
  lock_.unlock();
  wake(may);
}

void memory_keeper::go_on_alone(const worker& w) noexcept {
  sleeping_task* all = nullptr;
  if (keeps_order()) {
    limit_ = 0;
    const bool is_whole = lock_.go_on_alone();
    for (fiber* f = is_whole ? order_.first() : nullptr; f != nullptr; f = f->memory_use.right) {
      // Other calls are those of threads that are not there. An adopter may be in the middle of another one's task.
      if (f->run.scope() != w.scheduler.current()->run.scope() &&
          f->run.scope() != w.sleep.runs_only()) continue;
      sleeping_task* s = f->memory_use.asleep;
      if (s != nullptr) {
        count(*f, s->report);
      } else {
        s = end_pause_in_child(*f);
      }
      if (s == nullptr) continue;
      s->next_sleeper.set(all);
      all = s;
    }
    order_.forget();
  }
  pauses_go_on_alone();
  wake(all);
}

}  // namespace takt::core
