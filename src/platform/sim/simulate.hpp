// TAKT_SIM: the whole program on a simulated machine. See README.md beside this file.
#pragma once

#include "platform/platform.hpp"

namespace takt::sim {

/// The platform for a new runtime: the one in use, or, where TAKT_SIM asks for it, the simulated machine, which the
/// first call puts in its place and which reports when the process exits. A value that cannot be understood, or an exit
/// without a report, is one line on stderr and exit code 2: nobody wants half a simulation.
platform::platform& platform_for_runtime();

/// The workers that TAKT_SIM asks for, which go before any other setting; 0 without it.
unsigned workers() noexcept;

}  // namespace takt::sim
