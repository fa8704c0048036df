// When frames become tasks: the triggers of the laboratory besides the product's, in place of
// src/worker/promotion_rule.hpp.
#pragma once

#include <takt/lab.hpp>

#include "cost/numbers.hpp"
#include "lab/loop/polled_chunks.hpp"
#include "lab/promotion/beat_line.hpp"
#include "lab/settings/chosen.hpp"
#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

class pinger;
class worker;

/// One for each runtime; with what was chosen when that was made.
class promotion_rule {
 public:
  explicit promotion_rule(const config& c) noexcept : chosen(lab::chosen()), trigger_(c.trigger), policy_(c.policy) {}

  bool promotes() const noexcept { return trigger_ != trigger::never; }
  bool promotes_at_polls() const noexcept { return counts_beats() || waits_for_request(); }
  bool counts_beats() const noexcept { return looks_at_thieves() || trigger_ == lab::beat; }
  bool looks_at_thieves() const noexcept { return trigger_ == trigger::lazy; }
  bool promotes_all() const noexcept { return trigger_ == lab::eager; }
  bool waits_for_request() const noexcept { return trigger_ == lab::request; }
  bool reaches_silent_workers(std::uint64_t beat_ticks) const noexcept {
    // Thieves wait for answers, with any beat.
    if (policy_ == lab::random_private || policy_ == lab::random_mixed) return promotes();
    return promotes_at_polls() && beat_ticks != 0;
  }
  std::uint64_t polls_per_beat() const noexcept {
    // A beat that waits for nothing is met more closely.
    return looks_at_thieves() ? cost::k_polls_per_lazy_beat : 3 * cost::k_polls_per_lazy_beat;
  }
  bool counts_polls() const noexcept { return chosen.chunking != lab::chunking::time; }
  /// See chunks_by_polls() (loop/other_chunks.hpp).
  void publish() const noexcept { __atomic_store_n(&published_, counts_polls(), __ATOMIC_RELAXED); }
  static bool published() noexcept { return __atomic_load_n(&published_, __ATOMIC_RELAXED); }
  void end() const noexcept;

  const lab::settings chosen;
  /// Where beats come from it.
  mutable sync::atomic<pinger*> pings{nullptr};

 private:
  static inline bool published_ = false;
  trigger trigger_;
  takt::policy policy_;
};

/// What a worker keeps for it.
struct rule_state {
  explicit rule_state(const promotion_rule& r) noexcept
      : line(r.chosen.beats),
        counts_polls(r.counts_polls()),
        chunks(r.chosen.chunking == lab::chunking::fixed ? polled_chunks::fixed(r.chosen.chunk)
                                                         : polled_chunks::adapted(r.chosen.target_polls)) {}
  void ask() noexcept {
    if (asked.load(sync::relaxed) == 0) asked.store(1, sync::relaxed);
  }
  void forget() noexcept {
    asked.store(0, sync::relaxed);
    line.forget();
  }
  void begin_task(std::uint64_t now) noexcept {
    chunks.begin_task(now);
    line.unseen.store(0, sync::relaxed);
  }
  bool sets_refill() const noexcept { return counts_polls; }
  std::int64_t refill_after_poll(std::uint64_t now, std::uint64_t beat) noexcept {
    chunks.polled(now, beat);
    return chunks.refill();
  }

  /// Trigger `request`: 1 when an idle worker has asked this one for a task. A hint: nothing else depends on it.
  sync::atomic<std::uint32_t> asked{0};
  beat_line line;
  const bool counts_polls;
  polled_chunks chunks;  ///< where chunking is not by time
};

// --- lab/promotion/sources.cpp
void beats_rest(worker& w) noexcept;
void beats_go_on(worker& w) noexcept;

}  // namespace takt::core
