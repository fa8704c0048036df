// Reductions over tasks: taskgroup task_reduction(...), in_reduction(...), taskloop reduction(...). See "Reductions
// over tasks" in README.md.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <string>

namespace takt_plugin {

class task_copies;
struct task_site;

/// Calls of the OpenMP runtime: a taskgroup tells what its tasks reduce; a task asks for its copy of a variable.
bool begins_reductions(llvm::StringRef callee);
/// reduction(task, ...) of a region or a loop is such a taskgroup for each thread, which begins and ends with one call.
bool begins_modifier(llvm::StringRef callee);
bool ends_modifier(llvm::StringRef callee);
bool asks_for_reduced(llvm::StringRef callee);
/// Asks for the innermost taskgroup that reduces the variable, which is in another function.
bool asks_for_open_reduction(const llvm::CallBase& call);
/// The same of a task in a task: where it is made, what it gets as the group is read from a variable that nobody sets.
bool names_foreign_reduction(const llvm::Instruction& instruction);
/// Why that keeps code from being converted where nobody can say which group that is.
inline constexpr const char* k_foreign_reduction =
    "it reaches a task that takes part in a reduction of a taskgroup in another function";

/// Clang hands the length of a variable, if it is known only at run time, from each task that takes part to what makes,
/// combines and destroys copies, in a thread-local variable. Whether an instruction is a task's store to it;
bool is_told_length(const llvm::Instruction& instruction);
/// and whether one that names it is that, or the use that copies do without, since takt's runtime knows how long they
/// are.
bool has_known_length(const llvm::Instruction& instruction);

/// Why a function's reductions over tasks cannot be converted; empty: they can, or there are none.
std::string reductions_refusal(llvm::Function& function);
/// In a copy of a function: copies are borrowed from takt's runtime, given back when the task ends, and combined where
/// the taskgroup ends. `group`: a variable that has the innermost group, here the one around the function; or null.
void convert_reductions(llvm::Function& made, task_copies& all, llvm::AllocaInst* group);
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
