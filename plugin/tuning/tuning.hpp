// What only helps LLVM: each may be switched off, and no conversion is another one then.
#pragma once

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>

namespace takt_plugin {

extern llvm::cl::opt<bool> frame_pointers_switch;

/// Says where in LLVM's pipeline the passes of this room stand.
void add_tuning(llvm::PassBuilder& builder);
/// Right behind the conversion. @returns whether something was changed.
bool tune(llvm::Module& module);

}  // namespace takt_plugin
