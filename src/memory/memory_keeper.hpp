// When a task may go on that is about to allocate. See README.md.
#pragma once

#include "memory/ledger.hpp"
#include "memory/pauses.hpp"
#include "memory/serial_order.hpp"
#include "memory/shown_need.hpp"
#include "memory/sleeping_task.hpp"
#include "worker/join_word.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// One for each runtime.
class memory_keeper final : public memory_pauses {
 public:
  explicit memory_keeper(runtime& r) noexcept;
  ~memory_keeper() override;

  /// Whether anybody is ever made to wait.
  bool makes_wait() const noexcept { return pause() || has_budget(); }
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
  /// So much more has been taken than given.
  void tell(std::int64_t bytes) noexcept;
  /// What others have taken and given on the worker is theirs: it is not told only when the one that reports goes on.
  void tell_of_others(memory_report& report) noexcept;

  // --- allocations that are watched (watched.hpp)
  /// Some are. Set before any call.
  static inline bool is_watched = false;
  void takes_thread(worker& w) noexcept override {
    if (is_watched) w.memory.blocked_signals = owner_.signals.blocked_signals();
  }
  /// Whether a handler may be running on `w`, or its code wants no signals.
  bool is_in_handler(const worker& w) const noexcept {
    return owner_.signals.blocked_signals() != w.memory.blocked_signals;
  }

  /// Whether no other worker runs code of the program. May be wrong by the time of the answer.
  bool is_alone(const worker& w) const noexcept;
  /// Whether what it takes fits or not.
  fiber* take_awaited(worker& w) noexcept override;

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

  // --- what it is told
  void begins(fiber& f, abi::slot* task, const join_word* join, const fiber* home) noexcept override;
  void takes_second_first(join_word& loop) noexcept override;
  void waits(fiber& f) noexcept override;
  void goes_on(fiber& f) noexcept override;
  void joined(fiber& f, const join_word* join) noexcept override;
  /// What it holds is its parent's from here on.
  void passes_on(fiber& f) noexcept override;
  void ends(fiber& f) noexcept override;
  /// A computation of that call may have become the leftmost: wakes it if it sleeps.
  void settle(std::uint32_t scope) noexcept override;
  void go_on_alone(const worker& w) noexcept override;

 private:
  friend class memory_pauses;
  bool keeps_order() const noexcept override { return limit_ != 0 || need_order(); }
  /// For platforms on which time is made up.
  void note_reported() const noexcept {
    owner_.simulator.note(platform::action::memory,
                   static_cast<std::uint64_t>(std::max<std::int64_t>(memory_ledger::now(), 0)));
  }
  void lock() noexcept { lock_.lock(relax_on_platform{&owner_.threading}); }
  // With the lock:
  bool may_go_on(const fiber& f, std::int64_t bytes) const noexcept;
  static task_place place_of(const fiber& parent, abi::slot* task, const join_word* join) noexcept;
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
  std::int64_t limit_;             ///< 0: none
  const std::int64_t given_need_;  ///< that of one worker, as the program's user knows it; 0: who does not

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
