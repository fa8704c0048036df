// Indices of loops that Clang counts in an unsigned 32-bit variable.
#pragma once

#include "region.hpp"

namespace takt_plugin {

/// Whether `lower + iteration`, which is the index of an element, may wrap as far as the back end can see.
inline bool counts_unsigned_words(const region& found) {
  return found.is_unsigned && found.index()->getBitWidth() == 32;
}

/// Says that `lower + iteration` does not wrap, which holds when there are less than 2^31 iterations of step 1 or -1:
/// the sum then stays between the loop's first and last index.
void mark_indices(const region& copy);

}  // namespace takt_plugin
