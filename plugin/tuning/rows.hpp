// Rows that are not asked about one by one. See "Chunks of short rows" in plugin/loops/README.md.
#pragma once

#include <llvm/IR/PassManager.h>

namespace takt_plugin {

/// Gives a loop whose iterations start free loops, rows, a second copy for when all of its rows together are short,
/// which asks nothing. Runs where LLVM begins to vectorise.
class free_rows : public llvm::PassInfoMixin<free_rows> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace takt_plugin
