// Constructs in functions that a region calls. See "Constructs in functions" in README.md beside this file.
#pragma once

#include "openmp/region.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <set>

namespace takt_plugin {

/// Whether there are any for gather_constructs().
bool may_gather_constructs(llvm::Module& module, llvm::function_ref<bool(llvm::Function&)> wanted);

/// Puts functions with constructs into the regions that call them and are `wanted`, as copies: so each such region has
/// all of its constructs in one function, and means what it meant. `done` is told of each, before it is asked about the
/// regions in it. @returns these regions.
std::set<const llvm::Function*> gather_constructs(llvm::Module& module,
                                                  llvm::function_ref<bool(llvm::Function&)> wanted,
                                                  llvm::function_ref<void(llvm::Function&)> done);

}  // namespace takt_plugin
