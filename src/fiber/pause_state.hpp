// What a computation keeps for schedulers that hold it back before it allocates, beside the budget: nothing. (A build with
// TAKT_LAB has lab/seams/fiber/pause_state.hpp in this header's place.)
#pragma once

namespace takt::core {

struct pause_state {
  void begin() noexcept {}
};

}  // namespace takt::core
