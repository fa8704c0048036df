// Forks of the library (takt::fork_join): a function that calls itself through them asks once whether they are free.
// See "Forks of the library" in README.md beside this file.
#pragma once

#include <llvm/IR/Module.h>

namespace takt_plugin {

/// Gives each such function of `module` two versions, and says in a remark why another one stays as it is.
/// @returns whether anything was changed.
bool ask_forks_once(llvm::Module& module);

}  // namespace takt_plugin
