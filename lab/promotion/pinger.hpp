// A thread that interrupts all who run something, at each beat.
#pragma once

#include "platform/platform.hpp"
#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

class runtime;
class worker;

class pinger {
 public:
  /// @returns null without memory or a thread.
  static pinger* start(runtime& r, std::uint64_t interval) noexcept;
  /// Ends it. Not in a child of fork(2), where it is not.
  static void stop(pinger* p) noexcept;

  /// Whether the process has one like this; what it comes from may have had.
  bool is_here() const noexcept;
  /// The number of the last beat.
  std::uint64_t beats() const noexcept { return number_.load(sync::relaxed); }
  /// By a worker that has set `armed`.
  void wake() noexcept;

 private:
  pinger(runtime& r, std::uint64_t interval) noexcept;
  void run() noexcept;
  /// @returns whether any worker is armed.
  bool ping_all(std::uint64_t number, std::uint64_t due) noexcept;
  void rest() noexcept;

  runtime& owner_;
  const std::uint64_t interval_;
  const std::uint64_t forks_;
  platform::thread* thread_ = nullptr;
  platform::parker parker_;
  sync::atomic<std::uint64_t> number_{0};
  sync::atomic<std::uint32_t> asleep_{0};
  sync::atomic<std::uint32_t> stopping_{0};
};

}  // namespace takt::core
