// What a rewritten module tells takt's runtime, if the program has it.
#pragma once

#include "reach/reach.hpp"

namespace llvm {
class Module;
}

namespace takt_plugin {

/// Each thread of a region that is left to the OpenMP runtime says when it is done with it, as takt may use the CPUs
/// next. Not in regions inside others of it.
void announce_ends(llvm::Module& module);

/// Before `main`: other files could call a function that looks at the identity of its thread, other than in
/// `numbers`. @returns whether one could.
bool announce_identity(llvm::Module& module, const number_set& numbers);

}  // namespace takt_plugin
