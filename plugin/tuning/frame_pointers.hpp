// Which register walks arrays.
#pragma once

#include <llvm/IR/Function.h>

namespace takt_plugin {

/// Where loops walk arrays, rbp stays the frame pointer: Intel's cores hardly prefetch for loads whose base it is
/// (docs/decisions/2026-11-22-arrays-are-not-walked-by-rbp.md). Nothing without optimisation, or on other machines.
void keep_frame_pointer(llvm::Function& function);

}  // namespace takt_plugin
