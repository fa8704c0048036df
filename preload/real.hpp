// The functions behind ours. See README.md.
#pragma once

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <cstddef>
#include <new>

namespace takt::preload {

struct real_functions {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  void* (*memalign)(std::size_t, std::size_t);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
  void* (*valloc)(std::size_t);
  void* (*pvalloc)(std::size_t);

  // The plain ones, those of arrays.
  void* (*make[2])(std::size_t);
  void* (*make_or_null[2])(std::size_t, const std::nothrow_t&);
  void* (*make_aligned[2])(std::size_t, std::align_val_t);
  void* (*make_aligned_or_null[2])(std::size_t, std::align_val_t, const std::nothrow_t&);
  void (*destroy[2])(void*);
  void (*destroy_sized[2])(void*, std::size_t);
  void (*destroy_aligned[2])(void*, std::align_val_t);
  void (*destroy_sized_aligned[2])(void*, std::size_t, std::align_val_t);

  void* (*mmap)(void*, std::size_t, int, int, int, off_t);
  int (*munmap)(void*, std::size_t);
  void* (*mremap)(void*, std::size_t, std::size_t, int, ...);

  int (*mutex_lock)(pthread_mutex_t*);
  int (*mutex_trylock)(pthread_mutex_t*);
  int (*mutex_timedlock)(pthread_mutex_t*, const timespec*);
  int (*mutex_clocklock)(pthread_mutex_t*, clockid_t, const timespec*);
  int (*mutex_unlock)(pthread_mutex_t*);
  int (*rwlock_rdlock)(pthread_rwlock_t*);
  int (*rwlock_wrlock)(pthread_rwlock_t*);
  int (*rwlock_tryrdlock)(pthread_rwlock_t*);
  int (*rwlock_trywrlock)(pthread_rwlock_t*);
  int (*rwlock_timedrdlock)(pthread_rwlock_t*, const timespec*);
  int (*rwlock_timedwrlock)(pthread_rwlock_t*, const timespec*);
  int (*rwlock_clockrdlock)(pthread_rwlock_t*, clockid_t, const timespec*);
  int (*rwlock_clockwrlock)(pthread_rwlock_t*, clockid_t, const timespec*);
  int (*rwlock_unlock)(pthread_rwlock_t*);
  int (*spin_lock)(pthread_spinlock_t*);
  int (*spin_trylock)(pthread_spinlock_t*);
  int (*spin_unlock)(pthread_spinlock_t*);
  int (*once)(pthread_once_t*, void (*)());
  int (*guard_acquire)(void*);
  void (*guard_release)(void*);
  void (*guard_abort)(void*);
};

/// Found at the first call; what is asked for meanwhile, by the loader on the same thread, is null.
const real_functions& real() noexcept;

/// Whether who calls malloc comes to ours. While there is one thread; if not, a little memory is lost.
bool is_called_as_malloc() noexcept;

/// Until the real ones are known: zeroed, at any alignment up to a page, and never given back.
void* early_memory(std::size_t bytes, std::size_t alignment = 16) noexcept;
bool is_early(const void* block) noexcept;
/// From there to the end of what there is: at least the block.
std::size_t early_bytes_from(const void* block) noexcept;

}  // namespace takt::preload
