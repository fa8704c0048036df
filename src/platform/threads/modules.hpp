// The libraries that make up the process.
#pragma once

#include <cstdint>

struct link_map;

namespace takt::platform {

/// As platform::loaded_as.
const void* library_of(const void* address) noexcept;

/// A library, or the program.
struct loaded_object {
  std::uintptr_t low = 0;  ///< where it lies
  std::uintptr_t high = 0;
  const link_map* map = nullptr;  ///< freed when it is unloaded
};

/// Whether `find_object` works here: in glibc since 2.35, which has such a function for unwinders.
bool finds_objects() noexcept;

/// The object with that address. Takes no lock; a few nanoseconds. Async-signal-safe.
/// @returns false when there is none. One that is being unloaded may still be found.
bool find_object(std::uintptr_t address, loaded_object& object) noexcept;

}  // namespace takt::platform
