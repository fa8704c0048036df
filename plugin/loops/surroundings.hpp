// The code of an outlined function around its loop, which every slice runs anew.
#pragma once

#include "loops/epilogues.hpp"
#include "openmp/region.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>

namespace takt_plugin {

/// Whether an instruction is of the loop, whose blocks are `inside`.
bool is_of_iterations(const region& found, const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& inside,
                      const llvm::Instruction& instruction);

/// `behind`: what follows the loop may have effects, if it has them by what iterations left. Null: it may not.
/// @returns why running the code around the loop in any number of virtual threads could be seen; empty: it cannot.
refusal check_surroundings(const region& found, const llvm::DominatorTree& tree, const epilogue* behind);

/// Whether slices can claim their iterations from a pool, so that each who takes part has one.
bool may_be_pooled(const region& found);

/// Whether they do.
bool is_pooled(const region& found);

/// Whether it takes long to run the code around the loop, so that each thread should do it once only, as far as that
/// can be seen: it calls what is not seen (memory is allocated), has loops, or fills arrays that are not small.
bool is_dear_to_begin(const region& found);

}  // namespace takt_plugin
