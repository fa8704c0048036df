// What becomes of a variable's address, here and in the loops and functions that get it.
#pragma once

#include "openmp/region.hpp"

namespace takt_plugin {

/// All that is done with a pointer to a variable, here and where it is passed on to a loop.
struct uses {
  bool simple = true;  ///< only loads and stores, so that nobody learns the address
  bool whole = true;   ///< only as one scalar of type `type`
  bool written = false;
  llvm::Type* type = nullptr;
  std::vector<llvm::StoreInst*> stores;  ///< into the variable
};
/// Code in `ignored` is never run.
uses uses_of(llvm::Value& pointer, const block_set& ignored = {});

}  // namespace takt_plugin
