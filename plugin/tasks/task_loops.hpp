// Loops that do nothing but make a task in each iteration, with a wait behind them: they run as takt loops over their
// iterations. See "Loops of tasks" in README.md.
#pragma once

#include "tasks/tasks.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace takt_plugin {

class task_copies;

struct loop_of_tasks {
  llvm::AllocaInst* counter;
  std::int64_t by;             ///< what the counter goes on by
  llvm::StoreInst* step;       ///< where it does
  llvm::BranchInst* back;      ///< to the test
  llvm::BranchInst* test;      ///< the first successor is an iteration, the second one the end
  llvm::CmpInst::Predicate before;  ///< the counter is before the bound
  llvm::Value* bound;
  llvm::SetVector<llvm::AllocaInst*> own;  ///< variables of an iteration
};

/// Whether the innermost loop around a task is one, but for the wait: counted, each task gets its captures and nothing
/// else is done, so that iterations may begin in any order and at any time. In a function that is not yet rewritten.
std::optional<loop_of_tasks> find_loop_of_tasks(const task_site& task, const llvm::LoopInfo& loops,
                                                const llvm::DominatorTree& tree);

/// What an iteration knows of the code around it.
struct around_iterations {
  llvm::AllocaInst* group = nullptr;   ///< has the innermost group; null: the tasks' records do not have it
  llvm::ArrayRef<llvm::AllocaInst*> groups;  ///< those that begin in the function
  llvm::AllocaInst* number = nullptr;  ///< has what each task's entry gets first (task_reductions.hpp); null: 0
  bool may_be_free = false;            ///< the loop is to ask whether it is
};
/// The tasks run where they are made: the iterations become a function, which runs any range of them. Where the loop is
/// free it runs all of them, else takt's runtime asks for them.
void run_in_ranges(const loop_of_tasks& loop, const around_iterations& around, task_copies& all);

}  // namespace takt_plugin
