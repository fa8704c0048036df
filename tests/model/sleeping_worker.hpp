// A worker as the list of sleepers (src/worker/sleepers.hpp) sees it, that may run what there is of one scope, or whatever there is.
#pragma once

#include "model/harness.hpp"
#include "worker/sleepers.hpp"

#include <cstdint>

namespace takt::model {

struct worker {
  struct worker_sleep {
    worker_sleep() : asleep(false) {}
    bool eligible(std::uint32_t scope) const { return only_scope == 0 || only_scope == scope; }

    sync::plain<worker*> next;
    sync::plain<bool> asleep;
    std::uint32_t only_scope = 0;
  };
  worker_sleep sleep;
  unsigned last_seat = 0;
  parker token;
};

}  // namespace takt::model
