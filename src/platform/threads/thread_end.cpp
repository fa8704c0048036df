#include "platform/threads/thread_end.hpp"

#include "sync/atomic.hpp"

#include <pthread.h>

namespace takt::platform {

namespace {

// A key of pthreads, and no thread_local with a destructor: glibc ends the process when it has no memory to register
// one of those, while a key can refuse. It also comes later: after the destructors of all thread_locals, which may make
// parallel calls.
class end_key {
 public:
  // A static library in a plug-in: once that is unloaded, no thread may call into it at its end.
  ~end_key() {
    if (made_.exchange(0, sync::acq_rel) != 0) pthread_key_delete(key_);
  }
  void make(void (*fn)() noexcept) noexcept {
    // EDGE thread_end.function
    function_.store(fn, sync::release);
    if (made_.load(sync::relaxed) != 0) return;
    // Where there are no keys left threads keep nothing.
    if (pthread_key_create(&key_, &ended) != 0) return;
    // EDGE thread_end.key: the key is written before a thread uses it.
    made_.store(1, sync::release);
  }
  bool watch() noexcept {
    // EDGE thread_end.key
    return made_.load(sync::acquire) != 0 && pthread_setspecific(key_, this) == 0;
  }

 private:
  static void ended(void* self) noexcept {
    // EDGE thread_end.function
    static_cast<end_key*>(self)->function_.load(sync::acquire)();
  }

  pthread_key_t key_{};
  sync::atomic<std::uint32_t> made_{0};
  sync::atomic<void (*)() noexcept> function_{nullptr};
};

constinit end_key key;

}  // namespace

void at_thread_end(void (*fn)() noexcept) noexcept { key.make(fn); }
bool watch_for_thread_end() noexcept { return key.watch(); }

}  // namespace takt::platform
