// Two versions of a function with tasks or forks: all of them run where they are made, or may be pushed. See "Versions"
// in README.md beside this file.
#pragma once

#include "openmp/region.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace takt_plugin {

/// What the name of a version that pushes ends with.
inline constexpr llvm::StringLiteral k_pushing = ".takt_pushing";
/// The attribute of a function that asks once whether its forks are free.
inline constexpr llvm::StringLiteral k_asks_once = "takt-asks-once";

/// Where `function` may ask, once, which version is to run: as late as may be, but before all `forks`, and where the
/// other version can begin anew, as what comes before it has no effects. Null: a fork stands in a loop, so that there
/// may be any number of them behind one question.
llvm::Instruction* place_of_question(llvm::Function& function, llvm::ArrayRef<llvm::CallBase*> forks);

/// Gives `made`, which has the parameters of `original` or more, its body. It is called from this file only.
void copy_body(llvm::Function& original, llvm::Function& made, llvm::ValueToValueMapTy& copies);

/// The blocks from which control may come back to them.
block_set in_loops(llvm::Function& function);

/// Why there can be no second version of `function`; null if there can.
const char* why_not_copied(llvm::Function& function);

/// Whether its code may stand in a caller.
bool may_be_put_in(llvm::Function& function);

/// Whether `callee` is made for the same machine as `caller`, and by the same rules: LLVM asks before it inlines.
bool is_of_same_target(const llvm::Function& callee, const llvm::Function& caller);

/// The function that `instruction` calls; null if it is no call, or of an address.
llvm::Function* called(const llvm::Instruction& instruction);

/// Inlines the calls in `function` of functions that are `wanted`, and those in what comes so.
/// @returns whether there were any.
bool put_in(llvm::Function& function, llvm::function_ref<bool(llvm::Function&)> wanted);

/// The code of a version that pushes would be in the way of the free one, and what that knows of its variables would
/// end with it: it is not inlined.
void keep_apart(llvm::Function& pushing);

/// At `at`: unless it stands in one of `bands` (addresses of site::free_band), all of the function runs as `other`,
/// which has the same parameters.
void choose_version(llvm::Instruction& at, llvm::ArrayRef<llvm::Value*> bands, llvm::Function& other,
                    const llvm::DebugLoc& where);

}  // namespace takt_plugin
