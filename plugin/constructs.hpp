// What a parallel region consists of, beside code that each thread runs: loops, and blocks that one thread runs.
#pragma once

#include "region.hpp"

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

/// What calls of the OpenMP runtime with this name do.
bool starts_loop(llvm::StringRef name);
bool starts_once(llvm::StringRef name);
/// What a team of one need not do.
bool is_dropped(llvm::StringRef name);
/// Asks how a reduction is to be combined: 1, by one thread for itself. And that, and its end.
bool asks_to_combine(llvm::StringRef name);
bool combines(llvm::StringRef name);
/// The start or end of a variable's life.
bool is_lifetime(const llvm::User& user);
/// The outlined function of a parallel region that `call` starts; null: it does not.
llvm::Function* started_by(const llvm::CallBase& call);

/// Finds the constructs of an outlined function. Blocks are split at the ends of loops, and each call of the OpenMP
/// runtime takes the number of the thread from where the function gets it, which changes nothing that can be seen.
/// `with_tasks`: constructs may make tasks.
/// @returns why the region cannot be split; empty: `all` has its constructs.
std::string find_constructs(llvm::Function& outlined, constructs& all, bool with_tasks);
/// What each thread may do, and a team of one need not: to wait for tasks that it has not made.
bool is_idle_wait(llvm::StringRef name);

/// Whether a variable only tells copyprivate which thread sends, or is its list.
bool is_only_sent(llvm::AllocaInst& variable);

}  // namespace takt_plugin
