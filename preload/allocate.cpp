// malloc and its family. Each reports before the real one is called, and gives back after it has freed.
#include "preload/real.hpp"
#include "preload/watch.hpp"

#include <errno.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace takt::preload;

namespace {

bool product(std::size_t n, std::size_t each, std::size_t& all) noexcept {
  return !__builtin_mul_overflow(n, each, &all);
}

// `make` calls the real function.
template <class Make>
[[gnu::always_inline]] inline void* allocated(std::size_t bytes, const void* caller, Make make) noexcept {
  const counted_memory reported = report(bytes, caller);
  void* block;
  {
    const inside_allocator guard;
    block = make();
  }
  return remember(block, reported);
}

void* reallocated(void* old, std::size_t bytes, const void* caller) noexcept {
  if (is_early(old)) {
    void* const block = ::malloc(bytes);
    if (block != nullptr) std::memcpy(block, old, std::min(bytes, early_bytes_from(old)));
    return block;
  }
  const counted_memory before = forget(old);
  // Only what there is more of.
  const counted_memory more =
      bytes > before.bytes ? report_more(before, bytes - before.bytes, caller) : counted_memory{};
  void* block;
  {
    const inside_allocator guard;
    block = real().realloc(old, bytes);
  }
  if (block == nullptr && bytes != 0) {
    // The old one is as it was.
    give_back(more);
    (void)remember(old, before);
    return nullptr;
  }
  return remember_resized(block, before, more, bytes);
}

}  // namespace

extern "C" {

TAKT_SEEN void* malloc(std::size_t bytes) noexcept {
  if (real().malloc == nullptr) return early_memory(bytes);
  return allocated(bytes, __builtin_return_address(0), [=] { return real().malloc(bytes); });
}

TAKT_SEEN void* calloc(std::size_t n, std::size_t each) noexcept {
  std::size_t bytes = 0;
  const bool fits = product(n, each, bytes);
  if (real().calloc == nullptr) return fits ? early_memory(bytes) : nullptr;
  return allocated(fits ? bytes : 0, __builtin_return_address(0), [=] { return real().calloc(n, each); });
}

TAKT_SEEN void free(void* block) noexcept {
  if (block == nullptr || is_early(block)) return;
  const counted_memory held = forget(block);
  {
    const inside_allocator guard;
    real().free(block);
  }
  give_back(held);
}

TAKT_SEEN void* realloc(void* old, std::size_t bytes) noexcept {
  if (real().realloc == nullptr && old == nullptr) return early_memory(bytes);
  return reallocated(old, bytes, __builtin_return_address(0));
}

// glibc's would not come by ours.
TAKT_SEEN void* reallocarray(void* old, std::size_t n, std::size_t each) noexcept {
  std::size_t bytes = 0;
  if (!product(n, each, bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocated(old, bytes, __builtin_return_address(0));
}

TAKT_SEEN void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  if (real().aligned_alloc == nullptr) return early_memory(bytes, alignment);
  return allocated(bytes, __builtin_return_address(0), [=] { return real().aligned_alloc(alignment, bytes); });
}

TAKT_SEEN void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  if (real().memalign == nullptr) return early_memory(bytes, alignment);
  return allocated(bytes, __builtin_return_address(0), [=] { return real().memalign(alignment, bytes); });
}

TAKT_SEEN int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  if (real().posix_memalign == nullptr) return (*block = early_memory(bytes, alignment)) != nullptr ? 0 : ENOMEM;
  int error = 0;
  void* made = nullptr;
  (void)allocated(bytes, __builtin_return_address(0), [&]() -> void* {
    error = real().posix_memalign(&made, alignment, bytes);
    return error == 0 ? made : nullptr;
  });
  if (error == 0) *block = made;
  return error;
}

TAKT_SEEN void* valloc(std::size_t bytes) noexcept {
  return allocated(bytes, __builtin_return_address(0), [=] { return real().valloc(bytes); });
}

TAKT_SEEN void* pvalloc(std::size_t bytes) noexcept {
  return allocated(bytes, __builtin_return_address(0), [=] { return real().pvalloc(bytes); });
}
}
