// A worker as the list of sleepers (src/worker/sleepers.hpp) sees it, that may run whatever there is.
#pragma once

#include "model/harness.hpp"
#include "worker/sleepers.hpp"

#include <cstdint>

namespace takt::model {

struct worker {
  struct worker_sleep {
    worker_sleep() : asleep(false) {}
    bool eligible(std::uint32_t) const { return true; }

    sync::plain<worker*> next;
    sync::plain<bool> asleep;
  };
  worker_sleep sleep;
  parker token;
};

}  // namespace takt::model
