// Which register walks arrays.
#pragma once

#include <llvm/IR/Function.h>

namespace takt_plugin {

/// Where loops walk arrays, rbp stays the frame pointer: Intel's cores hardly prefetch for loads whose base it is
/// (docs/decisions/headers.md). Nothing without optimisation, or on other machines.
void keep_frame_pointer(llvm::Function& function);

}  // namespace takt_plugin
