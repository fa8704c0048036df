// What Clang makes of a region in some versions, or with some flags, is made what it makes in the others.
#pragma once

#include <llvm/IR/Module.h>

namespace takt_plugin {

/// With -g, Clang splits an outlined function in two: one with the code, and one that calls it.
void join_debug_wrappers(llvm::Module& module);

/// Clang leaves blocks that nothing leads to, as in both loops that it makes of one with a scan.
void drop_unreachable(llvm::Module& module);

/// Puts in the call with which later versions of Clang end a loop that asks for its chunks.
void mark_ends_of_dispatch(llvm::Module& module);

/// Where the loop stays with the OpenMP runtime of such a version, there is no such call.
void drop_ends_of_dispatch(llvm::Module& module);

}  // namespace takt_plugin
