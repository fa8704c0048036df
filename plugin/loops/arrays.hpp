// Which of a loop's arrays are memory of their own: see "Arrays" in README.md beside this file.
#pragma once

#include "loops/captures.hpp"

namespace takt_plugin {

/// Tells the optimiser that arrays which different captured variables hold do not overlap, if the program has put
/// nothing into these variables but what it had just allocated. `captures`: of all parameters of the outlined function.
void tell_arrays_apart(const site& where, llvm::ArrayRef<captured> captures, const block_set& ignored);

}  // namespace takt_plugin
