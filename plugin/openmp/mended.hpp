// What Clang makes wrong of a right program.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

/// Puts right what Clang 19 gets wrong, also where the region stays with the OpenMP runtime. See "What Clang gets wrong"
/// in README.md beside this file. @returns whether there was something.
bool mend(llvm::Module& module);

/// Marks the loops of nests that are not rectangular, while all of their bounds are in one function.
void mark_ragged(llvm::Module& module);
/// Whether a loop, by the call that starts it, is marked: Clang leaves out iterations, which may be the last ones.
bool is_ragged(const llvm::CallInst& init);
/// The same of what a taskloop with lastprivate runs.
bool is_ragged_taskloop(llvm::Function& function);

}  // namespace takt_plugin
