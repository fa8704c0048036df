// The inside of a copy: task constructs become latent frames. See "Tasks" in README.md.
#pragma once

#include "tasks/task_copies.hpp"
#include "tasks/task_loops.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <set>
#include <vector>

namespace takt_plugin {

/// Rewrites one copy.
class task_rewriter {
 public:
  /// `group`: the variable that has the innermost group, or null where nobody needs it. `groups`: those that begin in
  /// the copy.
  task_rewriter(task_copies& all, const task_copies::wanted& wanted, llvm::AllocaInst* group,
                llvm::ArrayRef<llvm::AllocaInst*> groups)
      : all_(all),
        wanted_(wanted),
        group_(group),
        groups_(groups),
        original_(*wanted.original),
        way_(wanted.way),
        made_(*wanted.made),
        context_(all.context_) {}
  void run(const llvm::ValueToValueMapTy& copies);

 private:
  struct own_task {
    task_site site;            ///< in the copy
    bool in_slot = false;      ///< its captures fit one
    bool in_frame = false;     ///< its record is a variable of the copy
    bool in_turn = false;      ///< any number of it may wait at one time
    std::uint32_t number = 0;  ///< what its entry gets first where the task runs at once: see task_reductions.hpp
    llvm::AllocaInst* record = nullptr;  ///< in_frame
    llvm::AllocaInst* shareds = nullptr;
    llvm::AllocaInst* pushed = nullptr;  ///< the slot in which it lies, or null, where tasks are known one by one
    llvm::GlobalVariable* where = nullptr;
    std::optional<loop_of_tasks> loop = {};  ///< it runs where it is made, by whoever runs the iteration
  };

  void find_tasks(const llvm::ValueToValueMapTy& copies);
  void find_loops();
  void run_loops_in_ranges();
  bool leaves_nothing() const;
  void ask_for_version();
  bool may_push(const own_task& task) const;
  bool pushes(const llvm::CallBase& call) const;
  void read_pending();
  void choose_form();
  bool comes_again(const llvm::CallInst& start) const;
  llvm::Function* copied_callee(const llvm::CallBase& call) const;
  bool is_wait(const llvm::CallBase& call) const;
  /// What it has left behind is then found by who catches.
  bool may_throw_outside(const llvm::CallBase& call) const {
    return llvm::isa<llvm::InvokeInst>(call) && all_.code_.is_outside(call);
  }

  void place_records();
  void make_record_of(own_task& task);
  bool is_ordered_with(const llvm::CallBase& call) const;
  bool may_find_others() const;
  void wait_for_conflicts(own_task& task);
  void forget_when_left();
  void start(own_task& task);
  void push(own_task& task, llvm::Instruction* at, bool tells);
  llvm::Value* room_for(const own_task& task, llvm::IRBuilder<>& b);
  llvm::Value* moved_to_heap(const own_task& task, llvm::IRBuilder<>& b);
  void run_now(own_task& task, llvm::Instruction* at, task_way way);
  void run_serially(own_task& task);
  void end_of_task(own_task& task, llvm::IRBuilder<>& b);
  void run_loop(own_task& task);
  void begin_group(llvm::Instruction* at);
  void end_group(llvm::Instruction* at);
  void wait(llvm::Instruction* at);
  void wait_before(llvm::CallBase& call);
  void pop(own_task& task, llvm::Instruction* at);
  void drain(llvm::IRBuilder<>& b, llvm::Value* first);
  llvm::Value* first_slot(llvm::IRBuilder<>& b);
  void replace_call(llvm::CallBase& call);
  void call_outside(llvm::CallBase& call);
  llvm::CallBase* with_more(llvm::CallBase& call, llvm::Value* last) const;

  task_copies& all_;
  const task_copies::wanted& wanted_;
  llvm::AllocaInst* group_;
  llvm::ArrayRef<llvm::AllocaInst*> groups_;
  llvm::Function& original_;
  const task_way way_;
  llvm::Function& made_;
  llvm::LLVMContext& context_;
  std::vector<own_task> tasks_;
  bool is_free_ = false;                        ///< its tasks run where they are made, and nothing waits
  std::set<const llvm::Instruction*> pending_;  ///< calls and returns before which tasks may wait
  std::vector<llvm::Instruction*> order_;       ///< calls, as they stand
  bool known_ = false;                          ///< which tasks wait at a wait is known one by one
  llvm::AllocaInst* first_ = nullptr;           ///< else: the slot from which on they lie, or null
  llvm::AllocaInst* number_ = nullptr;          ///< what the entries of tasks in such loops get first
  llvm::AllocaInst* depended_ = nullptr;        ///< what waiting tasks depend on, or null
};

}  // namespace takt_plugin
