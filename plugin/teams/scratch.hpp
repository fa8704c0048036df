// Arrays of a region that its loops use as scratch: whether they are filled before they are read.
#pragma once

#include "openmp/constructs.hpp"
#include "reach/accesses.hpp"

namespace takt_plugin {

/// Whether what `variable` holds at `from` may be read from there on, by whom it is private to: followed byte by byte,
/// through loops and calls whose counters are known. `all`: its accesses in the outlined function.
bool may_be_read_from(llvm::Instruction& from, llvm::AllocaInst& variable, const accesses& all, const constructs& parts,
                      effects_of_functions& known);

}  // namespace takt_plugin
