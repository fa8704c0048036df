// Where a copy waits for its tasks, and how: before calls, for those in conflict, and at the program's waits.
#include "forks/frames.hpp"
#include "tasks/quiet.hpp"
#include "tasks/task_rewriter.hpp"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace takt_plugin {

using namespace llvm;

Value* task_rewriter::first_slot(IRBuilder<>& b) {
  if (first_ == nullptr) return made_.getArg(static_cast<unsigned>(made_.arg_size()) - 1);
  Value* first = b.CreateLoad(b.getPtrTy(), first_);
  Value* known = b.CreateSelect(b.CreateIsNotNull(first), first, head_of_frames(b));
  b.CreateStore(known, first_);
  return known;
}

/// Whether the called code may make tasks that come after one of ours which waits, or before; or may wait for ours, as
/// code may that is not seen, and cannot be told of them.
bool task_rewriter::is_ordered_with(const CallBase& call) const {
  if (way_ == task_way::serial || pending_.count(&call) == 0) return false;
  if (all_.code_.is_unseen(call)) return true;
  Function* callee = all_.code_.called(call);
  if (callee == nullptr || !all_.code_.knows(*callee)) return false;
  const task_facts& facts = all_.code_.facts(*callee);
  return facts.orders || (all_.code_.facts(original_).depends && facts.unknown);
}

/// Whether an exception may end a call whose tasks then wait here.
bool task_rewriter::may_find_others() const {
  return std::any_of(order_.begin(), order_.end(), [&](const Instruction* at) {
    auto* call = dyn_cast<InvokeInst>(at);
    return call != nullptr && (may_throw_outside(*call) || copied_callee(*call) != nullptr);
  });
}

/// Before the task starts, or runs.
void task_rewriter::wait_for_conflicts(own_task& task) {
  CallInst* at = task.site.start;
  if (may_find_others()) {
    wait(at);
    return;
  }
  const DebugLoc where = at->getDebugLoc();
  IRBuilder<> b(at);
  Value* known = b.CreateLoad(b.getPtrTy(), depended_);
  Instruction* some = SplitBlockAndInsertIfThen(b.CreateIsNotNull(known), at, false);
  b.SetInsertPoint(some);
  b.SetCurrentDebugLocation(where);
  FunctionCallee ask =
      all_.runtime("takt_omp_is_in_conflict", b.getInt1Ty(), {b.getPtrTy(), b.getInt32Ty(), b.getPtrTy()});
  if (auto* function = dyn_cast<Function>(ask.getCallee())) function->addRetAttr(Attribute::ZExt);
  CallInst* answer = b.CreateCall(ask, {known, at->getArgOperand(3), at->getArgOperand(4)});
  answer->addRetAttr(Attribute::ZExt);
  Instruction* conflict = SplitBlockAndInsertIfThen(answer, some, false);
  conflict->setDebugLoc(where);
  wait(conflict);
}

/// The newest frame, if it is still there: runs it, unless it was promoted.
void task_rewriter::pop(own_task& task, Instruction* at) {
  if (task.site.start == nullptr || task.where == nullptr) return;
  // A return may have none, and what is inlined needs one.
  const DebugLoc where = at->getDebugLoc() ? at->getDebugLoc() : task.site.start->getDebugLoc();
  IRBuilder<> b(at);
  Value* slot = b.CreateLoad(b.getPtrTy(), task.pushed);
  Instruction* there = SplitBlockAndInsertIfThen(b.CreateIsNotNull(slot), at, false);
  b.SetInsertPoint(there);
  b.SetCurrentDebugLocation(where);
  b.CreateStore(ConstantPointerNull::get(b.getPtrTy()), task.pushed);
  set_head_of_frames(b, slot);
  Instruction* promoted = nullptr;
  Instruction* mine = nullptr;
  SplitBlockAndInsertIfThenElse(is_promoted(b, slot), there, &promoted, &mine,
                                MDBuilder(context_).createBranchWeights(1, 2000));
  b.SetInsertPoint(promoted);
  b.SetCurrentDebugLocation(where);
  b.CreateCall(all_.runtime("takt_omp_task_join", b.getVoidTy(), {b.getPtrTy()}), {slot});
  b.SetInsertPoint(mine);
  b.SetCurrentDebugLocation(where);
  Function* entry = all_.copy_of(*task.site.entry, task_way::whole);
  b.CreateCall(all_.runner(*entry, task.site, task.in_slot, task.number), {slot})->setDoesNotThrow();
}

/// A function of the runtime that runs them, one by one. Of one task with reductions it is told how it runs here.
void task_rewriter::drain(IRBuilder<>& b, Value* first) {
  for (own_task& task : tasks_) {
    if (task.number == 0 || task.where == nullptr) continue;
    Function* entry = all_.copy_of(*task.site.entry, task_way::whole);
    FunctionCallee some =
        all_.runtime("takt_omp_drain_here", b.getVoidTy(), {b.getPtrTy(), b.getPtrTy(), b.getPtrTy()});
    b.CreateCall(some, {first, all_.runner(*entry, task.site, task.in_slot),
                        all_.runner(*entry, task.site, task.in_slot, task.number)});
    return;
  }
  b.CreateCall(all_.runtime("takt_omp_drain", b.getVoidTy(), {b.getPtrTy()}), {first});
}

/// Before `at`: all tasks are done that the running one has made.
void task_rewriter::wait(Instruction* at) {
  if (way_ == task_way::serial || is_free_) return;
  if (known_) {
    // The last one first: they were pushed in the order in which they stand.
    for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task) pop(*task, at);
    return;
  }
  const DebugLoc where = at->getDebugLoc();
  IRBuilder<> b(at);
  if (first_ == nullptr) {
    drain(b, first_slot(b));
    return;
  }
  Value* first = b.CreateLoad(b.getPtrTy(), first_);
  b.SetInsertPoint(SplitBlockAndInsertIfThen(b.CreateIsNotNull(first), at, false));
  b.SetCurrentDebugLocation(where);
  drain(b, first);
  b.CreateStore(ConstantPointerNull::get(b.getPtrTy()), first_);
  if (depended_ != nullptr) b.CreateCall(all_.runtime("takt_omp_forget", b.getVoidTy(), {b.getPtrTy()}), {depended_});
}

/// In front of a call that comes behind tasks which wait. Another file may have said that nothing in it does.
void task_rewriter::wait_before(CallBase& call) {
  if (way_ == task_way::serial || is_free_) return;
  if (!may_be_quiet(call, all_.code_)) {
    wait(&call);
    return;
  }
  IRBuilder<> b(&call);
  Instruction* loud = SplitBlockAndInsertIfThen(b.CreateIsNull(quiet_symbol(call)), &call, false);
  loud->setDebugLoc(call.getDebugLoc());
  wait(loud);
}

}  // namespace takt_plugin
