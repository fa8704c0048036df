// Loops that wait for what another thread does.
#pragma once

#include <llvm/IR/Function.h>

namespace takt_plugin {

/// Whether a function has a loop that somebody else has to end: see "Loops that wait" in README.md beside this file.
bool has_loop_that_waits(llvm::Function& function);

}  // namespace takt_plugin
