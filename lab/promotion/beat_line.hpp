// What a worker keeps for beats that come by interrupt (lab/README.md, "Sources of beats").
#pragma once

#include <takt/lab.hpp>

#include "lab/promotion/thread_timer.hpp"
#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

/// Its thread's, and that of the handler which runs there; but for what the pinger reads and writes.
struct beat_line {
  explicit beat_line(lab::beat_source from) noexcept : source(from) {}

  /// The next interrupt is beat number `n`, and was due at `due` ticks. By the pinger, before it is sent.
  void sends(std::uint64_t n, std::uint64_t due) noexcept {
    sent_number.store(n, sync::relaxed);
    sent_due.store(due, sync::relaxed);
  }
  /// Nothing is armed any more, and nothing is taken back. In a child of fork(2).
  void forget() noexcept {
    armed.store(0, sync::relaxed);
    unseen.store(0, sync::relaxed);
  }

  const lab::beat_source source;
  /// Whether its source makes beats for it.
  sync::atomic<std::uint32_t> armed{0};
  /// A beat has come that no poll and no promotion has seen.
  sync::atomic<std::uint32_t> unseen{0};
  bool is_beat = false;      ///< what the handler that runs was called for
  std::uint64_t last = 0;    ///< number of the last beat that came
  std::uint64_t looked = 0;  ///< ticks when the last one came, or when it was armed
  sync::atomic<std::uint64_t> sent_number{0};
  sync::atomic<std::uint64_t> sent_due{0};
  thread_timer timer;
};

}  // namespace takt::core
