// Whether code is over soon, as far as that can be seen.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/InstrTypes.h>

namespace takt_plugin {

/// Filling less than this is nothing beside a slice's work, which is about a beat.
inline constexpr std::uint64_t k_small_fill = 4096;

/// Of a loop, by where it goes back from, and to.
using which_loops = llvm::function_ref<bool(const llvm::BasicBlock&, const llvm::BasicBlock&)>;
using which_calls = llvm::function_ref<bool(const llvm::CallBase&)>;

/// Whether these loops of a function come a few times only, as written, and these calls run code that is seen, has no
/// other loops either, and fills no large array. `asks`: calls of converted loops and of OpenMP's runtime do not count,
/// as those look around by themselves.
bool is_short(llvm::Function& function, bool asks, which_loops loops, which_calls calls);

}  // namespace takt_plugin
