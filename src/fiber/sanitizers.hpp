// What the sanitizers must be told when a thread changes stacks.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TAKT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAKT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TAKT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAKT_TSAN 1
#endif
#endif

#if !defined(TAKT_ASAN)
#define TAKT_ASAN 0
#endif
#if !defined(TAKT_TSAN)
#define TAKT_TSAN 0
#endif

#if TAKT_ASAN
extern "C" {
void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, std::size_t size);
void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom_old, std::size_t* size_old);
}
#endif
#if TAKT_TSAN
extern "C" {
void* __tsan_get_current_fiber(void);
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
#endif
