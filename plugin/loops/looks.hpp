// Loops whose iterations may take any time. See "Looks" in README.md beside this file.
#pragma once

#include "openmp/region.hpp"

namespace takt_plugin {

/// Whether an iteration contains a loop of unknown length that is not a converted one, or calls code that may be long.
bool may_be_long(const region& found);

/// What counts an iteration that is over; null: not found.
llvm::StoreInst* find_step(const region& found);

}  // namespace takt_plugin
