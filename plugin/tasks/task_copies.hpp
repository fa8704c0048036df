// Copies of functions in which task constructs are latent frames. See "Tasks" in README.md beside this file.
#pragma once

#include "tasks/tasks.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

/// What the code around a copied function has done, and what the copy is to do.
enum class task_way {
  whole,  ///< nothing waits that the running task has made, and nothing is to wait when the copy returns
  plain,  ///< nothing waits; what the copy leaves behind is for its caller
  under,  ///< something may wait: one more parameter, the slot from which on the running task's tasks lie
  serial  ///< tasks run where they are made
};

/// The suffix of copies that other files may call.
inline constexpr const char* k_task_copy = ".takt_tasks";

class task_copies {
 public:
  task_copies(llvm::Module& module, const task_code& code, bool optimise);
  /// A copy of `function`, which is known to the task_code.
  llvm::Function* copy_of(llvm::Function& function, task_way way);
  /// Makes all that has been asked for.
  void finish();
  /// What critical sections are in.
  const std::set<llvm::Function*>& with_locks() const { return with_locks_; }
  /// Other files may call a copy of the function, by a name of its own.
  void offer(llvm::Function& function);
  /// A function with the parameters of a region's outlined one is about to be copied: its single, master and masked
  /// constructs are run by whoever comes.
  void is_region(llvm::Function& outlined) {
    regions_.insert(&outlined);
    is_root(outlined);
  }
  /// A function is about to be copied that no taskgroup is around.
  void is_root(llvm::Function& function) { roots_.insert(&function); }

  llvm::FunctionCallee runtime(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);

 private:
  friend class task_rewriter;
  /// See versions.hpp. A copy that may ask which version is to run does so if it can, and is then the free one.
  enum class version { asking, pushing, only };
  struct wanted {
    llvm::Function* original;
    task_way way;
    llvm::Function* made;
    task_copies::version version;
  };
  /// Whether copies of a function have one more parameter: the group in which they are called.
  bool takes_group(llvm::Function& function) const;
  /// In a copy of a function that needs it: the group around it.
  llvm::Value* group_around(const wanted& copy, llvm::IRBuilder<>& b) const;
  /// What `copy`, which asks, runs as where its tasks are not free.
  llvm::Function* pushing_version(const wanted& copy);
  /// One for all tasks of a function, whose copies ask it.
  llvm::GlobalVariable* site_of(const llvm::Function& original);
  void ask_before(llvm::Function& entry);
  /// A function that runs what lies in a slot. `entry`: the copy; in place: the record, of so many bytes, is in the
  /// slot. `number`: what the entry gets first.
  llvm::Function* runner(llvm::Function& entry, const task_site& task, bool in_slot, std::uint32_t number = 0);

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const task_code& code_;
  const bool optimise_;
  const bool cancels_;  ///< taskgroups
  std::map<std::pair<llvm::Function*, task_way>, llvm::Function*> made_;
  std::map<std::pair<llvm::Function*, std::uint32_t>, llvm::Function*> runners_;
  std::map<const llvm::Function*, llvm::GlobalVariable*> sites_;
  std::vector<wanted> open_;
  std::set<llvm::Function*> with_locks_;
  std::set<llvm::Function*> regions_;
  std::set<llvm::Function*> roots_;
  std::vector<std::pair<llvm::Function*, llvm::Function*>> offered_;  // the original, and its copy
};

}  // namespace takt_plugin
