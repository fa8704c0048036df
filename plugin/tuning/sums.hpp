// How converted loops add up.
#pragma once

#include "openmp/region.hpp"

#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace takt_plugin {

/// See add_in_any_order() in tuning.hpp.
void allow_any_order(const region& copy);

/// Right before LLVM unrolls short loops wholly: not those that add up in any order, so that they come to the
/// vectoriser as loops.
class keep_sums_rolled : public llvm::PassInfoMixin<keep_sums_rolled> {
 public:
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& standard, llvm::LPMUpdater& updater);
};

/// Right before the vectoriser: they may be unrolled again after it.
class unroll_sums : public llvm::PassInfoMixin<unroll_sums> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// After the vectoriser and unrolling: sums that wait for each other are made two.
class split_sums : public llvm::PassInfoMixin<split_sums> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace takt_plugin
