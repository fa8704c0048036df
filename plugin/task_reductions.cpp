#include "task_reductions.hpp"

#include "region.hpp"
#include "task_copies.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <map>

namespace takt_plugin {

using namespace llvm;

namespace {

constexpr const char* k_give_back = "takt_omp_give_back";

SmallVector<CallInst*> calls_that(Function& function, bool (*is_wanted)(StringRef)) {
  SmallVector<CallInst*> found;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call != nullptr && is_wanted(name_of(*call))) found.push_back(call);
  }
  return found;
}

/// Where the taskgroup ends whose reductions `init` describes, on all ways. @returns false when that is not known.
bool find_ends(CallInst& init, SmallVectorImpl<CallInst*>& ends) {
  std::map<const BasicBlock*, unsigned> depths;  // of taskgroups inside, where a block begins
  SmallVector<std::pair<Instruction*, unsigned>> open{{init.getNextNode(), 0u}};
  while (!open.empty()) {
    auto [at, depth] = open.pop_back_val();
    const BasicBlock* block = at->getParent();
    bool ended = false;
    for (; at != nullptr && !ended; at = at->getNextNode()) {
      auto* call = dyn_cast<CallInst>(at);
      if (call == &init) return false;
      if (call == nullptr) continue;
      const StringRef name = name_of(*call);
      if (name == "__kmpc_taskgroup") ++depth;
      if (name != "__kmpc_end_taskgroup") continue;
      ended = depth == 0;
      if (ended) {
        ends.push_back(call);
      } else {
        --depth;
      }
    }
    if (ended) continue;
    const Instruction* last = block->getTerminator();
    if (isa<ReturnInst>(last) || isa<ResumeInst>(last)) return false;
    for (const BasicBlock* next : successors(block)) {
      auto [known, is_new] = depths.try_emplace(next, depth);
      if (known->second != depth) return false;
      if (is_new) open.emplace_back(const_cast<Instruction*>(&next->front()), depth);
    }
  }
  return true;
}

}  // namespace

bool begins_reductions(StringRef callee) { return callee == "__kmpc_taskred_init"; }
bool asks_for_reduced(StringRef callee) { return callee == "__kmpc_task_reduction_get_th_data"; }
bool asks_for_open_reduction(const CallBase& call) {
  return asks_for_reduced(name_of(call)) && isa<ConstantPointerNull>(call.getArgOperand(1));
}

std::string reductions_refusal(Function& function) {
  const auto inits = calls_that(function, begins_reductions);
  const auto asked = calls_that(function, asks_for_reduced);
  if (inits.empty() && asked.empty()) return {};
  const DominatorTree tree(function);
  for (CallInst* init : inits) {
    SmallVector<CallInst*> ends;
    bool known = find_ends(*init, ends);
    for (CallInst* end : ends) known &= tree.dominates(init, end);
    if (!known) return "it reaches a reduction over tasks whose shape is not known";
  }
  for (CallInst* call : asked) {
    if (asks_for_open_reduction(*call)) return k_foreign_reduction;
    for (BasicBlock& block : function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      if (end != nullptr && !tree.dominates(call, end))
        return "it reaches a reduction over tasks whose shape is not known";
    }
  }
  return {};
}

bool gives_back_reduced(const CallInst& call) { return name_of(call) == k_give_back; }

void convert_reductions(Function& made, task_copies& all) {
  IRBuilder<> b(made.getContext());
  const auto replace = [&](CallInst* call, CallInst* with) {
    call->replaceAllUsesWith(with);
    call->eraseFromParent();
  };
  for (CallInst* init : calls_that(made, begins_reductions)) {
    SmallVector<CallInst*> ends;
    find_ends(*init, ends);
    b.SetInsertPoint(init);
    FunctionCallee begin = all.runtime("takt_omp_reductions", b.getPtrTy(), {b.getInt32Ty(), b.getPtrTy()});
    CallInst* reductions = b.CreateCall(begin, {init->getArgOperand(1), init->getArgOperand(2)});
    for (CallInst* end : ends) {
      b.SetInsertPoint(end->getNextNode());
      b.SetCurrentDebugLocation(end->getDebugLoc());
      b.CreateCall(all.runtime("takt_omp_combine", b.getVoidTy(), {b.getPtrTy()}), {reductions});
    }
    replace(init, reductions);
  }
  for (CallInst* call : calls_that(made, asks_for_reduced)) {
    b.SetInsertPoint(call);
    FunctionCallee borrow = all.runtime("takt_omp_borrow", b.getPtrTy(), {b.getPtrTy(), b.getPtrTy()});
    CallInst* copy = b.CreateCall(borrow, {call->getArgOperand(1), call->getArgOperand(2)});
    for (BasicBlock& block : made) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      if (end == nullptr) continue;
      b.SetInsertPoint(end);
      b.SetCurrentDebugLocation(call->getDebugLoc());
      b.CreateCall(all.runtime(k_give_back, b.getVoidTy(), {b.getPtrTy()}), {copy});
    }
    replace(call, copy);
  }
}

}  // namespace takt_plugin
