// How settings and statistics cross the border between program and library: numbers and characters, since the two may
// have different standard libraries.
#pragma once

#include <takt/abi.hpp>

namespace takt::abi {

/// What takt::config says. A field that comes later goes to the end; who reads it looks whether `bytes` covers it, and
/// takes the default if not.
struct settings {
  std::uint64_t bytes = sizeof(settings);
  std::int64_t beat_us;
  std::uint64_t stack_bytes;
  const char* stats;  ///< belongs to whoever filled this in
  std::uint32_t workers;
  std::int32_t trigger;
  std::int32_t interrupts;
  std::int32_t signal;
  std::int32_t policy;
  std::int32_t bind;
  std::uint64_t memory;
  std::uint64_t memory_need;
};

/// How takt_configure ended.
enum class configured : int {
  good,
  out_of_range,  ///< std::invalid_argument
  under_way,     ///< std::logic_error
  no_memory      ///< std::bad_alloc
};

}  // namespace takt::abi

extern "C" {

// What is handed to `take` lives for the duration of that call. `take` may throw: the library keeps nothing meanwhile.

/// takt::config::from_environment().
TAKT_EXPORT void takt_settings_of_environment(void (*take)(void* context, const takt::abi::settings* given),
                                              void* context) __asm__(TAKT_ABI_SYMBOL(settings_of_environment));
/// takt::current_config(). @returns false when there is no memory; then `take` is not called.
TAKT_EXPORT bool takt_settings_in_force(void (*take)(void* context, const takt::abi::settings* given), void* context)
    __asm__(TAKT_ABI_SYMBOL(settings_in_force));
/// takt::configure(). @param message receives a sentence that is always there, unless all is good.
TAKT_EXPORT takt::abi::configured takt_configure(const takt::abi::settings* wanted, const char** message) noexcept
    __asm__(TAKT_ABI_SYMBOL(configure));
/// takt::stats_json(). @returns false when there is no memory; then `take` is not called.
TAKT_EXPORT bool takt_statistics(void (*take)(void* context, const char* text, std::size_t length), void* context)
    __asm__(TAKT_ABI_SYMBOL(statistics));
}
