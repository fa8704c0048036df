// What code may do beyond its own variables.
#pragma once

#include "openmp/region.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdint>

namespace takt_plugin {

/// What a function may do: nothing but write its own variables, what some of its arguments point to, and the rest here.
struct effects {
  bool unknown = false;
  bool beyond_stores = false;  ///< unknown for more than plain stores to anywhere, and memory allocated or given back
  bool keeps_pointer = false;  ///< a pointer that is not known to come from memory is stored where arguments point to
  bool writes_shared = false;  ///< there are plain stores to what all threads of the team have in common
  std::uint64_t written_arguments = 0;

  void add_unseen() { unknown = beyond_stores = true; }
};

/// Remembers what it found out; the functions must not change meanwhile.
class effects_of_functions {
 public:
  /// `team`: the outlined function of a region, whose threads are those of `writes_shared`; null: a store to a global
  /// variable is an unknown effect.
  explicit effects_of_functions(const llvm::Function* team = nullptr) : team_(team) {}

  effects of(llvm::Function& function);
  /// What the loop's iterations may do, in terms of its outlined function; not what asks the OpenMP runtime for them.
  effects of(const region& loop);
  /// Adds what `instruction` may write, in terms of its own function.
  void add(llvm::Instruction& instruction, effects& to);

 private:
  void add_call(llvm::CallBase& call, effects& to);
  void write_to(llvm::Value* pointer, effects& to) const;

  bool is_shared(llvm::Value* pointer) const;

  const llvm::Function* team_;
  llvm::DenseMap<llvm::Function*, effects> known_;
};

/// Memory is allocated, or given back: nobody but who asked for it can tell.
bool is_allocation(const llvm::Function& function);
bool gives_memory_back(const llvm::Function& function);

/// Neither a use of memory nor anything that can be seen.
bool is_silent(const llvm::IntrinsicInst& intrinsic);

/// A constructor or destructor of one of the function's own variables: making and ending private copies is what each
/// thread of a team does, however many there are.
bool makes_private_copy(const llvm::CallBase& call);

}  // namespace takt_plugin
