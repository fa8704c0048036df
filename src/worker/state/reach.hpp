// How a worker is reached that does not poll (src/worker/wake.cpp; src/promotion/README.md, "Reaching a silent worker").
#pragma once

#include <takt/abi.hpp>

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

/// Other workers read and write it.
struct worker_reach {
  /// By its thread: it runs user code, and looks at the clock.
  void looks(std::uint64_t now) noexcept { last_look.store(now, sync::relaxed); }
  void runs_nothing() noexcept { last_look.store(0, sync::relaxed); }
  /// 0: it runs nothing.
  std::uint64_t looked_at() const noexcept { return last_look.load(sync::relaxed); }
  /// By the handler.
  void signal_arrived() noexcept { state.fetch_and(~k_sent, sync::relaxed); }
  bool is_signal_sent() const noexcept { return state.load(sync::relaxed) == k_sent; }
  bool heard() const noexcept { return hears.load(sync::relaxed) != 0; }
  std::uint64_t name_of_thread() const noexcept { return thread_name.load(sync::relaxed); }

  /// Ticks at the last look at the clock while running user code; 0: not running any.
  sync::atomic<std::uint64_t> last_look{0};
  sync::atomic<std::uint64_t> thread_name{0};
  sync::atomic<std::uint64_t> last_interrupt{0};
  /// k_reaching while another worker is at this one's thread, k_sent from before a signal is sent until it has arrived
  /// or has been taken back.
  sync::atomic<std::uint32_t> state{0};
  static constexpr std::uint32_t k_reaching = 1;
  static constexpr std::uint32_t k_sent = 2;
  /// Whether a signal reached this thread when somebody last looked. A hint: it may have changed since.
  sync::atomic<std::uint32_t> hears{0};
  /// takt_hot of the thread, where other threads can write to it; else null.
  abi::hot_state* hot = nullptr;
};

}  // namespace takt::core
