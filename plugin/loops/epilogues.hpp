// What each who takes part in a loop does behind its last iteration.
#pragma once

#include "openmp/region.hpp"

#include <llvm/ADT/SmallPtrSet.h>

namespace takt_plugin {

/// Whether instructions beside a loop are behind it, and do what they do with what the iterations before them have left
/// in variables of the thread. See "Epilogues" in README.md beside this file.
class epilogue {
 public:
  explicit epilogue(const region& found);

  /// Whether it is behind the loop, and comes to what it does, or whether it does it, by what iterations have left.
  bool uses_own(const llvm::Instruction& instruction) const;

 private:
  bool is_behind(const llvm::Instruction& instruction) const;
  bool is_left_by_iterations(const llvm::Value* value) const;
  void find_written(const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& inside);
  void follow();
  bool may_be_passed_by(const llvm::BasicBlock& choice, const llvm::BasicBlock& block) const;

  const region& found_;
  const block_set behind_;                                 ///< blocks; and what follows the loop's end in its own
  llvm::SmallPtrSet<const llvm::AllocaInst*, 16> own_;     ///< variables that have what iterations left
  llvm::SmallPtrSet<const llvm::Value*, 32> values_;       ///< made of that
};

/// Whether nobody can tell that `barriers` behind the loop are not there, although the code behind them has effects:
/// these are on variables of the function around the region, of which only code behind all barriers knows here.
bool is_seen_behind_barriers_only(const site& where, const region& found, llvm::ArrayRef<llvm::CallInst*> barriers,
                                  const llvm::DominatorTree& tree, const llvm::Value& pointer);

}  // namespace takt_plugin
