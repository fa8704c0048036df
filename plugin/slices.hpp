// The rewriting of a recognised loop.
#pragma once

#include "captures.hpp"
#include "region.hpp"

namespace takt_plugin {

struct conversion {
  bool open = false;      ///< the loop may have to stay with the OpenMP runtime: code of other files is called
  bool optimise = false;  ///< pass captured variables by value
  const block_set* ignored = nullptr;  ///< blocks that no converted loop runs
  bool nests = false;                  ///< starts of other converted loops are in the outlined function itself
};

/// Replaces the start of the region by a call of the converted loop.
void convert(const site& where, const region& found, const conversion& how);

}  // namespace takt_plugin
