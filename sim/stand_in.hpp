// Virtual time in the place of the real platform, for a while: for programs that have both the simulator and the
// scheduler in them, and make a virtual_time of their own.
#pragma once

#include <takt/config.hpp>

#include "platform/door.hpp"
#include "sim/virtual_time.hpp"
#include "worker/simulator_view.hpp"

namespace takt::sim {

/// For virtual_time.
inline platform::simulated_process this_process() { return platform::this_process(core::simulator_view); }

/// While it lives, the runtime is one on `on`, with the given settings. No parallel call may be under way at either
/// end.
class stand_in {
 public:
  stand_in(virtual_time& on, const config& settings) : before_(platform::replace(&on)) { configure(settings); }
  ~stand_in() {
    // The runtime goes before its platform does.
    platform::replace(before_);
    config c;
    c.workers = 1;
    configure(c);
  }
  stand_in(const stand_in&) = delete;
  stand_in& operator=(const stand_in&) = delete;

 private:
  platform::platform* before_;
};

}  // namespace takt::sim
