// Reductions over a whole region: its variables, and the loops that add to them.
#pragma once

#include "constructs.hpp"

#include <llvm/IR/IRBuilder.h>

namespace takt_plugin {

/// The region's private copy of a variable that is reduced over all of it.
struct total {
  llvm::AllocaInst* copy = nullptr;
  llvm::Constant* identity = nullptr;
  llvm::Instruction* operation = nullptr;           ///< how the region combines it: a binary operator, or a comparison
  llvm::SmallPtrSet<const construct*, 4> added_in;  ///< loops
};

struct region_totals {
  llvm::CallInst* reduce = nullptr;  ///< null: there are none
  block_set combining;
  std::vector<total> all;
};

/// @returns why loops of the region cannot have such reductions of their own; empty: they can, or there are none.
std::string find_totals(llvm::Function& outlined, const constructs& loops, region_totals& found);

/// What the operator of `of` makes of two values.
llvm::Value* combined(llvm::IRBuilder<>& b, const total& of, llvm::Value* variable, llvm::Value* copy);

}  // namespace takt_plugin
