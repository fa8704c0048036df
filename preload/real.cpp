#include "preload/real.hpp"

#include "preload/watch.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include <cstdint>
#include <utility>
#include "sync/atomic.hpp"

namespace takt::preload {

namespace {

real_functions found{};
enum class progress { none, asking, done };
sync::atomic<progress> asked{progress::none};

template <class Function>
void ask(Function& function, const char* name) noexcept {
  function = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

[[gnu::noinline, gnu::cold]] void ask_for_all() noexcept {
  asked.store(progress::asking, sync::relaxed);
  real_functions& f = found;
  ask(f.mutex_lock, "pthread_mutex_lock");
  ask(f.mutex_unlock, "pthread_mutex_unlock");
  ask(f.malloc, "malloc");
  ask(f.calloc, "calloc");
  ask(f.realloc, "realloc");
  ask(f.free, "free");
  ask(f.aligned_alloc, "aligned_alloc");
  ask(f.memalign, "memalign");
  ask(f.posix_memalign, "posix_memalign");
  ask(f.valloc, "valloc");
  ask(f.pvalloc, "pvalloc");
  // std::size_t is m here: 64 bits, Linux.
  ask(f.make[0], "_Znwm");
  ask(f.make[1], "_Znam");
  ask(f.make_or_null[0], "_ZnwmRKSt9nothrow_t");
  ask(f.make_or_null[1], "_ZnamRKSt9nothrow_t");
  ask(f.make_aligned[0], "_ZnwmSt11align_val_t");
  ask(f.make_aligned[1], "_ZnamSt11align_val_t");
  ask(f.make_aligned_or_null[0], "_ZnwmSt11align_val_tRKSt9nothrow_t");
  ask(f.make_aligned_or_null[1], "_ZnamSt11align_val_tRKSt9nothrow_t");
  ask(f.destroy[0], "_ZdlPv");
  ask(f.destroy[1], "_ZdaPv");
  ask(f.destroy_sized[0], "_ZdlPvm");
  ask(f.destroy_sized[1], "_ZdaPvm");
  ask(f.destroy_aligned[0], "_ZdlPvSt11align_val_t");
  ask(f.destroy_aligned[1], "_ZdaPvSt11align_val_t");
  ask(f.destroy_sized_aligned[0], "_ZdlPvmSt11align_val_t");
  ask(f.destroy_sized_aligned[1], "_ZdaPvmSt11align_val_t");
  ask(f.mmap, "mmap");
  ask(f.munmap, "munmap");
  ask(f.mremap, "mremap");
  ask(f.mutex_trylock, "pthread_mutex_trylock");
  ask(f.mutex_timedlock, "pthread_mutex_timedlock");
  ask(f.mutex_clocklock, "pthread_mutex_clocklock");
  ask(f.rwlock_rdlock, "pthread_rwlock_rdlock");
  ask(f.rwlock_wrlock, "pthread_rwlock_wrlock");
  ask(f.rwlock_tryrdlock, "pthread_rwlock_tryrdlock");
  ask(f.rwlock_trywrlock, "pthread_rwlock_trywrlock");
  ask(f.rwlock_timedrdlock, "pthread_rwlock_timedrdlock");
  ask(f.rwlock_timedwrlock, "pthread_rwlock_timedwrlock");
  ask(f.rwlock_clockrdlock, "pthread_rwlock_clockrdlock");
  ask(f.rwlock_clockwrlock, "pthread_rwlock_clockwrlock");
  ask(f.rwlock_unlock, "pthread_rwlock_unlock");
  ask(f.spin_lock, "pthread_spin_lock");
  ask(f.spin_trylock, "pthread_spin_trylock");
  ask(f.spin_unlock, "pthread_spin_unlock");
  ask(f.once, "pthread_once");
  ask(f.guard_acquire, "__cxa_guard_acquire");
  ask(f.guard_release, "__cxa_guard_release");
  ask(f.guard_abort, "__cxa_guard_abort");
  // EDGE preload.found: all of them.
  asked.store(progress::done, sync::release);
}

constexpr std::size_t k_early_bytes = 32 << 10;
alignas(4096) unsigned char early[k_early_bytes];
sync::atomic<std::size_t> early_used{0};

}  // namespace

const real_functions& real() noexcept {
  // EDGE preload.found
  if (asked.load(sync::acquire) == progress::none) [[unlikely]]
    ask_for_all();
  return found;
}

bool is_called_as_malloc() noexcept {
  (void)real();
  // Without the real one ours takes from what nobody else has.
  const auto kept = std::exchange(found.malloc, nullptr);
  const bool ours = is_early(::malloc(1));
  found.malloc = kept;
  return ours;
}

void* early_memory(std::size_t bytes, std::size_t alignment) noexcept {
  std::size_t used = early_used.load(sync::relaxed);
  for (;;) {
    const std::size_t first = (used + alignment - 1) & ~(alignment - 1);
    if (first > k_early_bytes || bytes > k_early_bytes - first) return nullptr;
    if (early_used.compare_exchange_strong(used, first + bytes, sync::relaxed, sync::relaxed)) return early + first;
  }
}

bool is_early(const void* block) noexcept {
  return reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(early) < k_early_bytes;
}

std::size_t early_bytes_from(const void* block) noexcept {
  return k_early_bytes - static_cast<std::size_t>(static_cast<const unsigned char*>(block) - early);
}

}  // namespace takt::preload
