// Programs whose stacks grow by pieces (-fsplit-stack): each of their functions compares its stack pointer with a word
// of the thread's, and goes on in another piece if it is below that.
#pragma once

#include <cstdint>
#include <cstdlib>  // says whether this is glibc

namespace takt::platform {

/// While it lives, code of such a program takes the stack that it is on for one that is large enough, as a fiber's is.
class whole_stack {
 public:
#if defined(__x86_64__) && defined(__GLIBC__)
  whole_stack() noexcept {
    __asm__ volatile("movq %%fs:0x70, %0" : "=r"(limit_));
    set(0);
  }
  ~whole_stack() { set(limit_); }

 private:
  static void set(std::uintptr_t limit) noexcept { __asm__ volatile("movq %0, %%fs:0x70" ::"r"(limit) : "memory"); }

  std::uintptr_t limit_;
#else
  // There are none.
  whole_stack() noexcept {}
  ~whole_stack() {}
#endif
 public:
  whole_stack(const whole_stack&) = delete;
  whole_stack& operator=(const whole_stack&) = delete;
};

}  // namespace takt::platform
