// Everything that is done with a variable, as far as its address can be followed.
#pragma once

#include "reach/effects.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>

namespace takt_plugin {

/// What an instruction does with a variable.
struct access {
  bool reads = false;
  bool writes = false;
  bool escapes = false;                   ///< its address may be kept
  bool whole = false;                     ///< a load or store of all of it
  llvm::SmallVector<llvm::Value*, 1> by;  ///< the pointers into it that are used
};
using accesses = llvm::MapVector<llvm::Instruction*, access>;

/// `root`: a variable, or a parameter that is the address of one.
accesses accesses_of(llvm::Value& root, effects_of_functions& known);

}  // namespace takt_plugin
