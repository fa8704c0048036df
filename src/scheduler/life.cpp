// Life and death of a runtime: made by the first call, replaced by configure(), left behind by fork(2).
#include "promotion/beat.hpp"
#include "memory/memory_keeper.hpp"
#include "memory/places.hpp"
#include "omp/places/places.hpp"
#include "platform/split_stack.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/lent.hpp"
#include "scheduler/scheduler.hpp"
#include "spawn/spawned.hpp"
#include "worker/block_cache.hpp"
#include "settings/settings.hpp"
#include "observe/report.hpp"
#include "observe/trace.hpp"

#include <pthread.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace takt::core {

namespace {

// What a child of fork(2) has inherited and cannot use: the last first. Their threads do not exist, so they are not
// taken down; nor are they lost sight of. One for each generation that has used takt.
runtime* orphans = nullptr;

// The life of a thread of takt's own; without memory it has none.
void live(runtime& r, worker& w) noexcept {
  w.sleep.run_only(0);
  r.observer->takes_thread(w);
  takt_hot.worker = &w;
  takt_hot.busy = 1;
  trace::note(w, trace::kind::thread_begins);
  // A program with such stacks gives each thread one.
  const platform::whole_stack fibers_have_one;
  work(w, nullptr);
  trace::note(w, trace::kind::thread_ends);
  leave_seat(w);
  // Somebody may have left work to it, as it looked.
  if (w.sleep.has_nothing()) r.policy->stop_looking(w, 0);
  takt_hot.worker = nullptr;
  takt_hot.busy = 0;
  end_hints();
}

// The runtime is taken down then: its workers go with it.
void pool_thread(void* self) {
  auto& r = *static_cast<runtime*>(self);
  worker* const w = r.take_worker();
  if (w == nullptr) return r.has_no_pool_worker();
  r.note_pool_worker(*w);
  live(r, *w);
}

void stand_in_thread(void* given) {
  auto* const self = static_cast<runtime::stand_in*>(given);
  runtime& r = self->owner;
  if (worker* const w = r.take_worker(); w != nullptr) {
    w->seat.stand_in(true);
    live(r, *w);
    w->seat.stand_in(false);
    r.leave_scope(*w);
    r.put_aside(w);
  } else {
    r.has_no_worker();
  }
  r.end_stand_in(self);
}

// What the watcher maps is not left for stacks.
const config& after_telling_the_watcher(const config& asked) noexcept {
  tell_watcher();
  return asked;
}

/// A runtime with its policies, and its end.
class living_runtime final : public runtime {
 public:
  explicit living_runtime(const config& asked)
      : runtime(after_telling_the_watcher(asked), {&pool_thread, &stand_in_thread, &on_interrupt, omp::hints_of_environment().wanted}),
        policies_(*this),
        memory_(*this) {
    policy = &policies_;
    memory = &memory_;
    observer = memory_.makes_wait() ? &memory_ : &nobody_;
    for (unsigned seat = 0; seat < most_workers; ++seat) {
      if (const platform::cpu_set* const cpus = policy->cpus_of(seat); cpus != nullptr) {
        cpus_of_seat.resize(most_workers);
        cpus_of_seat[seat] = cpus;
      }
    }
  }
  ~living_runtime() override {
    stopping.store(1, sync::seq_cst);
    while (worker* w = sleeping.choose_any()) threading.unpark(w->sleep.parked());
    // A thread that was not asleep yet sees `stopping` after it announced itself.
    // And one that leaves its seat may still start another, which is in the list before it ends itself.
    for (std::size_t joined = 0; platform::thread* t = started_thread(joined); ++joined) threading.join_thread(t);
    if (platform::thread* const t = take_ended(); t != nullptr) threading.join_thread(t);
    // With no pool thread, children that a call has left behind are run here.
    if (anything_injected()) pool_thread(this);
    for (const auto& w : workers) {
      if (w->scheduler.spare != nullptr) fibers.give(w->scheduler.spare);
    }
    rule.end();
  }

 private:
  // Null: there are no more.
  platform::thread* started_thread(std::size_t number) noexcept {
    const std::lock_guard guard(workers_mutex);
    return number < threads.size() ? threads[number] : nullptr;
  }

  policies policies_;
  memory_keeper memory_;
  memory_observer nobody_;
};

// What loops look at before they know whether they are in a worker.
void publish_settings(const runtime& r) {
  r.rule.publish();
  r.publish_least_call_ticks();
}

void begin_in_child() noexcept {
  // Whoever held it, or waited for it, is not here.
  new (&process::making) sync::mutex;
  memory_places::go_on_alone();
  lent_children::go_on_alone();
  spawned::go_on_alone();
  block_cache<abi::k_child_room>::go_on_alone();
  block_cache<worker_group::k_bytes>::go_on_alone();
  runtime* const before = process::in_force.load(sync::relaxed);
  worker* const w = this_worker();
  const bool alone = before != nullptr && before->is_alone(process::calls_here());
  process::calls.store(process::calls_here(), sync::relaxed);
  if (alone) {
    // Nobody was in the middle of anything: it is as good here as there.
    runtime::rename_this_thread(*before, w);
    return;
  }
  process::generation.fetch_add(1, sync::relaxed);
  if (w != nullptr) w->owner.threading.begin_in_child();
  if (before != nullptr) {
    process::in_force.store(nullptr, sync::relaxed);
    before->orphaned = true;
    before->next_orphan = orphans;
    orphans = before;
  }
  // It may be one that was no longer in force, in a child of a child.
  if (w == nullptr) return;
  w->owner.go_on_alone(*w);
  w->owner.policy->go_on_alone(*w);
  w->owner.observer->go_on_alone(*w);
}

// Before anything else of the process can fork, and without a guard that a fork could copy.
[[maybe_unused]] const int follows_forks = pthread_atfork(nullptr, nullptr, &begin_in_child);

}  // namespace

runtime* enter_call() noexcept {
  process::begin_call();
  if (runtime* r = process::current(); r != nullptr) return r;
  // Files are read below: errno is the program's.
  struct errno_kept {
    const int saved = errno;
    ~errno_kept() { errno = saved; }
  } kept_errno;
  try {
    const std::lock_guard guard(process::making);
    runtime* r = process::current();
    if (r == nullptr) {
      r = new living_runtime(orphans != nullptr ? orphans->wanted : settings::settings_of_environment());
      report_at_exit(r->settings);
      publish_settings(*r);
      process::generation.fetch_add(1, sync::relaxed);
      // EDGE runtime.made: the runtime is complete before another thread sees it.
      process::in_force.store(r, sync::release);
    }
    return r;
  } catch (...) {
    platform::clock& clock = platform::current();
    process::next_start.store(clock.now() + to_ticks(cost::k_after_refusal, clock.ticks_per_second()), sync::relaxed);
    process::end_call();
    return nullptr;
  }
}

bool is_start_put_off() noexcept {
  if (process::in_force.load(sync::relaxed) != nullptr) return false;
  const std::uint64_t next = process::next_start.load(sync::relaxed);
  return next != 0 && platform::current().now() < next;
}

bool replace_runtime(const config& wanted) {
  const std::lock_guard guard(process::making);
  std::int64_t none = 0;
  if (!process::calls.compare_exchange_strong(none, process::k_replacing, sync::acq_rel, sync::relaxed)) return false;
  struct reopen {
    ~reopen() { process::calls.fetch_sub(process::k_replacing, sync::release); }
  } guard_calls;
  // The new one is made first: if that fails the old one stays in force.
  auto made = std::make_unique<living_runtime>(wanted);
  report_at_exit(made->settings);
  runtime* before = process::in_force.exchange(made.release(), sync::acq_rel);
  process::generation.fetch_add(1, sync::relaxed);
  delete before;
  // Not before its threads are gone: a signal may have been on its way to one, and one may have followed a change of
  // CPUs.
  runtime& now = *process::in_force.load(sync::relaxed);
  publish_settings(now);
  now.signals.keep_interrupts(now.settings.interrupts);
  return true;
}

}  // namespace takt::core
