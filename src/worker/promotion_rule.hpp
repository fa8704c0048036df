// When frames become tasks, as the settings say: what is asked before anything is promoted. (A build with TAKT_LAB has
// lab/seams/worker/promotion_rule.hpp in this header's place.)
#pragma once

#include <takt/config.hpp>

#include "cost/numbers.hpp"

#include <cstdint>

namespace takt::core {

/// One for each runtime.
class promotion_rule {
 public:
  explicit promotion_rule(const config& c) noexcept : promotes_(c.trigger != trigger::never) {}

  /// Whether anything becomes a task.
  bool promotes() const noexcept { return promotes_; }
  /// Whether a frame does now and then, at polls, which signals replace where there are none.
  bool promotes_at_polls() const noexcept { return promotes_; }
  /// Whether one does each beat.
  bool counts_beats() const noexcept { return promotes_; }
  /// Whether a beat is kept while a task waits to be taken, and frames that are known to be long wait for none.
  bool looks_at_thieves() const noexcept { return promotes_; }
  /// Whether each construct becomes a task where it begins.
  static constexpr bool promotes_all() noexcept { return false; }
  /// Whether workers that do not poll are to be reached.
  bool reaches_silent_workers(std::uint64_t beat_ticks) const noexcept { return promotes_ && beat_ticks != 0; }
  /// How many are aimed at.
  static constexpr std::uint64_t polls_per_beat() noexcept { return cost::k_polls_per_lazy_beat; }
  /// For who is in no worker.
  void publish() const noexcept {}
  /// Its runtime ends: its threads are gone, and nothing runs any more.
  void end() const noexcept {}

 private:
  bool promotes_;
};

/// What a worker keeps for it: nothing.
struct rule_state {
  explicit constexpr rule_state(const promotion_rule&) noexcept {}
  /// Somebody wants a task of it.
  void ask() noexcept {}
  void forget() noexcept {}
  void begin_task(std::uint64_t) noexcept {}
  /// Whether the refill is a chunk, which counts polls: then a poll at that time sets it.
  static constexpr bool sets_refill() noexcept { return false; }
  std::int64_t refill_after_poll(std::uint64_t, std::uint64_t) noexcept { return 0; }
};

class worker;
/// By its thread: it neither runs anything nor looks for work from here on.
inline void beats_rest(worker&) noexcept {}
/// By its thread: it runs something.
inline void beats_go_on(worker&) noexcept {}

}  // namespace takt::core
