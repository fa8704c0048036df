#include "worker/invariant.hpp"

#include "worker/runtime.hpp"

#include <cstdio>
#include <cstdlib>

namespace takt::core {

void broken_invariant(const char* condition, const char* file, int line) noexcept {
  const worker* w = this_worker();
  if (w == nullptr) {
    std::fprintf(stderr, "takt: broken invariant '%s' at %s:%d, outside any worker\n", condition, file, line);
  } else {
    const fiber* f = w->scheduler.current();
    const long head = f != nullptr ? static_cast<long>(f->frames.index(takt_hot.head)) : -1;
    const long split = f != nullptr ? static_cast<long>(f->frames.index(takt_hot.split)) : -1;
    std::fprintf(stderr, "takt: broken invariant '%s' at %s:%d: worker %u, seat %d, fiber %p, head %ld, split %ld\n",
                 condition, file, line, w->index, w->seat.number(), static_cast<const void*>(f), head, split);
  }
  std::abort();
}

}  // namespace takt::core
