#include "task_twins.hpp"

#include "region.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace takt_plugin {

using namespace llvm;

namespace {

bool is_fixed_variable(const Instruction& instruction) {
  auto* variable = dyn_cast<AllocaInst>(&instruction);
  return variable != nullptr && variable->isStaticAlloca();
}

/// Nobody looks at it, and it is the same in both bodies.
bool is_number_of_thread(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  return call != nullptr && name_of(*call) == "__kmpc_global_thread_num" && isa<Constant>(call->getArgOperand(0));
}

/// Values that one block hands to another go through memory, as the program's variables still do: so each block of the
/// one body may follow each of the other. LLVM makes values of them again.
void keep_values_in_blocks(Function& function) {
  SmallVector<PHINode*> merged;
  SmallVector<Instruction*> handed;
  for (Instruction& instruction : instructions(function)) {
    if (auto* phi = dyn_cast<PHINode>(&instruction)) merged.push_back(phi);
  }
  for (PHINode* phi : merged) DemotePHIToStack(phi);
  for (Instruction& instruction : instructions(function)) {
    if (instruction.getParent() != &function.getEntryBlock() &&
        instruction.isUsedOutsideOfBlock(instruction.getParent())) {
      handed.push_back(&instruction);
    }
  }
  for (Instruction* value : handed) DemoteRegToStack(*value);
}

}  // namespace

void make_twin(Function& function, function_ref<bool(const CallBase&)> may_push,
               function_ref<bool(const CallBase&)> is_wait, task_twin& made) {
  // The variables belong to both.
  BasicBlock& entry = function.getEntryBlock();
  SmallVector<Instruction*> variables;
  for (Instruction& instruction : entry) {
    if (is_fixed_variable(instruction) || is_number_of_thread(instruction)) variables.push_back(&instruction);
  }
  BasicBlock* body = SplitBlock(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  for (Instruction* variable : variables) {
    if (variable->getParent() != &entry) variable->moveBefore(entry.getTerminator());
  }
  SmallVector<CallBase*> pushes, waits;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr) continue;
    if (may_push(*call)) pushes.push_back(call);
    if (is_wait(*call)) waits.push_back(call);
  }
  for (SmallVector<CallBase*>* calls : {&pushes, &waits}) {
    for (CallBase* call : *calls) SplitBlock(call->getParent(), call->getNextNode());
  }
  // Only now: a push leads from the middle of what was one block into the other body.
  keep_values_in_blocks(function);
  SmallVector<BasicBlock*> old, copied;
  for (BasicBlock& block : function) {
    if (&block != &entry) old.push_back(&block);
  }
  for (BasicBlock* block : old) {
    BasicBlock* copy = CloneBasicBlock(block, made.copies, ".first", &function);
    made.copies[block] = copy;
    made.blocks.insert(copy);
    copied.push_back(copy);
  }
  remapInstructionsInBlocks(copied, made.copies);
  const auto twin_of = [&](Value* of) { return static_cast<Value*>(made.copies.lookup(of)); };
  entry.getTerminator()->setSuccessor(0, cast<BasicBlock>(twin_of(body)));
  for (CallBase* push : pushes) {
    BasicBlock* next = push->getParent()->getSingleSuccessor();
    Instruction* end = cast<CallBase>(twin_of(push))->getParent()->getTerminator();
    auto* both =
        BranchInst::Create(end->getSuccessor(0), next, PoisonValue::get(Type::getInt1Ty(function.getContext())));
    both->setDebugLoc(end->getDebugLoc());
    ReplaceInstWithInst(end, both);
  }
  for (CallBase* wait : waits) {
    Instruction* end = wait->getParent()->getTerminator();
    end->setSuccessor(0, cast<BasicBlock>(twin_of(end->getSuccessor(0))));
  }
}

}  // namespace takt_plugin
