// One iteration of a system that may take for ever or bring its process down.
#pragma once

#include "measure.hpp"

namespace pagerank {

// Runs one iteration in a child process, which gets `limit` seconds for it, and compares its answer with the
// serial one: nested OpenMP regions can exhaust the threads that a process may have, which
// libgomp answers by ending the process. Sets everything in `out` but `which`.
//
// Precondition: the process has one thread (a fork copies no other).
void try_one_iteration(const graph& g, unsigned workers, double limit, outcome& out);

}  // namespace pagerank
