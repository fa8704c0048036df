// What converted loops count in, and how far.
#pragma once

#include "openmp/region.hpp"

namespace takt_plugin {

/// Where the number of an iteration begins as the lower bound; null: not found.
llvm::StoreInst* find_begin(const region& copy);
/// Lets the loop count in the values of the program's variable instead of from 0, as the serial loop does. Nothing is
/// done when the first value is a constant, the step is not 1 or -1, or the loop has a shape that is not known.
void count_as_written(const region& copy);

/// Leaves out the test with which Clang cuts the upper bound that the OpenMP runtime answers at the last iteration: a
/// chunk of a loop does not go beyond, and the last iteration's number would be kept for the whole loop.
void trust_bounds(const region& copy);

}  // namespace takt_plugin
