// Signals that reach a thread which runs something.
#pragma once

#include <cstdint>

namespace takt::platform {

class signals {
 public:
  /// A name for the calling thread, by which others reach it while it lives.
  virtual std::uint64_t this_thread() noexcept = 0;
  /// Makes `handler` run on a thread that interrupt() names, with the floating-point environment of the code that it
  /// interrupted. `signal`: a number that the process has chosen, 0 for the platform's choice. @returns the number; 0
  /// when the platform cannot.
  virtual int enable_interrupts(void (*handler)(std::uint32_t environment), int signal) noexcept = 0;
  /// Gives signals back to the program: all but, if `in_use`, that of the last enable_interrupts(). Only while none is
  /// sent.
  virtual void keep_interrupts(bool in_use) noexcept { (void)in_use; }
  /// Whether a signal would reach the thread now. Takes as long as reading a file, except for the calling thread.
  virtual bool takes_interrupts(std::uint64_t thread_name) noexcept {
    (void)thread_name;
    return true;
  }
  /// @returns false when no signal has been sent.
  virtual bool interrupt(std::uint64_t thread_name) noexcept = 0;
  /// After this no signal that was sent to the calling thread, and is not on its way any more, will arrive.
  virtual void recall_interrupt() noexcept {}
  /// The calling thread's, as a number that is another one where others are blocked.
  virtual std::uint64_t blocked_signals() noexcept { return 0; }

 protected:
  ~signals() = default;
};

}  // namespace takt::platform
