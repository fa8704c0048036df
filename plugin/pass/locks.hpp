// Critical sections of converted code.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <set>

namespace takt_plugin {

/// Critical sections in these functions ask for the number of the thread each time: slices change threads, but not
/// while they hold a lock.
void use_locks_of_this_thread(llvm::Module& module, const std::set<llvm::Function*>& functions);

/// Under ThreadSanitizer: locks of the OpenMP runtime, which it does not see, are told to it. Whether there are any.
bool tell_of_locks(llvm::Module& module);

}  // namespace takt_plugin
