#include "tuning/unasked.hpp"

#include "forks/frames.hpp"
#include "forks/versions.hpp"
#include "openmp/calls.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace takt_plugin {

using namespace llvm;

namespace {

constexpr StringLiteral k_unasked = ".takt_unasked";

/// The call of the version that pushes, if `function` has a free one.
CallInst* way_to_pushing(Function& function) {
  for (auto* call : calls_in<CallInst>(instructions(function))) {
    if (name_of(*call).ends_with(k_pushing) && isa<ReturnInst>(call->getParent()->getTerminator())) return call;
  }
  return nullptr;
}

bool has_landing_pad(Function& function) {
  return any_of(function, [](const BasicBlock& block) { return block.isLandingPad(); });
}

/// Whether LLVM might inline it, by what it says and by the room that its variables take (its own limit for functions
/// that call themselves).
bool may_be_inlined(Function& step, const Function& function) {
  if (step.hasFnAttribute(Attribute::NoInline) || step.hasOptNone() || !is_of_same_target(step, function) ||
      !may_be_put_in(step)) {
    return false;
  }
  const DataLayout& layout = step.getParent()->getDataLayout();
  std::uint64_t bytes = 0;
  for (Instruction& instruction : instructions(step)) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (variable == nullptr) continue;
    if (!variable->isStaticAlloca()) return false;
    bytes += variable->getAllocationSize(layout)->getFixedValue();
  }
  return bytes <= InlineConstants::TotalAllocaSizeRecursiveCaller;
}

/// What Clang has made of the bodies of the tasks of `function` that call it.
SmallPtrSet<Function*, 8> bodies_of(Function& function) {
  SmallPtrSet<Function*, 8> found;
  SmallVector<Function*> open{&function};
  while (!open.empty()) {
    for (User* user : open.pop_back_val()->users()) {
      auto* call = dyn_cast<CallBase>(user);
      Function* around = call == nullptr ? nullptr : call->getFunction();
      if (around == nullptr || around == &function || !around->hasLocalLinkage() ||
          !(around->getName().starts_with(".omp_task_entry.") || around->getName().starts_with(".omp_outlined.")) ||
          !may_be_inlined(*around, function)) {
        continue;
      }
      if (found.insert(around).second) open.push_back(around);
    }
  }
  return found;
}

/// The calls of itself behind which there may be another one, once each: no loop repeats them.
SmallVector<CallBase*> calls_before_last(Function& function) {
  const block_set repeated = in_loops(function);
  SmallVector<CallBase*> found;
  for (Instruction& instruction : instructions(function)) {
    if (called(instruction) != &function || repeated.contains(instruction.getParent())) continue;
    SmallPtrSet<const BasicBlock*, 16> seen;
    SmallVector<const Instruction*> open;
    const auto go_on = [&](const BasicBlock& block) {
      for (const BasicBlock* next : successors(&block)) {
        if (seen.insert(next).second) open.push_back(&next->front());
      }
    };
    if (instruction.isTerminator()) {
      go_on(*instruction.getParent());
    } else {
      open.push_back(instruction.getNextNode());
    }
    bool is_last = true;
    while (!open.empty() && is_last) {
      for (const Instruction* at = open.pop_back_val(); at != nullptr && is_last; at = at->getNextNode()) {
        is_last = called(*at) != &function;
        if (at->isTerminator()) go_on(*at->getParent());
      }
    }
    if (!is_last) found.push_back(cast<CallBase>(&instruction));
  }
  return found;
}

/// Leaves out the question, and the way on which it is answered with no.
void answer_with_yes(Function& function) {
  for (BasicBlock* at = way_to_pushing(function)->getParent()->getSinglePredecessor(); at != nullptr;) {
    auto* branch = dyn_cast<BranchInst>(at->getTerminator());
    auto* answer = branch == nullptr || !branch->isConditional() ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
    auto* part = answer == nullptr ? nullptr : dyn_cast<ExtractValueInst>(answer->getOperand(0));
    if (part == nullptr || !is_band_question(*part->getAggregateOperand())) break;
    auto* question = cast<CallInst>(part->getAggregateOperand());
    BranchInst::Create(branch->getSuccessor(0), branch);
    branch->eraseFromParent();
    answer->eraseFromParent();
    part->eraseFromParent();
    question->eraseFromParent();
    BasicBlock* before = at->getSinglePredecessor();
    auto* other = before == nullptr ? nullptr : dyn_cast<BranchInst>(before->getTerminator());
    at = other != nullptr && other->isConditional() && other->getSuccessor(1) == at ? before : nullptr;
  }
  removeUnreachableBlocks(function);
}

bool ask_less(Function& function) {
  const SmallPtrSet<Function*, 8> bodies = bodies_of(function);
  // Landing pads in two copies would share what follows them, and stand in the way of shrink-wrapping (landings.hpp).
  if (has_landing_pad(function) || any_of(bodies, [](Function* body) { return has_landing_pad(*body); })) return false;
  const auto ways = count_if(instructions(function), [&](const Instruction& each) {
    Function* callee = called(each);
    return callee == &function || bodies.contains(callee);
  });
  if (ways < 2) return false;
  const bool changed = put_in(function, [&](Function& callee) { return bodies.contains(&callee); });
  const SmallVector<CallBase*> calls = calls_before_last(function);
  if (calls.empty()) return changed;
  Module& module = *function.getParent();
  Function* unasked = Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                                       function.getName() + k_unasked, module);
  ValueToValueMapTy copies;
  copy_body(function, *unasked, copies);
  unasked->removeFnAttr(Attribute::NoInline);
  answer_with_yes(*unasked);
  for (CallBase* call : calls) call->setCalledFunction(unasked);
  // Else LLVM would inline it whatever its size, where it has one caller.
  appendToCompilerUsed(module, {unasked});
  return true;
}

}  // namespace

bool ask_every_second_level(Module& module) {
  SmallVector<Function*> asking;
  for (Function& function : module) {
    if (!function.hasOptNone() && way_to_pushing(function) != nullptr) asking.push_back(&function);
  }
  bool changed = false;
  for (Function* function : asking) changed |= ask_less(*function);
  return changed;
}

PreservedAnalyses drop_unasked::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  SmallVector<Function*> all;
  for (Function& function : module) {
    if (function.getName().ends_with(k_unasked)) all.push_back(&function);
  }
  for (Function* unasked : all) {
    removeFromUsedLists(module, [&](Constant* used) { return used == unasked; });
    Function* function = module.getFunction(unasked->getName().drop_back(k_unasked.size()));
    for (User* user : make_early_inc_range(unasked->users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (call == nullptr || call->getCalledOperand() != unasked || function == nullptr ||
          function->getFunctionType() != unasked->getFunctionType()) {
        continue;
      }
      call->setCalledFunction(function);
      call->setCallingConv(function->getCallingConv());
    }
    if (unasked->use_empty()) unasked->eraseFromParent();
  }
  return all.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace takt_plugin
