// Reductions over tasks: taskgroup task_reduction(...), in_reduction(...), taskloop reduction(...), reduction(task,
// ...) of regions and loops. See "Reductions over tasks" in README.md.
#pragma once

#include "openmp/refusal.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace takt_plugin {

class task_copies;
struct task_site;

/// Why a function's reductions over tasks cannot be converted; empty: they can, or there are none.
refusal reductions_refusal(llvm::Function& function);
/// In a copy of a function: copies are borrowed from takt's runtime, given back when the task ends, and combined where
/// the taskgroup ends. `group`: a variable that has the innermost group, here the one around the function; or null.
/// @returns the groups that begin there (takt::abi::omp_reductions).
llvm::SmallVector<llvm::AllocaInst*> convert_reductions(llvm::Function& made, task_copies& all,
                                                        llvm::AllocaInst* group);
/// Why reduction(task, ...) of a loop in the outlined function of a region cannot have a group for each iteration;
/// empty: it can, or there is none.
refusal iterations_refusal(llvm::Function& outlined);
/// Moves the group of reduction(task, ...) of a worksharing loop into each of its iterations, which wait for their
/// tasks: from before `begin`, to before `end`. @returns false when it has another shape.
bool move_group_to_iterations(llvm::Function& loop, llvm::BasicBlock& begin, llvm::Instruction& end);
/// A task that runs where it is made, with all of the code around it waiting for it, may use the variables that this
/// code uses, and gets no copies. So says the first parameter of its entry, which is otherwise the number of a thread
/// that nobody looks at; 0 elsewhere.
inline constexpr std::uint32_t k_runs_here = 1;
/// Whether that can be said of one of the `tasks` of `function`: it takes part in the only group that begins there,
/// which reduces one variable; and while that is open nobody but such tasks looks at the variable, the code of the
/// group included.
bool may_run_here(llvm::Function& function, llvm::ArrayRef<task_site> tasks, const task_site& site);
/// Whether a function is a task's body that can be told.
bool may_spare_copies(llvm::Function& function);
/// In a copy of it, when all else is done.
void spare_copies(llvm::Function& made);
/// Whether convert_reductions has put in the call, as the last but for others of its kind.
bool gives_back_reduced(const llvm::CallInst& call);

}  // namespace takt_plugin
