// What a parallel region consists of, beside code that each thread runs: loops, and blocks that one thread runs.
#pragma once

#include "openmp/region.hpp"

#include <deque>

namespace takt_plugin {

/// Blocks of a function, the first and the last of them perhaps in part only.
struct stretch {
  block_set blocks;
  llvm::Instruction* begin = nullptr;  ///< the first one of the stretch; null: it has its blocks as a whole
  llvm::Instruction* end = nullptr;    ///< the first one behind the stretch
  bool contains(const llvm::Instruction& instruction) const;
  /// Finds the blocks that `begin` leads to, short of `end`. @returns false: the function may return there.
  bool collect();
};

/// A worksharing loop, or a block that one thread runs. A loop begins where its private variables are made, and ends
/// where the region goes on.
struct construct : stretch {
  llvm::CallInst* call = nullptr;  ///< __kmpc_*_init_*, or __kmpc_single and its like
  llvm::Value* last = nullptr;     ///< of a loop: out: 1 for who runs the last iteration
  llvm::SmallPtrSet<llvm::Value*, 4> sent;  ///< variables that copyprivate sends to all threads
  // Of a loop that has been cut out, in place of begin and end.
  llvm::BasicBlock* first = nullptr;
  llvm::BasicBlock* behind = nullptr;
  bool is_loop() const { return last != nullptr; }
};

/// Their addresses are kept.
using constructs = std::deque<construct>;

/// What a region is made of.
struct region_parts {
  constructs all;
  llvm::SmallVector<llvm::LoadInst*> numbers;  ///< loads of the thread's number, which is no value of the program's
};

/// Finds the constructs of an outlined function. `with_tasks`: constructs may make tasks.
/// @returns why the region cannot be split; empty: `found` has its constructs.
refusal find_constructs(llvm::Function& outlined, region_parts& found, bool with_tasks);
/// Blocks begin and end where constructs do, and each call of the OpenMP runtime takes the number of the thread from
/// where the function gets it, so that no number is carried from one construct to another.
void cut_into_constructs(llvm::Function& outlined, region_parts& parts);

/// The blocks of a single, master or masked construct, which one thread runs.
/// @returns why they are not recognised; empty: they are among `blocks`.
refusal collect_once(const llvm::CallBase& call, const llvm::DominatorTree& tree, block_set& blocks);
/// Whether it is a masked construct for another thread than the first, and why that stays.
bool is_for_another(const llvm::CallBase& call);
/// Whether a variable only tells copyprivate which thread sends, or is its list.
bool is_only_sent(llvm::AllocaInst& variable);

}  // namespace takt_plugin
