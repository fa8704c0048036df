// What the parts of a region do with the variables that are private to the region.
#pragma once

#include "openmp/constructs.hpp"
#include "teams/totals.hpp"

#include <llvm/ADT/MapVector.h>

namespace takt_plugin {

/// Variables of the region of which a loop gets its own, and whether that starts with what the region's has.
using own_variables = llvm::MapVector<std::pair<const construct*, llvm::AllocaInst*>, bool>;

/// @returns why a team of one could be told from a larger one by what is beside the constructs, or by what they write
/// to variables that each thread has its own of; empty: it cannot, and `own` is filled in. The region's totals are
/// known to be what they should.
refusal check_variables(llvm::Function& outlined, const constructs& all, const region_totals& totals,
                            own_variables& own);

}  // namespace takt_plugin
