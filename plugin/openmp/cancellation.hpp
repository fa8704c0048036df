// cancel and cancellation point. See "Cancellation" in README.md beside this file.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <takt/kmp.hpp>

namespace takt_plugin {

/// Lets loops and sections that are cancelled end where all others do, and marks the calls that say so: cancels_loop().
/// @returns whether there was something.
bool lower_cancellation(llvm::Module& module);
bool cancels_loop(const llvm::CallBase& call);

/// Whether a call cancels such a construct, or asks whether it is cancelled.
bool cancels(const llvm::CallBase& call, takt::kmp::cancelled what);
/// Whether it belongs to `cancel taskgroup`, or to `cancel parallel` of a region with tasks.
bool cancels_for_tasks(const llvm::CallBase& call);

/// Replaces such a call. `frame`: of the slice that makes it; null: one thread runs all of the construct, which nobody
/// else cancels.
void lower_cancel(llvm::CallInst& call, llvm::Value* frame);
/// The same of a taskgroup.
void lower_cancel_of_group(llvm::CallInst& call);
/// Whether code of this file cancels taskgroups.
bool cancels_groups(const llvm::Module& module);

}  // namespace takt_plugin
