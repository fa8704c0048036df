// Where a loop may run: in slices only, in place, too, or as the plain loop that it is without OpenMP.
#pragma once

#include "openmp/region.hpp"

#include <set>
#include <vector>

namespace takt_plugin {

/// A loop, or a team of one, that is converted.
struct candidate {
  const site* where;
  const region* found;
  bool open;     ///< calls code of other files
  bool is_team;  ///< `found` means nothing then
};

/// Sets of outlined functions, and of those in which loops start.
struct places {
  std::set<const llvm::Function*> plain;    ///< inside others, and short whatever the program's input
  std::set<const llvm::Function*> nesting;  ///< in which other than plain loops start
  std::set<const llvm::Function*> middle;   ///< nest, and are started by iterations of others
  std::set<const llvm::Function*> shared;   ///< a call is nothing beside them: their slices run them in place, too
};

/// Without `optimise`, and in functions that are not to be optimised, no loop is plain or shared.
places find_places(const std::vector<candidate>& loops, bool optimise);

}  // namespace takt_plugin
