// Allocators: all memory is malloc's, with the alignment, the pool's size and the fallback that are asked for.
#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "memory.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {
namespace {

// Traits, and their values, as omp.h numbers them.
enum : int { k_sync_hint = 1, k_alignment, k_access, k_pool_size, k_fallback, k_fb_data, k_pinned, k_partition };
enum : std::uintptr_t {
  k_false = 0,
  k_true = 1,
  k_contended = 3,
  k_private = 6,
  k_all = 7,
  k_cgroup = 10,
  k_default_mem_fb = 11,
  k_null_fb = 12,
  k_abort_fb = 13,
  k_allocator_fb = 14,
  k_environment = 15,
  k_interleaved = 18,
  k_default = ~std::uintptr_t{0}
};

constexpr std::uintptr_t k_predefined = 4096;  ///< handles below are no allocators of the program's
constexpr std::uintptr_t k_last_space = 4;

struct allocator {
  std::size_t alignment = 1;
  std::size_t pool = k_default;
  std::atomic<std::size_t> used{0};
  std::uintptr_t fallback = k_default_mem_fb;
  std::uintptr_t next = 0;  ///< for k_allocator_fb

  bool charge(std::size_t bytes) noexcept {
    if (pool == k_default) return true;
    std::size_t now = used.load(std::memory_order_relaxed);
    do {
      if (bytes > pool || now > pool - bytes) return false;
    } while (!used.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
    return true;
  }
  void refund(std::size_t bytes) noexcept {
    if (pool != k_default) used.fetch_sub(bytes, std::memory_order_relaxed);
  }
};

// In front of a block.
struct block_head {
  void* memory;
  std::size_t bytes;
  std::size_t all;  ///< what was asked for of malloc
  allocator* from;  ///< null: predefined
};

allocator* allocator_of(std::uintptr_t handle) noexcept {
  return handle < k_predefined ? nullptr : reinterpret_cast<allocator*>(handle);
}

std::uintptr_t resolved(std::uintptr_t handle) noexcept {
  return handle != 0 ? handle : icvs(me()).allocator;
}

block_head& head_of(void* block) noexcept { return static_cast<block_head*>(block)[-1]; }

/// 0: too much.
std::size_t bytes_in_all(std::size_t alignment, std::size_t bytes) noexcept {
  const std::size_t more = sizeof(block_head) + alignment;
  return bytes + more < bytes ? 0 : bytes + more;
}

void* take(std::size_t alignment, std::size_t bytes, std::size_t all, allocator* from) noexcept {
  void* const memory = std::malloc(all);
  if (memory == nullptr) return nullptr;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(memory) + sizeof(block_head);
  void* const block = reinterpret_cast<void*>((first + alignment - 1) / alignment * alignment);
  head_of(block) = {memory, bytes, all, from};
  return block;
}

void give_back(void* block) noexcept {
  const block_head& h = head_of(block);
  if (h.from != nullptr) h.from->refund(h.all);
  std::free(h.memory);
}

std::size_t alignment_with(std::size_t alignment, const allocator* a) noexcept {
  return std::max({alignment, a != nullptr ? a->alignment : 1, alignof(std::max_align_t)});
}

void* allocate(std::size_t alignment, std::size_t bytes, std::uintptr_t handle) noexcept {
  if (bytes == 0) return nullptr;
  for (handle = resolved(handle);;) {
    allocator* const a = allocator_of(handle);
    const std::size_t to = alignment_with(alignment, a);
    const std::size_t all = bytes_in_all(to, bytes);
    if (all != 0 && (a == nullptr || a->charge(all))) {
      if (void* const block = take(to, bytes, all, a); block != nullptr) return block;
      if (a != nullptr) a->refund(all);
    }
    if (a == nullptr || a->fallback == k_null_fb) return nullptr;
    if (a->fallback == k_abort_fb) fail("an allocator has no memory left, and is to end the program");
    handle = a->fallback == k_allocator_fb ? a->next : k_default_allocator;
  }
}

void* clear(void* block, std::size_t bytes) noexcept {
  return block != nullptr ? std::memset(block, 0, bytes) : nullptr;
}

bool times(std::size_t a, std::size_t b, std::size_t& out) noexcept { return !__builtin_mul_overflow(a, b, &out); }

/// @returns false for what no allocator can have.
bool set_trait(allocator& a, int key, std::uintptr_t value) noexcept {
  const auto is_between = [&](std::uintptr_t from, std::uintptr_t to) {
    return value == k_default || (value >= from && value <= to);
  };
  switch (key) {
    case k_sync_hint: return is_between(k_contended, k_private);
    case k_access: return is_between(k_all, k_cgroup);
    case k_pinned: return is_between(k_false, k_false);
    case k_partition: return is_between(k_environment, k_interleaved);
    case k_alignment:
      if (value == k_default) return true;
      a.alignment = value;
      return value != 0 && (value & (value - 1)) == 0;
    case k_pool_size:
      if (value != k_default) a.pool = value;
      return true;
    case k_fallback:
      if (value != k_default) a.fallback = value;
      return is_between(k_default_mem_fb, k_allocator_fb);
    case k_fb_data: a.next = value; return true;
    default: return false;
  }
}

struct trait {
  int key;
  std::uintptr_t value;
};

bool starts(const char*& text, const char* with) noexcept {
  const std::size_t length = std::strlen(with);
  if (strncasecmp(text, with, length) != 0) return false;
  text += length;
  return true;
}

}  // namespace

bool read_allocator(const char* text, std::uintptr_t& out) {
  const char* const names[] = {"default", "large_cap", "const", "high_bw", "low_lat", "cgroup", "pteam", "thread"};
  if (!starts(text, "omp_")) return false;
  for (std::uintptr_t i = 0; i < std::size(names); ++i) {
    const char* rest = text;
    if (!starts(rest, names[i])) continue;
    if (strcasecmp(rest, "_mem_alloc") == 0) {
      out = i + 1;
      return true;
    }
    if (i > k_last_space || !starts(rest, "_mem_space")) return false;
    // :trait=value,...
    auto* const a = new (std::nothrow) allocator;
    if (a == nullptr) return false;
    bool is_right = *rest == '\0' || *rest == ':';
    while (is_right && *rest != '\0') {
      ++rest;
      char* end = nullptr;
      if (starts(rest, "alignment=")) {
        is_right = set_trait(*a, k_alignment, std::strtoull(rest, &end, 10));
      } else if (starts(rest, "pool_size=")) {
        is_right = set_trait(*a, k_pool_size, std::strtoull(rest, &end, 10));
      } else {
        is_right = false;
      }
      is_right = is_right && end != rest && (*end == ',' || *end == '\0');
      rest = is_right ? end : rest;
    }
    if (!is_right) {
      delete a;
      return false;
    }
    // For the whole program.
    out = reinterpret_cast<std::uintptr_t>(a);
    return true;
  }
  return false;
}

}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void* omp_alloc(std::size_t bytes, std::uintptr_t handle) { return allocate(0, bytes, handle); }
TAKT_OMP void* omp_aligned_alloc(std::size_t alignment, std::size_t bytes, std::uintptr_t handle) {
  return allocate(alignment, bytes, handle);
}
TAKT_OMP void* omp_calloc(std::size_t count, std::size_t each, std::uintptr_t handle) {
  std::size_t bytes = 0;
  return times(count, each, bytes) ? clear(allocate(0, bytes, handle), bytes) : nullptr;
}
TAKT_OMP void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t each, std::uintptr_t handle) {
  std::size_t bytes = 0;
  return times(count, each, bytes) ? clear(allocate(alignment, bytes, handle), bytes) : nullptr;
}
TAKT_OMP void omp_free(void* block, std::uintptr_t) {
  if (block != nullptr) give_back(block);
}
TAKT_OMP void* omp_realloc(void* block, std::size_t bytes, std::uintptr_t handle, std::uintptr_t free_handle) {
  if (block == nullptr) return allocate(0, bytes, handle);
  if (bytes == 0) {
    give_back(block);
    return nullptr;
  }
  const block_head old = head_of(block);
  if (handle == 0) handle = free_handle != 0 ? free_handle : reinterpret_cast<std::uintptr_t>(old.from);
  allocator* const a = allocator_of(resolved(handle));
  void* other = nullptr;
  if (a != nullptr && a == old.from) {
    // The pool holds one of the two.
    const std::size_t to = alignment_with(0, a);
    const std::size_t all = bytes_in_all(to, bytes);
    const bool has_room = all != 0 && (all <= old.all || a->charge(all - old.all));
    if (has_room) other = take(to, bytes, all, a);
    if (other != nullptr) {
      if (all < old.all) a->refund(old.all - all);
    } else if (has_room && all > old.all) {
      a->refund(all - old.all);
    }
    if (other != nullptr) {
      std::memcpy(other, block, std::min(bytes, old.bytes));
      std::free(old.memory);
      return other;
    }
  }
  other = allocate(0, bytes, handle);
  if (other == nullptr) return nullptr;
  std::memcpy(other, block, std::min(bytes, old.bytes));
  give_back(block);
  return other;
}
TAKT_OMP std::uintptr_t omp_init_allocator(std::uintptr_t space, int count, const void* traits) {
  auto* const a = space <= k_last_space || space >= 100 ? new (std::nothrow) allocator : nullptr;
  if (a == nullptr) return 0;
  bool is_right = true;
  for (int i = 0; i < count && is_right; ++i) {
    const trait& t = static_cast<const trait*>(traits)[i];
    is_right = set_trait(*a, t.key, t.value);
  }
  if (is_right && (a->fallback != k_allocator_fb || a->next != 0)) return reinterpret_cast<std::uintptr_t>(a);
  delete a;
  return 0;
}
TAKT_OMP void omp_destroy_allocator(std::uintptr_t handle) { delete allocator_of(handle); }
TAKT_OMP void omp_set_default_allocator(std::uintptr_t handle) {
  icvs(me()).allocator = handle != 0 ? handle : k_default_allocator;
}
TAKT_OMP std::uintptr_t omp_get_default_allocator() { return icvs(me()).allocator; }

TAKT_OMP void* GOMP_alloc(std::size_t alignment, std::size_t bytes, std::uintptr_t handle) {
  return allocate(alignment, bytes, handle);
}
TAKT_OMP void GOMP_free(void* block, std::uintptr_t) { omp_free(block, 0); }
TAKT_OMP void* __kmpc_alloc(int, std::size_t bytes, std::uintptr_t handle) { return allocate(0, bytes, handle); }
TAKT_OMP void* __kmpc_aligned_alloc(int, std::size_t alignment, std::size_t bytes, std::uintptr_t handle) {
  return allocate(alignment, bytes, handle);
}
TAKT_OMP void* __kmpc_calloc(int, std::size_t count, std::size_t each, std::uintptr_t handle) {
  return omp_calloc(count, each, handle);
}
TAKT_OMP void* __kmpc_realloc(int, void* block, std::size_t bytes, std::uintptr_t handle, std::uintptr_t free_handle) {
  return omp_realloc(block, bytes, handle, free_handle);
}
TAKT_OMP void __kmpc_free(int, void* block, std::uintptr_t) { omp_free(block, 0); }
TAKT_OMP std::uintptr_t __kmpc_init_allocator(int, std::uintptr_t space, int count, const void* traits) {
  return omp_init_allocator(space, count, traits);
}
TAKT_OMP void __kmpc_destroy_allocator(int, std::uintptr_t handle) { omp_destroy_allocator(handle); }
TAKT_OMP void __kmpc_set_default_allocator(int, std::uintptr_t handle) { omp_set_default_allocator(handle); }
TAKT_OMP std::uintptr_t __kmpc_get_default_allocator(int) { return omp_get_default_allocator(); }

// --- Fortran
TAKT_OMP std::uintptr_t omp_init_allocator_(const std::uintptr_t* space, const int* count, const void* traits) {
  return omp_init_allocator(*space, *count, traits);
}
TAKT_OMP std::uintptr_t omp_init_allocator_8_(const std::uintptr_t* space, const std::int64_t* count, const void* traits) {
  return omp_init_allocator(*space, static_cast<int>(*count), traits);
}
TAKT_OMP void omp_destroy_allocator_(const std::uintptr_t* handle) { omp_destroy_allocator(*handle); }
TAKT_OMP void omp_set_default_allocator_(const std::uintptr_t* handle) { omp_set_default_allocator(*handle); }
TAKT_OMP std::uintptr_t omp_get_default_allocator_() { return omp_get_default_allocator(); }
