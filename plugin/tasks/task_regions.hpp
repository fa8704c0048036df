// Regions that one thread runs, and that make tasks. See "Tasks" in README.md beside this file.
#pragma once

#include "openmp/region.hpp"
#include "tasks/task_pieces.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>

#include <functional>
#include <map>
#include <set>

namespace takt_plugin {

struct task_regions {
  /// Outlined functions that make tasks, or of which pieces do, and why they stay.
  std::map<const llvm::Function*, refusal> left;
  std::set<llvm::Function*> with_locks;
  bool changed = false;
};

/// What makes tasks in regions with loops that have been split, by their rewritten outlined functions.
/// In the order of the program.
using task_pieces = llvm::MapVector<const llvm::Function*, std::vector<task_piece>>;

/// Converts the regions that consist of single, master and masked constructs with tasks, and `pieces`; and makes copies
/// of functions with tasks for other files. `may_be_tried`: a region. `tells`: what has been converted is remarked.
task_regions convert_task_regions(llvm::Module& module,
                                  const std::function<const llvm::TargetLibraryInfo&(llvm::Function&)>& libraries,
                                  bool optimise, const task_pieces& pieces,
                                  llvm::function_ref<bool(const llvm::Function&)> may_be_tried, bool tells);

}  // namespace takt_plugin
