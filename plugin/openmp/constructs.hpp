// What a parallel region consists of, beside code that each thread runs: loops, and blocks that one thread runs.
#pragma once

#include "openmp/region.hpp"

#include <deque>

namespace takt_plugin {

/// A worksharing loop, or a block that one thread runs.
struct construct {
  llvm::CallInst* call = nullptr;     ///< __kmpc_*_init_*, or __kmpc_single and its like
  llvm::BasicBlock* begin = nullptr;  ///< of a loop: its private variables are made from here on
  llvm::BasicBlock* end = nullptr;    ///< of a loop: where the region goes on
  llvm::Value* last = nullptr;        ///< of a loop: out: 1 for who runs the last iteration
  block_set blocks;
  llvm::SmallPtrSet<llvm::Value*, 4> sent;  ///< variables that copyprivate sends to all threads
  bool is_loop() const { return begin != nullptr; }
};

/// Their addresses are kept.
using constructs = std::deque<construct>;

/// Finds the constructs of an outlined function. Blocks are split at the ends of loops, and each call of the OpenMP
/// runtime takes the number of the thread from where the function gets it, which changes nothing that can be seen.
/// `with_tasks`: constructs may make tasks.
/// @returns why the region cannot be split; empty: `all` has its constructs.
refusal find_constructs(llvm::Function& outlined, constructs& all, bool with_tasks);

/// The blocks of a single, master or masked construct, which one thread runs.
/// @returns why they are not recognised; empty: they are among `blocks`.
refusal collect_once(const llvm::CallBase& call, const llvm::DominatorTree& tree, block_set& blocks);
/// Whether it is a masked construct for another thread than the first, and why that stays.
bool is_for_another(const llvm::CallBase& call);
/// Whether a variable only tells copyprivate which thread sends, or is its list.
bool is_only_sent(llvm::AllocaInst& variable);

}  // namespace takt_plugin
