// What the program says of its memory, and the tasks that sleep for it. See src/memory/README.md.
#include "memory/memory_keeper.hpp"

#include "promotion/beat.hpp"
#include "join/join.hpp"
#include "memory/places.hpp"
#include "memory/watched.hpp"
#include "policy/policies.hpp"
#include "promotion/promote.hpp"
#include "scheduler/pause.hpp"
#include "scheduler/scheduler.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <utility>

namespace takt::core {

namespace {

// More is no amount of memory.
constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 62;

[[gnu::noinline]] bool is_in_the_programs_code() noexcept {
  __asm__ volatile("" ::: "memory");
  return takt_hot.busy == 1;  // the report's own scope
}

// @returns what is to be told now; 0: nothing yet. If it is above 0, the task does not hold `bytes` yet, if these are.
// Only this says so: a handler may gather, and tell, right behind it.
std::int64_t gather(worker& w, std::int64_t bytes) noexcept {
  const std::int64_t all = w.memory.note(bytes);
  if (bytes < 0 || all < memory_ledger::k_least_report) w.scheduler.current()->memory_use.hold(bytes);
  return all >= memory_ledger::k_least_report || all <= -memory_ledger::k_least_report ? all : 0;
}

std::int64_t take_gathered(worker& w) noexcept {
  const std::int64_t all = w.memory.take();
  note_credit(w);
  // Where time is made up, everything in its order. But who stays may hold a lock, which others want that go first.
  if (!w.scheduler.current()->join.must_stay()) (void)w.owner.clock.now();
  return all;
}

bool may_sleep(worker& w, fiber& f) noexcept {
  runtime& r = w.owner;
  return r.memory->makes_wait() && r.worker_count() > 1 && !r.orphaned && w.sleep.eligible(f.run.scope()) &&
         is_in_the_programs_code() && !must_stay(w, f);
}

// Who sleeps leaves its worker a stack in hand: what it has promoted lies there, and somebody must be able to run it.
// Asked last, as it may be one beyond the share of stacks, in the place of what would be allocated.
bool leaves_a_stack(worker& w, std::int64_t bytes) noexcept {
  return w.owner.ensure_fiber(w, static_cast<std::uint64_t>(bytes));
}

// The computation that runs here leaves its stack until it is woken, on another thread perhaps.
void leave_to_sleep(worker& w, sleeping_task& s) noexcept {
  note_latent_environments(w);
  leave_for(w, s.word);
}

// Without a stack to leave behind it keeps its worker until the bytes fit. Not if nobody else runs anything: what it
// waits for may lack a stack, too. Nor if a thread is held for it: all others may wait for a lock of that one.
void wait_in_place(worker& w, fiber& f, memory_report report) noexcept {
  w.stats.memory_waits.add();
  memory_keeper& memory = *w.owner.memory;
  const std::uint64_t looked = w.reach.looked_at();
  w.reach.runs_nothing();
  const bool parks = !w.owner.policy->answers_thieves();
  unsigned alone_for = 0;
  unsigned round = 0;
  bool waits = false;
  while (!memory.admit(f, report)) {
    if (is_awaited_by_held(f)) {
      memory.count(f, report);
      break;
    }
    if (!waits) w.owner.waits_in_place(w);
    waits = true;
    alone_for = memory.is_alone(w) ? alone_for + 1 : 0;
    if (alone_for > cost::k_alone_beats && memory.admit_alone(w, f, report)) {
      waits = false;
      break;
    }
    // A look takes the lock that all others need: one each beat. Thieves that ask do not wait for a time limit.
    const std::uint64_t next = w.owner.clock.now() + w.owner.beat_ticks + 1;
    for (std::uint64_t now = 0; now < next; now = w.owner.clock.now()) {
      w.owner.policy->serve(w, false);
      parks ? (void)w.owner.threading.park(w.sleep.in_place(), w.owner.beat_ticks + 1) : w.owner.threading.relax(round++);
    }
  }
  if (waits) w.owner.goes_on_in_place(w);
  w.reach.looks(looked);
}

void take(worker& w, std::int64_t own) noexcept {
  const runtime_scope scope;
  memory_report report{take_gathered(w), own};
  const std::int64_t told = report.told;
  memory_keeper& memory = *w.owner.memory;
  fiber& f = *w.scheduler.current();
  if (!may_sleep(w, f)) {
    memory.count_unasked(f, report);
    return;
  }
  pause_before(w, f, report);
  if (!memory.has_budget()) {
    memory.count(f, report);
    return;
  }
  if (memory.admit(f, report)) return;
  worker& here = *this_worker();
  memory.tell_of_others(report);
  if (!leaves_a_stack(here, report.told)) {
    wait_in_place(here, f, report);
    return;
  }
  sleeping_task s(f);
  s.report = report;
  if (memory.admit_or_sleep(f, s)) return;
  here.stats.memory_waits.add();
  leave_to_sleep(here, s);
  f.memory_use.sleeps = false;
  memory.has_slept(f, told);
}

// Its place is told first, so that all places together never hold more than is reported; but not before the worker's
// time has come.
template <class Tell>
void give(worker& w, Tell tell_place) noexcept {
  const runtime_scope scope;
  const std::int64_t all = take_gathered(w);
  tell_place();
  w.owner.memory->give(-all);
}

// On a thread that is in no call. Tasks may wait for what it gives.
void give_outside(std::int64_t bytes) noexcept {
  if (bytes < memory_ledger::k_least_report || process::current() == nullptr) {
    memory_ledger::add(-bytes);
    return;
  }
  process::begin_call();
  process::current()->memory->give(bytes);
  process::end_call();
}

// --- what is watched (src/memory/watched.hpp). A handler may have interrupted anything: outside of a task's code,
// and of the report's own scope, only the sum is touched.

// @returns whether it was counted.
bool report_watched(std::int64_t more, bool may_wait) noexcept {
  worker* const w = this_worker();
  if (w == nullptr || w->scheduler.current() == nullptr || takt_hot.busy != 0) return false;
  std::int64_t told;
  {
    const runtime_scope scope;
    told = gather(*w, more);
  }
  memory_keeper& memory = *w->owner.memory;
  if (told <= 0) return true;
  if (memory.makes_wait() && may_wait && !memory.is_in_handler(*w)) {
    take(*w, more);
  } else {
    const runtime_scope scope;
    memory.count_unasked(*w->scheduler.current(), {take_gathered(*w), more});
  }
  return true;
}

counted_memory watched_take(std::uint64_t bytes, bool may_wait, const void* code, std::uint16_t place) noexcept {
  const auto more = static_cast<std::int64_t>(std::min(bytes, k_most_bytes));
  if (!report_watched(more, may_wait)) return {};
  if (code != nullptr) {
    place = memory_places::is_asked() ? memory_places::take(more, code) : memory_places::number{0};
  } else if (memory_places::is_asked()) {
    memory_places::change(more, place);
  }
  return {static_cast<std::uint64_t>(more), place};
}

void watched_give(counted_memory what) noexcept {
  const auto less = static_cast<std::int64_t>(std::min(what.bytes, k_most_bytes));
  const auto tell_place = [=] {
    if (memory_places::is_asked()) memory_places::change(-less, what.place);
  };
  worker* const w = this_worker();
  if (w == nullptr || w->scheduler.current() == nullptr || takt_hot.busy != 0) {
    tell_place();
    memory_ledger::add(-less);
    return;
  }
  const runtime_scope scope;
  gather(*w, -less) < 0 ? give(*w, tell_place) : tell_place();
}

constexpr memory_reports k_watched{&watched_take, &watched_give};

}  // namespace

void tell_rest(worker& w) noexcept {
  if (const std::int64_t rest = w.memory.take(); rest != 0) w.owner.memory->tell(rest);
}

void tell_watcher() noexcept {
  static bool told = false;
  if (std::exchange(told, true)) return;
  // By its name alone: in a process without such a library there is none.
  const auto watcher = reinterpret_cast<decltype(&takt_memory_watcher)>(
      dlsym(RTLD_DEFAULT, TAKT_ABI_SYMBOL(memory_watcher_with_places)));
  if (watcher == nullptr) return;
  memory_keeper::is_watched = true;
  watcher(&k_watched);
}

}  // namespace takt::core

extern "C" {

using namespace takt::core;

void takt_memory_take(std::uint64_t bytes, const char* place, std::uint32_t line) noexcept {
  const auto more = static_cast<std::int64_t>(bytes < k_most_bytes ? bytes : k_most_bytes);
  worker* const w = this_worker();
  if (w == nullptr || w->scheduler.current() == nullptr) {
    memory_ledger::add(more);
  } else if (const std::int64_t told = gather(*w, more); told != 0) {
    // What has been gathered may be less than nothing still.
    told > 0 ? take(*w, more) : give(*w, [] {});
  }
  if (memory_places::is_asked()) memory_places::change(more, place, line);
}

void takt_memory_give(std::uint64_t bytes, const char* place, std::uint32_t line) noexcept {
  const auto less = static_cast<std::int64_t>(bytes < k_most_bytes ? bytes : k_most_bytes);
  const auto tell_place = [=] {
    if (memory_places::is_asked()) memory_places::change(-less, place, line);
  };
  worker* const w = this_worker();
  if (w == nullptr || w->scheduler.current() == nullptr) {
    tell_place();
    give_outside(less);
  } else if (const std::int64_t told = gather(*w, -less); told < 0) {
    give(*w, tell_place);
  } else {
    tell_place();
    if (told != 0) tell_rest(*w);
  }
}
}
