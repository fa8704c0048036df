// Thread-local variables that parallel code only reads.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

/// The variable whose address this is for the thread that asks: of a call, as Clang asks for it; null: none.
const llvm::GlobalVariable* thread_local_at(const llvm::Instruction& instruction);

/// Of one module, whose functions must not change meanwhile.
class thread_locals {
 public:
  explicit thread_locals(llvm::Module& module) : module_(module) {}

  /// The variable whose address a call gives, at once or through a function that returns it; null: none.
  const llvm::GlobalVariable* given_by(const llvm::Instruction& instruction);
  /// Whether the address is only read from at once, and nothing changes the variable that a parallel region of this
  /// file, or other files, may run.
  bool is_harmless(const llvm::Instruction& giving);

 private:
  const llvm::GlobalVariable* given_by_function(const llvm::Function& function);
  bool is_only_read(const llvm::Instruction& giving);
  void find_changed();

  llvm::Module& module_;
  llvm::DenseMap<const llvm::Function*, const llvm::GlobalVariable*> givers_;
  llvm::DenseSet<const llvm::GlobalVariable*> changed_;
  bool is_known_ = false;  // what is changed
};

/// Each time that code asks for an address that is harmless, it gets that of the thread that it is on then: LLVM takes it
/// to be the same one all along. @returns whether there is such code.
bool ask_each_time(llvm::Module& module);

}  // namespace takt_plugin
