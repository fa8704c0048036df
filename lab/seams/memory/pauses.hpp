// Schedulers that hold tasks back before they allocate: hybrid (for a number of rounds) and asyncdf (by serial order), in
// place of src/memory/pauses.hpp. See lab/README.md.
#pragma once

#include "lab/memory/pausing_task.hpp"
#include "lab/memory/ready_tasks.hpp"
#include "lab/memory/sleep_queue.hpp"
#include "memory/memory_observer.hpp"
#include "memory/serial_order.hpp"
#include "worker/runtime.hpp"

#include <cstdint>

namespace takt::core {

class memory_keeper;

/// What memory_keeper has of them.
class memory_pauses : public memory_observer {
 public:
  explicit memory_pauses(runtime& r) noexcept;

  bool is_hybrid() const noexcept { return hybrid_; }
  bool is_asyncdf() const noexcept { return quota_ != 0; }

  fiber* take_due(worker& w) noexcept override;
  fiber* take_early(worker& w) noexcept override;
  std::uint32_t scope_of_any_for(const worker& w) noexcept override;
  void hand_over_all(worker& w) noexcept override;
  void runs(fiber& f) noexcept override {
    if (is_asyncdf()) f.memory_use.pause.quota = quota_;
  }
  void has_slept(fiber& f, std::int64_t bytes) const noexcept;
  bool leaves_in_order(const worker& w, fiber& f) noexcept override;

  /// The task is in the queue, or back in order, from here on: its fiber must leave its stack.
  void put_to_sleep(pausing_task& s, std::uint64_t rounds) noexcept;

  // --- hybrid
  /// For how many rounds a task that holds so much, what it is about to take included, sleeps (section 2.2.2).
  std::uint64_t rounds_for(std::int64_t held) const noexcept;

  // --- asyncdf
  /// Whether `f` may take so much before it is put back; then it has used that up.
  bool is_within_quota(fiber& f, std::int64_t bytes) const noexcept;
  /// For how many rounds, if it may not.
  std::uint64_t rounds_beyond(std::int64_t bytes) const noexcept;
  /// Tasks that have been promoted and have not begun. The policy's (lab/policy/depth_first.cpp).
  ready_tasks& not_begun() noexcept { return not_begun_; }
  /// @returns the leftmost that `w` may run, and has taken it; or entry::k_none.
  std::uint64_t take_leftmost_task(worker& w) noexcept;

 protected:
  bool pause() const noexcept { return hybrid_ || is_asyncdf(); }
  bool need_order() const noexcept { return ordered_; }
  fiber* take_awaited_pause(worker& w) noexcept;
  sleeping_task* end_pause_in_child(fiber& f) noexcept;
  void pauses_go_on_alone() noexcept;

 private:
  memory_keeper& keeper() noexcept;
  const memory_keeper& keeper() const noexcept;
  bool is_any() const noexcept { return is_asyncdf() ? any_ready() : hybrid_ && !asleep_.looks_empty(); }
  bool any_ready() const noexcept {
    // EDGE memory.ready: as memory.asleep.
    return ready_.load(sync::seq_cst) != 0;
  }
  void put_in_order(fiber& f, pausing_task* put_back) noexcept;
  /// With the lock: `f`, which is ready, is so no more. @returns its record.
  pausing_task* take_out(fiber& f) noexcept;
  enum class looks {
    in_order,       ///< and leaves it if a task stands in front; who sleeps has one round less
    found_nothing,  ///< no task
    to_leave        ///< takes any
  };
  fiber* take_leftmost_fiber(worker& w, looks how) noexcept;
  std::uint32_t scope_of_ready_for(const worker& w) noexcept;
  // With the lock:
  serial_order::spot spot_of(const ready_task& t) const noexcept;
  /// With the tasks' lock, too. Null: there is none that `w` may run.
  ready_task* leftmost_task(const worker& w, ready_task* newest) const noexcept;

  runtime& owner_;
  const bool hybrid_;
  const std::int64_t quota_;  ///< asyncdf's K; 0: another policy
  bool ordered_;              ///< the serial order is kept for asyncdf
  const std::int64_t for_a_round_;
  sleep_queue<pausing_task, relax_on_platform> asleep_;
  ready_tasks not_begun_;
  sync::atomic<std::uint32_t> ready_{0};
};

}  // namespace takt::core
