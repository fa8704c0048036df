// A worker as the list of sleepers (src/worker/sleepers.hpp) sees it, that may run whatever there is.
#pragma once

#include "model/harness.hpp"
#include "worker/sleepers.hpp"

#include <cstdint>

namespace takt::model {

struct worker {
  worker() : asleep(false) {}
  bool eligible(std::uint32_t) const { return true; }

  sync::plain<worker*> next_sleeper;
  sync::plain<bool> asleep;
  parker token;
};

}  // namespace takt::model
