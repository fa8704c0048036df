// Rows that are not asked about one by one. See "Chunks of short rows" in plugin/loops/README.md.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class CallInst;
class LoadInst;
}  // namespace llvm

namespace takt_plugin {

/// Says of a load that it is of the bound below which a loop is free: `negative`, of site::free_past, with which
/// begin - end is compared, else of site::free_below, with which end - begin is.
void mark_free_bound(llvm::LoadInst& load, bool negative);

/// Says of a call of takt_omp_run that the iterations it runs are also where it is called: whatever they may do, other
/// than to come to an end, can be seen there.
void mark_run_here(llvm::CallInst& run);

/// Gives a loop whose iterations start free loops, rows, a second copy for when all of its rows together are short,
/// which asks nothing. Runs where LLVM begins to vectorise.
class free_rows : public llvm::PassInfoMixin<free_rows> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace takt_plugin
