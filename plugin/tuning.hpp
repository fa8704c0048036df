// What only helps LLVM: the room tuning/, or without it (TAKT_PLUGIN_TUNING=OFF) untuned.cpp, which does nothing. No
// conversion is another one then, and each part may be switched off.
#pragma once

#include "openmp/region.hpp"

#include <llvm/Passes/PassBuilder.h>

namespace takt_plugin {

/// Says where in LLVM's pipeline the passes of the room stand.
void add_tuning(llvm::PassBuilder& builder);
/// Right behind the conversion. @returns whether something was changed.
bool tune(llvm::Module& module);

/// Where loops walk arrays, rbp stays the frame pointer: Intel's cores hardly prefetch for loads whose base it is
/// (docs/decisions/headers.md). Nothing without optimisation, or on other machines.
void keep_frame_pointer(llvm::Function& function);

/// Lets the optimiser add the terms of a floating-point reduction in any order, as the clause does, in place of the
/// order in which a serial loop has to; and multiply its factors. Only where an iteration does nothing else with the
/// variable at that place.
void add_in_any_order(const region& copy);

/// Says of a load that it is of the bound below which a loop is free: `negative`, of site::free_past, with which
/// begin - end is compared, else of site::free_below, with which end - begin is.
void mark_free_bound(llvm::LoadInst& load, bool negative);
/// Says of a call of takt_omp_run that the iterations it runs are also where it is called: whatever they may do, other
/// than to come to an end, can be seen there.
void mark_run_here(llvm::CallInst& run);

}  // namespace takt_plugin
