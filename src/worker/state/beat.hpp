// The beats of a worker (src/promotion).
#pragma once

#include "cost/grants.hpp"
#include "sync/atomic.hpp"
#include "worker/promotion_rule.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// More than any credit.
inline constexpr std::int64_t k_watch = std::int64_t{1} << 50;

struct worker_beat {
  explicit worker_beat(const promotion_rule& says) noexcept : rule(says) {}

  /// What a thread did before its outermost call counts: it may begin with a token.
  void begin_call(std::uint64_t now, bool with_token) noexcept {
    last_poll = now;
    rule.begin_task(now);
    done_by_others.store(0, sync::relaxed);
    kept = with_token;
  }
  /// It begins to run a fiber. @returns the credit.
  std::int64_t begin_run(bool environments_change) noexcept {
    if (environments_change) watch = k_watch;
    credit_noted = -watch;
    refilled = false;
    return -watch;
  }
  /// It has waited: what is left of the credit tells nothing.
  void has_waited() noexcept { refilled = false; }
  /// So much has been taken off the credit for what is noted as it runs.
  void was_charged(std::int64_t units) noexcept { credit_noted -= units; }
  void refill_by(std::int64_t units) noexcept { refill = units; }
  std::uint64_t polled_at() const noexcept { return last_poll; }
  bool is_watched() const noexcept { return watch != 0; }
  /// What is taken off the credit that the fast paths see.
  std::int64_t taken_off() const noexcept { return watch; }

  /// By anybody: its credit is taken away, or its frames are asked for.
  void is_cut() noexcept { cuts.fetch_add(1, sync::relaxed); }
  void is_asked() noexcept { rule.ask(); }
  std::uint64_t times_cut() const noexcept { return cuts.load(sync::acquire); }
  std::uint64_t times_cut_hint() const noexcept { return cuts.load(sync::relaxed); }
  /// In a child of fork(2).
  void go_on_alone() noexcept { rule.forget(); }
  bool sets_refill() const noexcept { return rule.sets_refill(); }

  /// It has run another worker's task for so many ticks. @returns whether that one is to be told.
  bool has_done(std::uint64_t ticks, std::uint64_t least, std::uint64_t most) noexcept {
    worth = std::min(worth + ticks, most);
    if (worth < least) return false;
    worth -= least;
    return true;
  }
  /// By another one, which has done a task of this one.
  void is_told() noexcept { done_by_others.fetch_add(1, sync::relaxed); }

  /// Tasks that others have taken from this one and done, and that were worth it, since its last beat
  /// (src/promotion/README.md, "More than one at a time"). A hint.
  sync::atomic<std::uint32_t> done_by_others{0};
  /// Ticks, a beat at most: what it has done of others' tasks, less a share for each that it has told of.
  std::uint64_t worth = 0;
  std::uint64_t last_poll = 0;
  std::uint64_t last_promotion = 0;
  std::uint64_t early_from = 0;  ///< when one may be promoted without a beat (src/promotion/README.md)
  bool wanted = false;           ///< somebody looked for work at the last poll
  bool kept = false;      ///< the token: a beat was due and found nothing to promote
  bool refilled = false;  ///< the credit was set to the refill at `last_poll`: what is left of it tells what was spent
  std::int64_t refill = 0;
  /// Taken off the credit that the fast paths see, so that each push comes by the runtime; 0: is not.
  std::int64_t watch = 0;
  std::int64_t credit_noted = 0;        ///< the credit from which on nothing has been noted
  sync::atomic<std::uint64_t> cuts{0};  ///< how often a signal, or another worker, has taken the credit away
  cost::grants granted;                 ///< of what runs free, until it leaves the fiber it runs
  std::uint32_t band_rest = 0;          ///< polls until there may be a band of free forks again
  [[no_unique_address]] rule_state rule;
};

}  // namespace takt::core
