// What the sanitizers are told when a thread changes stacks.
//
// Whether there is one is a question of the process and not of this library: a program that was built with a sanitizer
// may use a library that was not. So their functions are looked for by the linker and the loader; without a sanitizer
// they are null.
#pragma once

#include <cstddef>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom_old,
                                                   std::size_t* size_old);
// ThreadSanitizer defines the two above as well, and does nothing in them.
[[gnu::weak]] void __asan_init(void);
[[gnu::weak]] void* __tsan_get_current_fiber(void);
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}

namespace takt::core::sanitizer {

inline bool is_address() noexcept {
  return __asan_init != nullptr && __sanitizer_start_switch_fiber != nullptr &&
         __sanitizer_finish_switch_fiber != nullptr;
}
inline bool is_thread() noexcept { return __tsan_switch_to_fiber != nullptr; }

/// Before a jump to a stack; `fake` keeps what belongs to the one that is left.
inline void leave(void*& fake, const void* low, std::size_t bytes) noexcept {
  if (is_address()) __sanitizer_start_switch_fiber(&fake, low, bytes);
}
/// As the first thing after it, on the stack that `fake` was left on. `low` and `bytes`: of the one jumped from.
inline void arrive(void* fake, const void** low, std::size_t* bytes) noexcept {
  if (is_address()) __sanitizer_finish_switch_fiber(fake, low, bytes);
}

/// ThreadSanitizer's fibers; null without it. A switch is an order of events.
inline void* this_fiber() noexcept { return is_thread() ? __tsan_get_current_fiber() : nullptr; }
inline void* make_fiber() noexcept { return is_thread() ? __tsan_create_fiber(0) : nullptr; }
inline void destroy_fiber(void* fiber) noexcept {
  if (fiber != nullptr) __tsan_destroy_fiber(fiber);
}
/// In line even without optimisation: its own return would be counted on another stack than its call.
[[gnu::always_inline]] inline void switch_to(void* fiber) noexcept {
  if (fiber != nullptr) __tsan_switch_to_fiber(fiber, 0);
}

}  // namespace takt::core::sanitizer
