// What the actions of a scheduler cost on this machine.
#pragma once

#include "tools/scale_machine.hpp"

namespace takt::tools {

// Measures for about a tenth of a second, with a second thread. The name of the result says how
// it came about; its number of cores is unknown.
// Precondition: the process has one thread.
machine_description calibrate();

}  // namespace takt::tools
