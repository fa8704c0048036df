// Whether a parallel region is one worksharing loop that can be converted.
#pragma once

#include "openmp/region.hpp"

namespace takt_plugin {

/// @returns why the function that starts at `where` is not recognised; empty: it is, and `found` describes it.
std::string recognise(const site& where, const std::vector<site>& sites, region& found);

}  // namespace takt_plugin
