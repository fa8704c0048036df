// How converted loops add up.
#pragma once

#include "region.hpp"

namespace takt_plugin {

/// Lets the optimiser add the terms of a floating-point reduction in any order, as the clause does, in place of the
/// order in which a serial loop has to; and multiply its factors. Only where an iteration does nothing else with the
/// variable at that place.
void add_in_any_order(const region& copy);

}  // namespace takt_plugin
