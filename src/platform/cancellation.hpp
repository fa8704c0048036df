// pthread_cancel: files that are opened, threads that are waited for, and what is printed are places where a thread may
// be cancelled. None of takt's own is such a place.
#pragma once

#include <pthread.h>

namespace takt::platform {

/// Until the second call the calling thread is not cancelled. @returns what that is given.
inline int hold_cancellation() noexcept {
  int before = PTHREAD_CANCEL_DISABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  return before;
}
inline void release_cancellation(int before) noexcept { pthread_setcancelstate(before, nullptr); }

/// The same for a scope.
class uncancelled {
 public:
  uncancelled() noexcept : before_(hold_cancellation()) {}
  ~uncancelled() { release_cancellation(before_); }
  uncancelled(const uncancelled&) = delete;
  uncancelled& operator=(const uncancelled&) = delete;

 private:
  const int before_;
};

}  // namespace takt::platform
