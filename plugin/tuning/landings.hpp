// Landing pads of functions that ask once whether their forks are free. See "Forks of the library" in
// plugin/forks/README.md.
#pragma once

#include <llvm/IR/PassManager.h>

namespace takt_plugin {

/// Puts what a landing pad of a function that asks once (k_asks_once) leads to, and never comes back from, into a
/// function of its own, from which LLVM takes control to go on to the function's end. Then there is one end that all ways
/// but the first return lead to, and the registers are saved behind that return (shrink-wrapping). Runs when all else is
/// done.
class landings_apart : public llvm::PassInfoMixin<landings_apart> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace takt_plugin
