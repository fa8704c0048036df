// Where pointers lead, through the slots in which Clang keeps them while nothing is optimised.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace takt_plugin {

/// The start or end of a variable's life.
bool is_lifetime(const llvm::User& user);
/// Counts for a profile, or for coverage (`-fprofile-instr-generate`): nothing that the program can see. How it counts
/// where several threads do is for `-fprofile-update` to say, here as with the OpenMP runtime.
bool is_counter(const llvm::IntrinsicInst& intrinsic);
/// One of these, or debug information.
bool is_marker(const llvm::User& user);

/// The alloca or argument that `pointer` points into, looking through the slots in which Clang keeps arguments; null
/// when that is not known.
llvm::Value* root_of(llvm::Value* pointer);
/// The one store into a slot that is only written once and whose address goes nowhere; null: it is not such a slot.
llvm::StoreInst* only_store(llvm::AllocaInst& slot);

}  // namespace takt_plugin
