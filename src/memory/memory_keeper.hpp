// When a task may go on that is about to allocate. See README.md.
#pragma once

#include "memory/ledger.hpp"
#include "memory/ready_tasks.hpp"
#include "memory/serial_order.hpp"
#include "memory/shown_need.hpp"
#include "memory/sleep_queue.hpp"
#include "task/join_word.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// What a task is about to take. `told` has been gathered on its worker, with this; `own` is this alone. Bytes.
struct memory_report {
  std::int64_t told = 0;
  std::int64_t own = 0;
};

/// A task that sleeps before it allocates; on its own stack. To its fiber it is a join with one child, which is done
/// when the task is woken.
struct sleeping_task {
  explicit sleeping_task(fiber& f) noexcept : of(&f) { word.begin(1, {}); }

  join_word word;
  fiber* of;
  memory_report report{};    ///< to be counted when it is woken: it sleeps for the budget
  std::uint64_t rounds = 0;  ///< that it sleeps at least, if it is not woken early
  std::uint64_t began = 0;   ///< the round then
  sync::plain<std::uint64_t> wakes_after{};
  sync::plain<sleeping_task*> next_sleeper{};
};

/// One for each runtime.
class memory_keeper {
 public:
  explicit memory_keeper(runtime& r) noexcept;
  ~memory_keeper();
  memory_keeper(const memory_keeper&) = delete;
  memory_keeper& operator=(const memory_keeper&) = delete;

  bool is_hybrid() const noexcept { return hybrid_; }
  bool is_asyncdf() const noexcept { return quota_ != 0; }
  /// Whether anybody is ever made to wait.
  bool makes_wait() const noexcept { return hybrid_ || is_asyncdf() || has_budget(); }
  bool has_budget() const noexcept { return limit_ != 0; }
  /// The most that a leftmost has held beyond the need that was given, with all that waited for it; 0: that was right,
  /// or there is none.
  std::int64_t beyond_need() const noexcept { return beyond_.load(sync::relaxed); }

  // --- what is reported
  /// `f` takes it, and nobody is asked whether it may. What has been gathered with it is held already, by whom it is
  /// of; of `own` nobody sees `f` hold what is not counted.
  void count(fiber& f, memory_report report) noexcept {
    memory_ledger::add(report.told);
    f.memory_use.hold(report.own);
    note_reported();
  }
  /// The same for code that may not be made to wait. Without the lock.
  void count_unasked(fiber& f, memory_report report) noexcept {
    // Else a small report from before would count as that with which it began to hold this.
    if (f.memory_use.held.load(sync::relaxed) < memory_ledger::k_least_report) {
      f.memory_use.first.store(0, sync::relaxed);
    }
    count(f, report);
  }
  /// So much less is held.
  void give(std::int64_t bytes) noexcept;
  /// `w` leaves: what it has gathered.
  void tell_rest(worker& w) noexcept;
  /// What others have taken and given on the worker is theirs: it is not told only when the one that reports goes on.
  void tell_of_others(memory_report& report) noexcept;

  // --- allocations that are watched (watched.hpp)
  /// Some are. Set before any call.
  static inline bool is_watched = false;
  /// The calling thread is `w`'s from here on.
  void note_thread(worker& w) noexcept {
    if (is_watched) w.blocked_signals = owner_.os.blocked_signals();
  }
  /// Whether a handler may be running on `w`, or its code wants no signals.
  bool is_in_handler(const worker& w) const noexcept { return owner_.os.blocked_signals() != w.blocked_signals; }

  // --- hybrid
  /// For how many rounds a task that holds so much, what it is about to take included, sleeps (Hybrid, section 2.2.2).
  std::uint64_t rounds_for(std::int64_t held) const noexcept;
  /// Whether no other worker runs code of the program. May be wrong by the time of the answer.
  bool is_alone(const worker& w) const noexcept;
  /// The task is in the queue from here on: its fiber must leave its stack.
  void put_to_sleep(sleeping_task& s, std::uint64_t rounds) noexcept;
  /// `w` has nothing to do: a round. @returns a fiber for it to resume, whose rounds are over; or null.
  fiber* take_due(worker& w) noexcept;
  /// `w` has found nothing. @returns a fiber for it to resume, due or not, if nobody else runs anything; or null.
  fiber* take_early(worker& w) noexcept;
  /// `w` waits for one thing, in vain so far. @returns a fiber for it to resume that sleeps, or has been put back, and
  /// that it awaits, due or not, whether what it takes fits or not; or null.
  fiber* take_awaited(worker& w) noexcept;
  /// The second look before `w` parks.
  bool is_any_for(const worker& w) noexcept { return scope_of_any_for(w) != 0; }
  /// The scope of the first sleeper, or computation that is ready, that `w` may resume; 0: there is none.
  std::uint32_t scope_of_any_for(const worker& w) noexcept;
  bool is_any() const noexcept { return is_asyncdf() ? any_ready() : hybrid_ && !asleep_.looks_empty(); }
  /// `w` will not come by any more: sleepers of its call are everybody's.
  void hand_over_all(worker& w) noexcept;

  // --- asyncdf (asyncdf.cpp)
  /// Whether `f` may take so much before it is put back; then it has used that up.
  bool is_within_quota(fiber& f, std::int64_t bytes) const noexcept;
  /// For how many rounds, if it may not.
  std::uint64_t rounds_beyond(std::int64_t bytes) const noexcept;
  /// Somebody is about to run `f`.
  void is_taken(fiber& f) const noexcept {
    if (is_asyncdf()) f.memory_use.quota = quota_;
  }
  /// `f`, which has slept, or cannot be put back, takes so much now.
  void renew_quota(fiber& f, std::int64_t bytes) const noexcept;
  /// `f` is ready, on its stack, and `w` would resume it. @returns whether it is left to who comes to it, which may be
  /// `w` again.
  bool leaves_in_order(const worker& w, fiber& f) noexcept;
  /// Tasks that have been promoted and have not begun. The policy's (src/policy/depth_first.cpp).
  ready_tasks& not_begun() noexcept { return not_begun_; }
  /// @returns the leftmost that `w` may run, and has taken it; or entry::k_none.
  std::uint64_t take_leftmost_task(worker& w) noexcept;

  // --- the budget
  /// `f` is about to take so much. @returns true: it is counted. False: it does not fit now.
  bool admit(fiber& f, memory_report report) noexcept;
  /// The same for `s.report`. @returns true: it is counted. False: the task sleeps from here on, and its fiber
  /// must leave its stack; it will be counted by whoever wakes it.
  bool admit_or_sleep(fiber& f, sleeping_task& s) noexcept;
  /// `w`, on which `f` runs, waits in place. Where it is alone the bytes are counted, whether they fit or not.
  /// @returns whether they are.
  bool admit_alone(worker& w, fiber& f, memory_report report) noexcept;
  bool is_leftmost(const fiber& f) noexcept;
  /// `f` is about to begin: an outermost call, if `task` is null; else a task with that record, which counts in `join`,
  /// and `home` is its group's fiber, or null.
  void begins(fiber& f, abi::slot* task, const join_word* join, const fiber* home) noexcept;
  /// Its code is over, and nobody has been told: what it holds is its parent's from here on.
  void passes_on(fiber& f) noexcept;
  /// The computation that has promoted that loop runs its second half, and somebody else has the first.
  void takes_second_first(join_word& loop) noexcept;
  /// `f` goes on behind that join.
  void joined(fiber& f, const join_word* join) noexcept;
  /// It is done; whoever its end makes ready has been told so (goes_on).
  void ends(fiber& f) noexcept;
  /// It has left its stack, for a join, or to sleep, and has not arrived yet.
  void waits(fiber& f) noexcept;
  /// Its join is over.
  void goes_on(fiber& f) noexcept;
  /// A computation of that call may have become the leftmost: wakes it if it sleeps.
  void settle(std::uint32_t scope) noexcept;

  /// In a child of fork(2), in which `w` is the only worker, in the middle of a computation.
  void go_on_alone(const worker& w) noexcept;

 private:
  bool keeps_order() const noexcept { return limit_ != 0 || ordered_; }
  bool any_ready() const noexcept {
    // EDGE memory.ready: as memory.asleep.
    return ready_.load(sync::seq_cst) != 0;
  }
  /// For platforms on which time is made up.
  void note_reported() const noexcept {
    owner_.os.note(platform::action::memory,
                   static_cast<std::uint64_t>(std::max<std::int64_t>(memory_ledger::now(), 0)));
  }
  /// So much more has been taken than given.
  void tell(std::int64_t bytes) noexcept;
  void put_in_order(fiber& f, sleeping_task* put_back) noexcept;
  enum class looks {
    in_order,       ///< and leaves it if a task stands in front; who sleeps has one round less
    found_nothing,  ///< no task
    to_leave        ///< takes any
  };
  fiber* take_leftmost_fiber(worker& w, looks how) noexcept;
  std::uint32_t scope_of_ready_for(const worker& w) noexcept;
  void lock() noexcept { lock_.lock(relax_on_platform{&owner_.os}); }
  // With the lock:
  bool may_go_on(const fiber& f, std::int64_t bytes) const noexcept;
  static task_place place_of(const fiber& parent, abi::slot* task, const join_word* join) noexcept;
  serial_order::spot spot_of(const ready_task& t) const noexcept;
  /// With the tasks' lock, too. Null: there is none that `w` may run.
  ready_task* leftmost_task(const worker& w, ready_task* newest) const noexcept;
  /// For the leftmost of that call, which is `left`, or null.
  std::int64_t kept_free(std::uint32_t scope, const fiber* left) const noexcept;
  static std::int64_t first_of(const fiber& f) noexcept { return f.memory_use.first.load(sync::relaxed); }
  /// Whether what it takes next is the first that counts.
  static bool begins_to_hold(const fiber& f) noexcept {
    return first_of(f) == 0 || serial_order::held_by(f) < memory_ledger::k_least_report;
  }
  /// What one may come to hold that takes `first` at first. Bytes.
  std::int64_t needed(std::int64_t first) const noexcept;
  /// What one that holds something may take beside it. Bytes.
  std::int64_t still_needed(const fiber& f) const noexcept;
  void count_held(fiber& f, memory_report report) noexcept;
  /// @returns whether it may; then it is counted.
  bool count_if_it_may(fiber& f, memory_report report) noexcept;
  void note_need(std::uint32_t scope) noexcept;
  void note_beyond(std::int64_t held) noexcept;
  bool knows_need() const noexcept { return given_need_ != 0 && beyond_.load(sync::relaxed) == 0; }
  /// Tasks have left that to `to`, which holds it from here on.
  static void leave_behind(fiber& to, std::int64_t bytes) noexcept;
  /// Of what was so when the call began, as much as still is.
  std::int64_t held_before() const noexcept { return std::min(held_before_, held_by_nobody()); }
  /// Bytes that are reported and no computation holds.
  std::int64_t held_by_nobody() const noexcept {
    return std::max<std::int64_t>(memory_ledger::now() - order_.held_by_all(), 0);
  }
  /// Takes those off who may go on, linked by `next_sleeper`, and counts for them.
  sleeping_task* take_who_may() noexcept;
  // Without it:
  /// @returns the fiber, if it has left its stack already; else who ran it resumes it.
  static fiber* woken(sleeping_task& s) noexcept;
  void wake(sleeping_task* first) noexcept;

  runtime& owner_;
  const bool hybrid_;
  const std::int64_t quota_;  ///< asyncdf's K; 0: another policy
  bool ordered_;              ///< the serial order is kept for asyncdf
  const std::int64_t for_a_round_;
  std::int64_t limit_;             ///< 0: none
  const std::int64_t given_need_;  ///< that of one worker, as the program's user knows it; 0: who does not
  sleep_queue<sleeping_task, relax_on_platform> asleep_;

  ready_tasks not_begun_;
  sync::atomic<std::uint32_t> ready_{0};

  spin_lock lock_;
  serial_order order_;
  std::uint32_t waiting_ = 0;  ///< asleep for the budget
  shown_need need_;
  grown_need grows_;
  std::uint32_t followed_ = 0;    ///< the call whose path `need_` follows
  std::int64_t held_before_ = 0;  ///< bytes that no computation held when that began
  sync::atomic<std::int64_t> beyond_{0};
};

}  // namespace takt::core
