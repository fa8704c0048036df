// Parallel regions that are more than one loop: split into one region for each loop, and code that a team of one runs.
#pragma once

#include "openmp/region.hpp"
#include "tasks/task_pieces.hpp"

#include <map>

namespace takt_plugin {

/// A region whose outlined function has been rewritten for a team of one.
struct team {
  llvm::Function* original = nullptr;  ///< as Clang made it; nobody uses it yet
  llvm::Function* serial = nullptr;    ///< as rewritten, with loops that run in order; null: never asked for
  std::vector<llvm::Function*> loops;  ///< outlined functions of its loops, and of those of `serial`
  bool has_tasks = false;
};
/// By the rewritten outlined function.
using team_map = std::map<llvm::Function*, team>;

/// A copy of a function, with copies of the outlined functions of the regions in it.
llvm::Function* clone_region(llvm::Function& function);

/// Whether the outlined function has worksharing loops.
bool has_loops(llvm::Function& outlined);
/// Whether the outlined function has loops, and something that a region with one loop must not have.
bool may_be_split(llvm::Function& outlined);

/// @returns why the region that starts at `where` cannot be split; empty: it may be possible.
refusal check_region(const site& where);

/// Makes a team of one of the region that starts at `where`, if any number of threads gives the same result.
/// @returns why not; empty: done, and `made` describes it.
refusal split_region(const site& where, team& made);

/// The same of a region that makes tasks in its constructs: what makes them is added to `pieces`.
/// @returns why not; then `made` describes what has to be put back, if it has loops.
refusal split_region_with_tasks(const site& where, team& made, const task_code& code,
                                    std::vector<task_piece>& pieces);

/// Replaces the start of a split region, whose loops have been converted, by a call. `open`: it is left to the OpenMP
/// runtime when code in the process looks at the identity of threads.
void start_team(const site& where, const team& made, bool open);

/// Removes an outlined function that nobody uses, and those of the regions in it.
void erase_region(llvm::Function& outlined, team_map& teams);

}  // namespace takt_plugin
