// What makes tasks in a region that has loops, too: blocks that one thread runs, and iterations, each cut out into a
// function of its own. See "Tasks" in README.md beside this file.
#pragma once

#include "tasks/tasks.hpp"

#include <vector>

namespace takt_plugin {

struct task_piece {
  llvm::CallInst* call = nullptr;  ///< of the piece, the only one
  bool once = false;               ///< a block that one thread runs, else an iteration
  bool serial = false;             ///< the team has one thread: tasks run where they are made
  llvm::Function* code() const { return call->getCalledFunction(); }
};

/// Makes a function of what `begin` leads to, short of `end`, in the outlined function of a region or a loop, and calls
/// it there. The piece knows no number of a thread.
/// @returns the call; null: the code has another shape, and nothing was changed.
llvm::CallInst* cut_out(llvm::BasicBlock& begin, llvm::BasicBlock& end, const llvm::Twine& suffix);

/// Makes a function of an iteration of the only worksharing loop in `loop`.
/// @returns the call; null: the code has another shape, or makes tasks elsewhere.
llvm::CallInst* cut_out_iteration(llvm::Function& loop, const task_code& code);

}  // namespace takt_plugin
