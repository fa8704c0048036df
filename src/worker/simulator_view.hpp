// What a simulator may see of the scheduler.
#pragma once

#include "platform/door.hpp"

namespace takt::core {

extern const platform::scheduler_view simulator_view;

}  // namespace takt::core
