// Regions that one thread runs, and that make tasks. See "Tasks" in README.md beside this file.
#pragma once

#include "region.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>

#include <functional>
#include <map>
#include <set>

namespace takt_plugin {

struct task_regions {
  std::map<const llvm::Function*, std::string> left;  ///< outlined functions that make tasks, and why they stay
  std::set<llvm::Function*> with_locks;
  bool changed = false;
};

/// Converts the regions that consist of single, master and masked constructs with tasks, and makes copies of functions
/// with tasks for other files.
task_regions convert_task_regions(llvm::Module& module,
                                  const std::function<const llvm::TargetLibraryInfo&(llvm::Function&)>& libraries,
                                  bool optimise);

}  // namespace takt_plugin
