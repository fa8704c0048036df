// Code that gives its seat away, and code for which not all workers are there. See README.md.
#include <takt/seats.hpp>

#include "policy/policies.hpp"
#include "promotion/beat.hpp"
#include "promotion/lent.hpp"
#include "promotion/promote.hpp"
#include "scheduler/scheduler.hpp"

namespace takt::core {

namespace {

// What the code here has promoted.
void give_tasks_away(worker& w) noexcept {
  runtime& r = w.owner;
  while (!r.policy->may_leave(w)) {
    const std::uint64_t e = r.policy->take_back(w, nullptr, [](abi::slot*) { return true; });
    if (e != entry::k_none) r.policy->give(e);
  }
}

// Somebody is to come for whatever is there: all who were awake may have been busy, and there was no seat.
void wake_for_all(worker& w) noexcept {
  runtime& r = w.owner;
  r.policy->wake_for_each_scope(w, task_search::of::all);
  if (r.anything_injected()) r.announce_injected(w.scheduler.current()->run.scope());
  if (lent_children::any()) lent_children::wake_for_some(r);
}

}  // namespace

seat_given_away::seat_given_away(worker& w) noexcept : gives_(!w.owner.orphaned) {
  if (!gives_) return;
  const runtime_scope inside;
  runtime& r = w.owner;
  end_free_loops(w);
  give_tasks_away(w);
  w.reach.runs_nothing();
  // First: who finds nobody to wake for a task, and no room for a thread, has published it before.
  r.counts_away();
  leave_seat(w);
  promote_all(w);
  wake_for_all(w);
  begun_ = r.clock.now();
  resumed_at_ = w.scheduler.current()->run.resumed_at;
}

// The code may have forked meanwhile, and be on another thread.
seat_given_away::~seat_given_away() {
  if (!gives_) return;
  const runtime_scope inside;
  worker& w = *this_worker();
  runtime& r = w.owner;
  r.counts_back();
  // It may hold what others wait for: without a seat it goes on, too, and gets one at a poll.
  if (!w.seat.is_held() && !r.attach(w)) {
    if (!w.seat.is_waited_for()) r.wait_for_seat(w);
    if (!w.seat.runs_unseated() && w.seat.begin_run()) r.unseated.fetch_add(1, sync::relaxed);
  }
  const std::uint64_t now = r.clock.now();
  w.reach.looks(now);
  fiber_run& run = w.scheduler.current()->run;
  if (run.resumed_at == resumed_at_) run.resumed_at += now - begun_;
  start_beats(w, now);
  poll_at_next(w);
}

namespace {

// Its end may be on another thread than its beginning, but is on the same fiber.
class in_part {
 public:
  in_part(worker& w, std::uint32_t limit) noexcept : around_(w.scheduler.current()->run.part()) {
    const runtime_scope inside;
    part_ = w.owner.begin_part(w, around_, limit);
    if (part_ == 0) return;
    scope_.begin_part(w, part_);
    look(w);
  }
  ~in_part() {
    if (part_ == 0) return;
    const runtime_scope inside;
    worker& w = *this_worker();
    scope_.end(w);
    w.owner.end_part(w, part_, around_);
    look(w);
  }
  in_part(const in_part&) = delete;
  in_part& operator=(const in_part&) = delete;

  bool has_begun() const noexcept { return part_ != 0; }

 private:
  // What begins next may be promoted, or not any more.
  static void look(worker& w) noexcept {
    end_free_loops(w);
    poll_at_next(w);
  }

  const std::uint32_t around_;
  std::uint32_t part_ = 0;
  policy_scope scope_;
};

// The worker that the calling code runs on; null: it is in no call.
worker* worker_of_code() noexcept {
  worker* const w = this_worker();
  return w != nullptr && w->scheduler.current() != nullptr ? w : nullptr;
}

}  // namespace

}  // namespace takt::core

extern "C" {

using namespace takt::core;
using takt::abi::part_way;

part_way takt_with_workers(std::uint32_t count, void (*run)(void*), void* argument) {
  worker* const w = worker_of_code();
  if (w == nullptr) return part_way::outside;
  if (count >= w->owner.most_workers) {
    run(argument);
    return part_way::done;
  }
  const in_part here(*w, count);
  if (!here.has_begun()) return part_way::no_memory;
  run(argument);
  return part_way::done;
}

bool takt_blocking(void (*run)(void*), void* argument) {
  worker* const w = worker_of_code();
  if (w == nullptr) return false;
  const seat_given_away here(*w);
  run(argument);
  return true;
}

std::uint32_t takt_worker_count() noexcept {
  runtime* const r = enter_call();
  if (r == nullptr) return 0;
  const std::uint32_t count = r->most_workers + 1;
  process::end_call();
  return count;
}

std::uint32_t takt_worker_index() noexcept {
  worker* const w = worker_of_code();
  if (w == nullptr) {
    const std::uint32_t count = takt_worker_count();
    return count != 0 ? count - 1 : 0;
  }
  if (!w->seat.is_held()) {
    const runtime_scope inside;
    w->owner.wait_in_place_for_seat(*w);
  }
  return w->seat.index();
}
}
