// What each thread adds to the program's variables in a critical section.
#pragma once

#include "teams/totals.hpp"

namespace takt_plugin {

/// A share that each thread adds to the program's variable in a critical section, or an array of them, is reduced over
/// the region, too: one thread adds all of it. Adds them to `found`, with their critical sections. `splits_records`: see
/// region_totals.
void find_shares(llvm::Function& outlined, const constructs& all, region_totals& found, bool splits_records);

}  // namespace takt_plugin
