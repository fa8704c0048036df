// The code of an outlined function around its loop, which every slice runs anew.
#pragma once

#include "openmp/region.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>

namespace takt_plugin {

/// Where effects are why.
inline constexpr const char* k_effects_beside = "code beside the loop may have effects";

/// @returns why running the code around the loop in any number of virtual threads could be seen; empty: it cannot.
std::string check_surroundings(const region& found, const llvm::DominatorTree& tree);

/// Whether it takes long to run the code around the loop, so that each thread should do it once only, as far as that
/// can be seen: it calls what is not seen (memory is allocated), has loops, or fills arrays that are not small.
bool is_dear_to_begin(const region& found);

}  // namespace takt_plugin
