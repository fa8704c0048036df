// Two states of a function with tasks: nothing waits, and something may. See "Tasks" in README.md beside this file.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <set>

namespace takt_plugin {

/// The second body of a function, in which it starts: there nothing waits that it has made.
struct task_twin {
  llvm::ValueToValueMapTy copies;
  std::set<const llvm::BasicBlock*> blocks;
};

/// Gives `function` a twin. A task that starts in it (`may_push`) ends its block: on the first way nothing waits still,
/// the second leads to the old body. What `is_wait` there leads back.
void make_twin(llvm::Function& function, llvm::function_ref<bool(const llvm::CallBase&)> may_push,
               llvm::function_ref<bool(const llvm::CallBase&)> is_wait, task_twin& made);

}  // namespace takt_plugin
