// What makes tasks in a region that has loops, too: blocks that one thread runs, and iterations, each cut out into a
// function of its own. See "Tasks" in README.md beside this file.
#pragma once

#include "tasks/tasks.hpp"

#include <llvm/ADT/SetVector.h>

#include <vector>

namespace takt_plugin {

struct task_piece {
  llvm::CallInst* call = nullptr;  ///< of the piece, the only one
  bool once = false;               ///< a block that one thread runs, else an iteration
  bool serial = false;             ///< the team has one thread: tasks run where they are made
  llvm::Function* code() const { return call->getCalledFunction(); }
};

/// Variables that only the piece has, and that do not live from one execution of it to the next. Others may: those of
/// the thread that runs masked blocks, and of a team of one. And their address may be known elsewhere.
bool is_own(llvm::AllocaInst& variable, llvm::BasicBlock& begin, const block_set& blocks,
            const llvm::DominatorTree& tree);

/// Makes a function of what `begin` leads to, short of `end`, and calls it there. The first `numbers` parameters are
/// those of a thread in the outlined function of a region or a loop: the piece knows no number of a thread. `own`: is
/// known to be is_own().
/// @returns the call; null: the code has another shape, and nothing was changed.
llvm::CallInst* cut_out(llvm::BasicBlock& begin, llvm::BasicBlock& end, const llvm::Twine& suffix,
                        unsigned numbers = 2, llvm::SetVector<llvm::AllocaInst*> own = {});

/// Makes a function of an iteration of the only worksharing loop in `loop`.
/// @returns the call; null: the code has another shape, or makes tasks elsewhere.
llvm::CallInst* cut_out_iteration(llvm::Function& loop, const task_code& code);

}  // namespace takt_plugin
