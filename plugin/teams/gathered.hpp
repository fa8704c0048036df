// Constructs in functions that a region calls. See "Constructs in functions" in README.md beside this file.
#pragma once

#include "openmp/region.hpp"

#include <llvm/IR/ValueHandle.h>

#include <vector>

namespace takt_plugin {

/// A region into which the functions have been put that have constructs of its team.
struct gathered_region {
  llvm::WeakVH outlined;               ///< null: it is not needed any more
  llvm::Function* original = nullptr;  ///< as Clang made it; nobody uses it
};
using gathered_regions = std::vector<gathered_region>;

/// Puts functions with constructs into the regions that call them, as copies: so each such region has all of its
/// constructs in one function, and means what it meant.
gathered_regions gather_constructs(llvm::Module& module);

}  // namespace takt_plugin
