// Whether a parallel region is one worksharing loop that can be converted.
#pragma once

#include "openmp/region.hpp"

namespace takt_plugin {

/// `with_epilogue`: what follows the loop may have effects, once for each who takes part (`found.has_epilogue`).
/// @returns why the function that starts at `where` is not recognised; empty: it is, and `found` describes it.
refusal recognise(const site& where, const std::vector<site>& sites, region& found, bool with_epilogue = false);

}  // namespace takt_plugin
