// Stops the code that runs, ever again after so much real time: the simulator sees no other way into code that does not
// call it.
#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>

namespace takt::sim {

/// One of a process. `start` and `stop` are async-signal-safe.
class interval_timer {
 public:
  using handler = void (*)(int, siginfo_t*, void*);

  interval_timer() = default;
  ~interval_timer();
  interval_timer(const interval_timer&) = delete;
  interval_timer& operator=(const interval_timer&) = delete;

  /// `stopped` runs on the calling thread, on the stack of the code that it stops, with a signal that the program does
  /// not use. By `clock` it finds out what a stop takes beside that. @returns false if there can be none.
  bool make(handler stopped, std::uint64_t (*clock)(), double ticks_per_second);
  void start() noexcept {
    if (made_ && !runs_) set(true);
  }
  void stop() noexcept {
    if (runs_) set(false);
  }
  /// Ticks of the clock: the system's part of a stop.
  std::uint64_t cost() const { return cost_; }
  /// Whether code at this address may hold what the memory allocator needs for itself. Not known, and so false, where the
  /// allocator is linked into the program.
  bool in_allocator(std::uintptr_t code) const { return code - allocator_ < allocator_bytes_; }

  /// Where the code was stopped, of a handler's third argument.
  static std::uintptr_t stopped_at(const void* context);

 private:
  void set(bool on) noexcept;
  void measure(std::uint64_t (*clock)(), double ticks_per_second);

  timer_t timer_{};
  bool made_ = false;
  bool runs_ = false;
  long interval_ns_ = 0;
  std::uint64_t cost_ = 0;
  std::uintptr_t allocator_ = 0;
  std::uintptr_t allocator_bytes_ = 0;
};

}  // namespace takt::sim
