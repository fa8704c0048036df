// What a loop body may reach: whether it can tell on which thread it runs.
#pragma once

#include "openmp/region.hpp"
#include "openmp/refusal.hpp"
#include "reach/holding.hpp"
#include "reach/thread_locals.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/TargetLibraryInfo.h>

#include <functional>

namespace takt_plugin {

struct reached {
  refusal why;         ///< slices could not run this code
  bool open = false;    ///< code of other files is called
  bool forks = false;   ///< a parallel region is started, or a task
};

/// Instructions by which iterations of converted loops look at the number of their thread.
using number_set = llvm::SmallPtrSet<const llvm::Instruction*, 8>;

class reach_analysis {
 public:
  /// `stays(fork)` says whether the parallel region started there is left to the OpenMP runtime.
  /// Code in `ignored` is never run; `numbers` ask for what a slice is told.
  reach_analysis(llvm::Module& module, const std::vector<site>& sites, const block_set& ignored,
                 const number_set& numbers,
                 std::function<bool(const llvm::CallInst&)> stays,
                 std::function<const llvm::TargetLibraryInfo&(llvm::Function&)> libraries)
      : thread_locals_(module),
        sites_(sites),
        ignored_(ignored),
        numbers_(numbers),
        stays_(std::move(stays)),
        libraries_(std::move(libraries)) {}

  /// Everything that calling `from` may run, as far as this file shows it.
  reached from(llvm::Function& from);
  /// The same where task constructs are to be converted, too, and `from` is called by nobody or has been looked at.
  reached with_tasks(llvm::Function& from);

  /// Functions with critical sections among those reached so far.
  const std::set<llvm::Function*>& with_locks() const { return with_locks_; }

 private:
  void visit(llvm::Function& function, reached& result, llvm::SmallPtrSetImpl<llvm::Function*>& seen);
  void visit_call(llvm::CallBase& call, reached& result, llvm::SmallPtrSetImpl<llvm::Function*>& seen);
  /// The same of a function that is called where no lock is held, and must return so.
  void visit_entry(llvm::Function& function, reached& result, llvm::SmallPtrSetImpl<llvm::Function*>& seen);
  void visit_held(llvm::Function& function, reached& result);
  bool waits_for_others(llvm::Function& function);

  thread_locals thread_locals_;
  const std::vector<site>& sites_;
  const block_set& ignored_;
  const number_set& numbers_;
  std::function<bool(const llvm::CallInst&)> stays_;
  std::function<const llvm::TargetLibraryInfo&(llvm::Function&)> libraries_;
  std::set<llvm::Function*> with_locks_;
  holdings holdings_;
  llvm::DenseMap<llvm::Function*, refusal> held_refusals_;  // of visit_held
  llvm::DenseMap<llvm::Function*, bool> waits_;                 // waits_for_others, as far as it is known
  bool tasks_ = false;                                          // they are followed
  const llvm::Function* region_ = nullptr;                      // whose calls of the OpenMP runtime have been looked at
};

/// A function without body that is known to know nothing of threads.
bool is_known_outside(const llvm::Function& function, const llvm::TargetLibraryInfo& libraries);

/// What a call hands over that may be called back, as qsort does.
llvm::SmallVector<llvm::Function*> handed_functions(const llvm::CallBase& call);
/// Whether a function of a library calls back what is not known here.
bool calls_back_unknown(const llvm::CallBase& call);

/// A function that another file could call, and why converted code must not.
struct offered {
  const llvm::Function* function = nullptr;
  refusal why;
};
/// One that looks at the identity of its thread, or holds a lock where it starts a region or makes a task; if there is
/// any.
offered offers_identity(llvm::Module& module, const number_set& numbers);

}  // namespace takt_plugin
