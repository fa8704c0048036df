// A task's record, and what code that makes or runs the task does with it. See "Tasks" in README.md.
#pragma once

#include "tasks/tasks.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <takt/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace takt_plugin {

class task_copies;

inline constexpr std::uint64_t k_slot_payload = offsetof(takt::abi::slot, payload);

/// Whether a task's captures fit a slot, and may be moved there.
bool fits_slot(const task_site& task);
/// Where in one piece of memory what the record points to comes: bytes.
std::uint64_t behind_record(const task_site& task);
/// Room for a record, and for what its first member points to, in the frame.
std::pair<llvm::AllocaInst*, llvm::AllocaInst*> make_record(llvm::Function& in, const task_site& task);
/// Between the frame and a slot's payload.
void move_captures(llvm::IRBuilder<>& b, const task_site& task, llvm::Value* record, llvm::Value* shareds,
                   llvm::Value* slot, bool to_slot);
bool has_destructors(const task_site& task);
/// The value that says whether a task is final; null: it is not.
llvm::Value* final_flag(llvm::IRBuilder<>& b, const task_site& task);
/// What the OpenMP runtime does when a task has run.
void finish_record(llvm::IRBuilder<>& b, task_copies& all, const task_site& task, llvm::Value* record, bool in_slot);
/// Clang promises of a task's private arrays what those outside are aligned to, 16 bytes, but lays them out at 8 in the
/// record, and then loads two elements at once. Takes that promise back, in all tasks of the module, also in those that
/// stay with the OpenMP runtime.
void promise_words(llvm::Module& module);

}  // namespace takt_plugin
