// mmap: private memory of the program's own. An allocator's calls are not seen (README.md, "Who may wait").
#include "preload/real.hpp"
#include "preload/watch.hpp"

#include <sys/mman.h>

#include <cstdarg>

using namespace takt::preload;

namespace {

bool is_memory(int protection, int flags) noexcept {
  constexpr int k_must = MAP_PRIVATE | MAP_ANONYMOUS;
  constexpr int k_must_not = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_NORESERVE | MAP_STACK | MAP_GROWSDOWN;
  return (protection & PROT_WRITE) != 0 && (flags & k_must) == k_must && (flags & k_must_not) == 0;
}

void* mapped(void* where, std::size_t bytes, int protection, int flags, int file, off_t offset,
             const void* caller) noexcept {
  const counted_memory reported = is_memory(protection, flags) ? report(bytes, caller) : counted_memory{};
  void* const made = real().mmap(where, bytes, protection, flags, file, offset);
  (void)remember(made == MAP_FAILED ? nullptr : made, reported);
  return made;
}

}  // namespace

extern "C" {

TAKT_SEEN void* mmap(void* where, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return mapped(where, bytes, protection, flags, file, offset, __builtin_return_address(0));
}

// off_t has 64 bits here.
TAKT_SEEN void* mmap64(void* where, std::size_t bytes, int protection, int flags, int file, off64_t offset) noexcept {
  return mapped(where, bytes, protection, flags, file, offset, __builtin_return_address(0));
}

TAKT_SEEN int munmap(void* first, std::size_t bytes) noexcept {
  const counted_memory told = forget(first);
  const int error = real().munmap(first, bytes);
  if (error != 0) {
    (void)remember(first, told);
  } else {
    give_back(told);
  }
  return error;
}

TAKT_SEEN void* mremap(void* first, std::size_t bytes, std::size_t wanted, int flags, ...) noexcept {
  void* where = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list rest;
    va_start(rest, flags);
    where = va_arg(rest, void*);
    va_end(rest);
  }
  // As realloc.
  const counted_memory before = forget(first);
  const bool grows = before.bytes != 0 && wanted > before.bytes;
  const counted_memory more =
      grows ? report_more(before, wanted - before.bytes, __builtin_return_address(0)) : counted_memory{};
  void* const made = real().mremap(first, bytes, wanted, flags, where);
  if (made == MAP_FAILED) {
    give_back(more);
    (void)remember(first, before);
    return made;
  }
  return remember_resized(made, before, more, wanted);
}
}
