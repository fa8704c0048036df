// Whether a parallel region is one worksharing loop that can be converted.
#pragma once

#include "openmp/region.hpp"

namespace takt_plugin {

/// Where that is why.
inline constexpr const char* k_comes_again = "its loop comes again";

/// `with_epilogue`: what follows the loop may have effects, once for each who takes part (`found.has_epilogue`).
/// @returns why the function that starts at `where` is not recognised; empty: it is, and `found` describes it.
std::string recognise(const site& where, const std::vector<site>& sites, region& found, bool with_epilogue = false);

}  // namespace takt_plugin
