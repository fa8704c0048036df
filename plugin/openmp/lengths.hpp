// Lengths, known at run time only, of what tasks reduce.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace takt_plugin {

/// In which Clang tells what makes, combines and destroys copies how many elements the variable has.
const llvm::GlobalVariable* length_at(const llvm::Value* address);
/// Which copy such a function gets: its argument.
unsigned copy_argument(const llvm::Function& function);
/// What the functions that Clang makes of a reduction count by the number of elements; null: it is not known, or
/// has no size.
llvm::Type* element_of(const llvm::LoadInst& length);

/// Clang hands the length of a variable, if it is known only at run time, from each task that takes part to what makes,
/// combines and destroys copies, in a thread-local variable. Whether an instruction is a task's store to it;
bool is_told_length(const llvm::Instruction& instruction);
/// and whether one that names it is that, or the use that copies do without, since takt's runtime knows how long they
/// are.
bool has_known_length(const llvm::Instruction& instruction);

}  // namespace takt_plugin
