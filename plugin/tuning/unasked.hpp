// Functions that ask once whether their forks are free do not ask again one level further down. See "Every second
// level" in README.md beside this file.
#pragma once

#include <llvm/IR/PassManager.h>

namespace takt_plugin {

/// Of each function that asks once, and calls itself more than once: the calls before the last one go to a copy of it
/// that does not ask. @returns whether there was any.
bool ask_every_second_level(llvm::Module& module);

/// What LLVM has not inlined of these copies goes: the function itself is called again. Runs when all else is done.
class drop_unasked : public llvm::PassInfoMixin<drop_unasked> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace takt_plugin
