// The rewriting of a recognised loop.
#pragma once

#include "loops/captures.hpp"
#include "openmp/region.hpp"

namespace takt_plugin {

struct conversion {
  bool open = false;      ///< the loop may have to stay with the OpenMP runtime: code of other files is called
  bool optimise = false;  ///< pass captured variables by value
  const block_set* ignored = nullptr;  ///< blocks that no converted loop runs
  bool nests = false;                  ///< starts of other converted loops are in the outlined function itself
  bool middle = false;                 ///< nests, and is started by iterations of another converted loop
  bool shared = false;                 ///< the slice is also what runs in place: a call is nothing beside the loop
  bool plain = false;                  ///< stays in place, as in the serial program
  bool pooled = false;                 ///< to begin a slice is dear: its slices claim from one pool
};

/// The attribute of an entry.
inline constexpr const char* k_entry = "takt-entry";

/// Replaces the start of the region by a call of the converted loop.
void convert(const site& where, const region& found, const conversion& how);

}  // namespace takt_plugin
