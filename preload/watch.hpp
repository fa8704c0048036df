// Who is told of large blocks, and what a thread is in the middle of. See README.md.
#pragma once

#include "preload/blocks.hpp"

#include <cstddef>

#define TAKT_SEEN __attribute__((visibility("default")))

namespace takt::preload {

/// Smaller ones are not looked at. Bytes.
inline constexpr std::size_t k_least_block = 64 << 10;

struct thread_state {
  int inside = 0;  ///< in the real allocator, which may call us
  int locks = 0;   ///< of the program's, as far as they are seen
};
/// Of this thread. Asked for anew after every call that may come back on another one.
thread_state& here() noexcept;

/// Around a call of the real allocator. That never comes back on another thread.
class inside_allocator {
 public:
  inside_allocator() noexcept { ++here().inside; }
  ~inside_allocator() { --here().inside; }
  inside_allocator(const inside_allocator&) = delete;
  inside_allocator& operator=(const inside_allocator&) = delete;
};

/// The code at `caller` is about to allocate. May come back on another thread. @returns what was reported.
counted_memory report(std::size_t bytes, const void* caller) noexcept;
/// The same of a block that has been reported as `before`, and is to grow by so much: if it was, that is at its place.
counted_memory report_more(counted_memory before, std::size_t bytes, const void* caller) noexcept;
/// So much less is held.
void give_back(counted_memory what) noexcept;
/// What report() has answered, and the block that it was for (null: it could not be had). @returns the block.
void* remember(void* block, counted_memory reported) noexcept;
/// Before it is freed. @returns what is to be given back afterwards.
counted_memory forget(const void* block) noexcept;
/// A block of which `before` and `more` have been reported has so many bytes now. @returns it.
void* remember_resized(void* block, counted_memory before, counted_memory more, std::size_t bytes) noexcept;

}  // namespace takt::preload
