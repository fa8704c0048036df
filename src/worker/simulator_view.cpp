#include "worker/simulator_view.hpp"

#include <takt/group.hpp>
#include <takt/settings.hpp>

#include "worker/worker.hpp"

namespace takt::core {

namespace {

const void* innermost_site(const fiber& f) noexcept {
  for (const abi::slot* s = takt_hot.head; s-- > f.frames.bottom();) {
    if (s->run == &takt_group_mark) continue;
    if (s->run != &takt_loop_mark) return reinterpret_cast<const void*>(s->run);
    return reinterpret_cast<const void*>((*reinterpret_cast<abi::loop_frame* const*>(s->payload))->run_half);
  }
  return reinterpret_cast<const void*>(f.run.code());
}

bool running(const void** function) noexcept {
  const worker* w = this_worker();
  if (w == nullptr || w->scheduler.current() == nullptr || takt_hot.head == nullptr) return false;
  *function = innermost_site(*w->scheduler.current());
  return true;
}

bool searches() noexcept {
  const worker* w = this_worker();
  // Or has just left a fiber.
  return w != nullptr && (w->scheduler.current() == nullptr || w->scheduler.is_leaving());
}

}  // namespace

constinit const platform::scheduler_view simulator_view{&running, &searches, &takt_statistics, k_most_workers};

}  // namespace takt::core
