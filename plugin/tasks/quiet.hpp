// Functions that other files may call while tasks wait. See "Code that is not seen" in README.md beside this file.
#pragma once

#include "tasks/tasks.hpp"

namespace takt_plugin {

/// Says of each function of the module that other files may call, and of which all is seen, without a task construct or
/// a parallel region in it: there is a symbol of its name and a suffix.
void offer_quiet(llvm::Module& module, const task_code& code);

/// Whether a call is of one function of another file: which may be such a function.
bool may_be_quiet(const llvm::CallBase& call, const task_code& code);
/// The address of the symbol that says so of what `call` calls; null in a program that has none.
llvm::Constant* quiet_symbol(const llvm::CallBase& call);

}  // namespace takt_plugin
