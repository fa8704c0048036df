// Whether code is over soon, as far as that can be seen.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

namespace takt_plugin {

/// Filling less than this is nothing beside a slice's work, which is about a beat.
inline constexpr std::uint64_t k_small_fill = 4096;

/// From where to where code goes back.
using back_edge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;
/// Those of all loops but the ones that, as written, come a few times only.
llvm::SmallVector<back_edge> long_loops(llvm::Function& function);

/// Whether calls are: all that they run is seen, has no long loop, and fills no large array.
class brevity {
 public:
  /// `asks`: calls of converted loops and of OpenMP's runtime do not count, as those look around by themselves.
  explicit brevity(bool asks) : asks_(asks) {}
  bool is_short(const llvm::CallBase& call);

 private:
  bool is_short(llvm::Function& function);

  bool asks_;
  llvm::DenseMap<const llvm::Function*, bool> known_;  ///< of functions that have been looked at, or are being
};

}  // namespace takt_plugin
