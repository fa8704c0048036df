// What converted code has of takt's runtime: sites, and the latent stack by the instructions of detail/hot.hpp.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace takt_plugin {

/// A function of the runtime.
llvm::FunctionCallee runtime_function(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                                      llvm::ArrayRef<llvm::Type*> parameters);

/// A site that nothing is known of (takt::abi::site).
llvm::GlobalVariable* new_site(llvm::Module& module, const llvm::Twine& name);
llvm::Value* at_offset(llvm::IRBuilder<>& b, llvm::Value* of, std::uint64_t offset);

/// Whether the plugin has the latent stack for the machine that the module is for.
bool has_latent_frames(const llvm::Module& module);

/// The first free slot of the latent stack that runs here; null outside of a parallel call.
llvm::Value* head_of_frames(llvm::IRBuilder<>& b);
/// Moves it. What has been written before is in the slot, and nothing that comes later.
void set_head_of_frames(llvm::IRBuilder<>& b, llvm::Value* slot);
/// Whether a slot that has just been popped was promoted.
llvm::Value* is_promoted(llvm::IRBuilder<>& b, llvm::Value* slot);
/// Whether the credit is used up, or has been cut.
llvm::Value* is_overdrawn(llvm::IRBuilder<>& b);
/// Charges so many units, or what a fork costs: true when the credit is used up.
llvm::Value* charge(llvm::IRBuilder<>& b, llvm::Value* units);
llvm::Value* charge_fork(llvm::IRBuilder<>& b);
llvm::Value* stack_pointer(llvm::IRBuilder<>& b);
/// Whether the stack pointer is in the band in which forks are free, whose length is at `band`.
llvm::Value* is_in_free_band(llvm::IRBuilder<>& b, llvm::Value* band);
/// Whether `value` is what the assembly of is_in_free_band gives.
bool is_band_question(const llvm::Value& value);

}  // namespace takt_plugin
