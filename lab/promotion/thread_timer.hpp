// A POSIX timer that interrupts one thread again and again.
#pragma once

#include <ctime>

#include <cstdint>

namespace takt::core {

/// How often the process, or one that it comes from, has forked: what other threads and the kernel had made for it is
/// not in the child.
std::uint64_t forks_before() noexcept;

class thread_timer {
 public:
  thread_timer() = default;
  ~thread_timer() { discard(); }
  thread_timer(const thread_timer&) = delete;
  thread_timer& operator=(const thread_timer&) = delete;

  /// Interrupts the calling thread with that signal each so many ns. @returns false when it cannot be had.
  bool start(int signal, std::uint64_t interval_ns) noexcept;
  /// By the same thread: what is not blocked has come when this returns.
  void stop() noexcept;

  struct beat {
    std::uint64_t number;   ///< from 1 on
    std::uint64_t late_ns;  ///< since it was due
  };
  /// The last one that was due. By the same thread.
  beat now() const noexcept;

 private:
  void discard() noexcept;

  timer_t timer_{};
  std::uint64_t of_thread_ = 0;  ///< none has 0: there is no timer
  std::uint64_t forks_ = 0;
  std::uint64_t begun_ns_ = 0;
  std::uint64_t interval_ns_ = 0;
};

}  // namespace takt::core
