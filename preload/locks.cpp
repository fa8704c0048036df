// What a thread holds. Who holds something does not wait: others may need it to go on, and it is to be given back on
// the same thread.
#include "preload/real.hpp"
#include "preload/watch.hpp"

#include <errno.h>
#include <pthread.h>

using namespace takt::preload;

namespace {

int taken(int error) noexcept {
  if (error == 0 || error == EOWNERDEAD) ++here().locks;
  return error;
}

int given(int error) noexcept {
  if (error == 0 && here().locks > 0) --here().locks;
  return error;
}

}  // namespace

extern "C" {

// While the loader is asked for the real ones there is one thread.
TAKT_SEEN int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  return real().mutex_lock != nullptr ? taken(real().mutex_lock(m)) : 0;
}
TAKT_SEEN int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  return real().mutex_unlock != nullptr ? given(real().mutex_unlock(m)) : 0;
}
TAKT_SEEN int pthread_mutex_trylock(pthread_mutex_t* m) noexcept { return taken(real().mutex_trylock(m)); }
TAKT_SEEN int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) noexcept {
  return taken(real().mutex_timedlock(m, until));
}
TAKT_SEEN int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* until) noexcept {
  return taken(real().mutex_clocklock(m, clock, until));
}

TAKT_SEEN int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept { return taken(real().rwlock_rdlock(l)); }
TAKT_SEEN int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept { return taken(real().rwlock_wrlock(l)); }
TAKT_SEEN int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept { return taken(real().rwlock_tryrdlock(l)); }
TAKT_SEEN int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept { return taken(real().rwlock_trywrlock(l)); }
TAKT_SEEN int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* until) noexcept {
  return taken(real().rwlock_timedrdlock(l, until));
}
TAKT_SEEN int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* until) noexcept {
  return taken(real().rwlock_timedwrlock(l, until));
}
TAKT_SEEN int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock, const timespec* until) noexcept {
  return taken(real().rwlock_clockrdlock(l, clock, until));
}
TAKT_SEEN int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock, const timespec* until) noexcept {
  return taken(real().rwlock_clockwrlock(l, clock, until));
}
TAKT_SEEN int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept { return given(real().rwlock_unlock(l)); }

TAKT_SEEN int pthread_spin_lock(pthread_spinlock_t* l) noexcept { return taken(real().spin_lock(l)); }
TAKT_SEEN int pthread_spin_trylock(pthread_spinlock_t* l) noexcept { return taken(real().spin_trylock(l)); }
TAKT_SEEN int pthread_spin_unlock(pthread_spinlock_t* l) noexcept { return given(real().spin_unlock(l)); }

// What it calls may throw. It does not come back on another thread, as nobody waits in it.
TAKT_SEEN int pthread_once(pthread_once_t* once, void (*fn)()) {
  struct counted {
    counted() noexcept { ++here().locks; }
    ~counted() {
      if (here().locks > 0) --here().locks;
    }
  } guard;
  return real().once(once, fn);
}

// Static variables in functions.
TAKT_SEEN int __cxa_guard_acquire(void* guard) {
  const int is_ours = real().guard_acquire(guard);
  if (is_ours != 0) ++here().locks;
  return is_ours;
}
TAKT_SEEN void __cxa_guard_release(void* guard) noexcept {
  real().guard_release(guard);
  (void)given(0);
}
TAKT_SEEN void __cxa_guard_abort(void* guard) noexcept {
  real().guard_abort(guard);
  (void)given(0);
}
}
