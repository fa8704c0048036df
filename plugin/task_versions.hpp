// Two versions of a function with tasks: all of its tasks run where they are made, or may be pushed. See "Tasks" in
// README.md beside this file.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace takt_plugin {

/// Where `function` may ask, once, which version is to run: as late as may be, but before all `tasks`, and where the
/// other version can begin anew, as what comes before it has no effects. Null: a task stands in a loop, so that there
/// may be any number of them behind one question.
llvm::Instruction* place_of_question(llvm::Function& function, llvm::ArrayRef<llvm::CallInst*> tasks);

/// At `at`: if `answer`, which comes right before, is false, all of the function runs as `other`, which has the same
/// parameters.
void choose_version(llvm::Instruction& at, llvm::Value* answer, llvm::Function& other, const llvm::DebugLoc& where);

}  // namespace takt_plugin
