// OpenMP tasks: what Clang makes of them, and which code has to do with them. See "Tasks" in README.md beside this
// file.
#pragma once

#include "openmp/region.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>

#include <takt/kmp.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <set>

namespace takt_plugin {

/// One task construct.
struct task_site {
  llvm::CallInst* alloc = nullptr;  ///< __kmpc_omp_task_alloc
  llvm::Function* entry = nullptr;
  std::uint64_t bytes = 0;         ///< of the record: kmp_task_t, and the private variables behind it
  std::uint64_t captured = 0;      ///< of these, the ones that have a value when the task starts
  std::uint64_t shared_bytes = 0;  ///< of what the record's first member points to: the addresses of shared variables
  /// Somebody may keep the record's address, as a constructor of a private variable might: it is not to be moved.
  bool is_fixed = false;
  bool in_group = false;            ///< its record has the group in which it was made. Known after settle()
  llvm::CallInst* start = nullptr;  ///< __kmpc_omp_task, or with a depend clause __kmpc_omp_task_with_deps
  llvm::CallInst* loop = nullptr;   ///< __kmpc_taskloop
  /// if(false): the entry is called where the task is made, between two calls of the OpenMP runtime.
  llvm::CallInst* serial_begin = nullptr;
  llvm::CallInst* serial = nullptr;
  llvm::CallInst* serial_end = nullptr;

  bool depends() const;  ///< `start` has dependences: how many, and their list, are its arguments 3 and 4
  llvm::Value* flags() const { return alloc->getArgOperand(2); }
};

/// Takt's own member of a task's record (kmp::task), where the OpenMP runtime has the entry.
inline constexpr std::uint64_t k_task_group = offsetof(takt::kmp::task, routine);
/// The private variables of a task that is not of a taskloop.
inline constexpr std::uint64_t k_task_privates = offsetof(takt::kmp::task, lower);
/// The argument of __kmpc_taskloop that copies private variables.
inline constexpr unsigned k_taskloop_copies = 10;

/// What calling a function means to the tasks of who calls it.
struct task_facts {
  std::vector<task_site> tasks;
  bool has_constructs = false;
  bool needs_copy = false;  ///< it has to do with tasks, or calls what may
  bool waits = false;       ///< for tasks of its caller, too: it may come by a taskwait, or call code that is not seen
  bool leaks = false;       ///< it may return while tasks wait that it has made
  /// Its copy waits before it returns: tasks may use what it then gives back.
  bool settles = false;
  bool depends = false;  ///< some of its tasks have dependences
  bool orders = false;   ///< the same of it and of what it calls; or it cannot be told what is to be waited for
  bool unknown = false;  ///< it, or what it calls, calls code that is not seen
  /// It, what it calls, or a task made there may take part in a reduction of a taskgroup around it.
  bool needs_group = false;
};

/// Everything that some functions may call in this file, and run as tasks.
class task_code {
 public:
  /// `is_library(f)`: a function without body that has nothing to do with tasks.
  explicit task_code(std::function<bool(llvm::Function&, llvm::Function&)> is_library)
      : is_library_(std::move(is_library)) {}

  /// Looks at `root`, and at what it reaches. @returns why its tasks cannot be converted; empty: they can.
  refusal look_at(llvm::Function& root);
  /// After all roots: settles what depends on each other.
  void settle();

  const task_facts& facts(const llvm::Function& function) const { return facts_.at(&function); }
  bool knows(const llvm::Function& function) const { return facts_.count(&function) != 0; }
  /// Whether a task construct is among what `root` reaches.
  bool reaches_tasks(llvm::Function& root) const;
  /// Whether a call is a task construct, or of a function that reaches one.
  bool may_make_tasks(const llvm::CallBase& call) const;
  /// Whether a task with dependences is among it.
  bool reaches_dependences(llvm::Function& root) const;
  /// Whether a function is a task's entry: it gets a record.
  bool is_entry(const llvm::Function& function) const { return entries_.count(&function) != 0; }
  /// The function with a body that a call runs in the same task; null: another one, or none.
  llvm::Function* called(const llvm::CallBase& call) const;
  /// Whether the called function has its body elsewhere, and may have to do with tasks.
  bool is_outside(const llvm::CallBase& call) const;
  /// Whether it is of a library, and has not.
  bool is_library_call(const llvm::CallBase& call) const;
  /// Whether code that is not seen, and may have to do with tasks, is run as Clang made it: the same, a call through a
  /// pointer, or a function of a library that calls back such code. Not what only reads memory, or is said to have no
  /// OpenMP in it (`assumes no_openmp`). Known after settle().
  bool is_unseen(const llvm::CallBase& call) const;

 private:
  refusal read(llvm::Function& function, task_facts& facts) const;
  /// Before settle(): whether `root` may come to need a copy.
  bool may_be_copied(llvm::Function& root) const;
  bool may_leak(llvm::Function& function) const;
  /// Whether a function that `is_it` accepts, of those that are known, is among what `root` reaches, in tasks too.
  bool reaches(llvm::Function& root, bool (*is_it)(const task_facts& facts)) const;

  std::function<bool(llvm::Function&, llvm::Function&)> is_library_;
  std::map<const llvm::Function*, task_facts> facts_;
  std::set<const llvm::Function*> entries_;
};

/// Where the code of an untied task ends for a while, and hands itself to the OpenMP runtime: the call, the number of
/// the part that is then to run, as it is stored, and where that begins.
struct task_part {
  llvm::CallInst* yield;
  llvm::StoreInst* number;
  llvm::BasicBlock* next;
};
/// @returns false when a part of the function is not recognised.
bool find_parts(llvm::Function& function, llvm::SmallVectorImpl<task_part>& parts);

/// Whether a wait comes at `at` or after it, and nothing in between. `is_one`: for other waits than those of tasks;
/// `is_nothing`: calls that mean nothing there.
using instruction_test = llvm::function_ref<bool(const llvm::Instruction&)>;
bool leads_to_wait(
    const llvm::Instruction& at, instruction_test is_one = [](const llvm::Instruction&) { return false; },
    instruction_test is_nothing = [](const llvm::Instruction&) { return false; });
/// The same behind `start`: the task may as well run at once.
inline bool is_followed_by_wait(const llvm::CallInst& start) { return leads_to_wait(*start.getNextNode()); }

}  // namespace takt_plugin
