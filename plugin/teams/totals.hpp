// Reductions over a whole region: its variables, and the loops that add to them.
#pragma once

#include "openmp/constructs.hpp"

#include <llvm/IR/IRBuilder.h>

namespace takt_plugin {

/// The region's private copy of a variable that is reduced over all of it.
struct total {
  llvm::AllocaInst* copy = nullptr;
  llvm::Constant* identity = nullptr;
  llvm::Instruction* operation = nullptr;           ///< how the region combines it: a binary operator, or a comparison
  llvm::Type* element = nullptr;                    ///< of an array of them, which begins with zeros; null: a scalar
  llvm::SmallPtrSet<const construct*, 4> added_in;  ///< loops
};

struct region_totals {
  llvm::CallInst* reduce = nullptr;  ///< null: there are none
  std::vector<stretch> combining;
  std::vector<total> all;
  bool has_records = false;  ///< what is added may be in records, and is known when these have been split
};

/// `splits_records`: what critical sections add to is split into variables of their own. @returns why loops of the
/// region cannot have such reductions of their own; empty: they can, or there are none.
refusal find_totals(llvm::Function& outlined, const constructs& loops, region_totals& found, bool splits_records);

/// Whether the instruction is of what combines them.
bool combines(const region_totals& totals, const llvm::Instruction& instruction);
/// The construct that has the instruction; null: it is beside them.
const construct* construct_of(const constructs& all, const llvm::Instruction& instruction);
/// Whether all that the construct does with a scalar total is to put values into it by its operator.
bool only_adds(const total& of, const construct& where);

/// What the operator of `of` makes of two values.
llvm::Value* combined(llvm::IRBuilder<>& b, const total& of, llvm::Value* variable, llvm::Value* copy);

/// Makes a function that combines an array of them into another one.
llvm::Function& combination_of_arrays(const total& of, const llvm::Function& outlined);

}  // namespace takt_plugin
