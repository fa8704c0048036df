// Calls by which all that Clang makes of OpenMP is recognised: their names and meaning are the interface of the OpenMP
// runtime.
#pragma once

#include "openmp/runtime_functions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace takt_plugin {

/// The calls among instructions, in their order: pointers.
template <class Call = llvm::CallBase, class Instructions>
auto calls_in(Instructions&& all) {
  return llvm::map_range(llvm::make_filter_range(all, [](const auto& each) { return llvm::isa<Call>(each); }),
                         [](auto& each) { return llvm::cast<Call>(&each); });
}

/// The name of the called function; empty for an indirect call.
llvm::StringRef name_of(const llvm::CallBase& call);
bool is_kmpc(const llvm::CallBase& call);

/// The outlined function of a parallel region that `call` starts; null: it does not.
llvm::Function* started_by(const llvm::CallBase& call);
/// Whether the start of a region is there for the case that code of other files keeps it from being converted.
bool is_kept(const llvm::CallBase& fork);
void mark_kept(llvm::CallBase& fork);

inline bool starts_loop(llvm::StringRef callee) { return is(callee, trait::begins_loop); }
inline bool deals_statically(llvm::StringRef callee) { return is(callee, trait::deals_statically); }
inline bool asks_for_chunk(llvm::StringRef callee) { return is(callee, trait::next_chunk); }
inline bool ends_loop(llvm::StringRef callee) { return is(callee, trait::ends_loop); }
inline bool starts_once(llvm::StringRef callee) { return is(callee, trait::begins_once); }
/// Asks how a reduction is to be combined: 1, by one thread for itself. And that, and its end.
inline bool asks_to_combine(llvm::StringRef callee) { return is(callee, trait::asks_to_combine); }
inline bool ends_combination(llvm::StringRef callee) { return is(callee, trait::ends_combination); }
inline bool combines(llvm::StringRef callee) { return is(callee, trait::asks_to_combine | trait::ends_combination); }
bool begins_critical(llvm::StringRef callee);
/// What a team of one need not do.
inline bool is_dropped(llvm::StringRef callee) { return is(callee, trait::dropped); }
/// What each thread may do, and a team of one need not: to wait for tasks that it has not made.
inline bool is_idle_wait(llvm::StringRef callee) { return is(callee, trait::idle_wait); }
/// Calls of critical sections and flush, which mean to a takt loop what they mean to a thread.
inline bool is_lock_or_fence(llvm::StringRef callee) { return is(callee, trait::critical | trait::flushes); }

/// What task constructs consist of.
inline bool is_task_call(llvm::StringRef callee) { return is(callee, trait::task); }
/// Why another one keeps a region with tasks from being converted.
refusal task_refusal_for(llvm::StringRef callee);
/// Makes a task that runs, or the next part of an untied one.
inline bool starts_task(llvm::StringRef callee) { return is(callee, trait::starts_task); }
/// The task has a depend clause.
inline bool starts_dependent_task(llvm::StringRef callee) { return starts_task(callee) && is(callee, trait::depends); }
/// Waits for the tasks that the running one has made: taskwait; one with a depend clause, and the end of a taskgroup,
/// which wait for fewer.
inline bool is_task_wait(llvm::StringRef callee) { return is(callee, trait::task_wait); }
/// Whether a task's code asks its entry's helper where the private variables are: by a pointer that it gets.
bool finds_privates(const llvm::CallBase& call);
/// The function that this stores in a task's record or a list of reductions, with a body: the destructors of a task's
/// private variables, or what a reduction does; null: none.
llvm::Function* named_in_record(const llvm::Instruction& instruction);

/// Reductions over tasks: a taskgroup tells what its tasks reduce; a task asks for its copy of a variable.
inline bool begins_reductions(llvm::StringRef callee) { return is(callee, trait::begins_reductions); }
/// reduction(task, ...) of a region or a loop is such a taskgroup for each thread, which begins and ends with one call.
inline bool begins_modifier(llvm::StringRef callee) { return is(callee, trait::begins_modifier); }
inline bool ends_modifier(llvm::StringRef callee) { return is(callee, trait::ends_modifier); }
inline bool asks_for_reduced(llvm::StringRef callee) { return is(callee, trait::reduced_data); }
/// Asks for the innermost taskgroup that reduces the variable, which is in another function.
bool asks_for_open_reduction(const llvm::CallBase& call);
/// The same of a task in a task: where it is made, what it gets as the group is read from a variable that nobody sets.
bool names_foreign_reduction(const llvm::Instruction& instruction);

/// Marks a call of converted code with tasks: it has been looked at. `open`: it calls code of other files.
void mark_tasks(llvm::CallBase& call, bool open);
/// Whether a call is marked so, and is of such code.
bool runs_tasks(const llvm::CallBase& call);
bool runs_open_tasks(const llvm::CallBase& call);

}  // namespace takt_plugin
