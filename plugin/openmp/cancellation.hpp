// Worksharing loops and sections that can be cancelled.
#pragma once

#include <llvm/IR/Module.h>

namespace takt_plugin {

/// Makes of `cancel for` and `cancel sections` plain code, where a region has one loop that does not come again: see
/// "Cancellation" in README.md beside this file. @returns whether there was something.
bool lower_cancellation(llvm::Module& module);

}  // namespace takt_plugin
