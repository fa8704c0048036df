// Code behind a loop that has effects of what the iterations have left. See "Epilogues" in README.md beside this file.
#include "loops/epilogues.hpp"

#include "loops/surroundings.hpp"
#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "reach/effects.hpp"
#include "reach/uses.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// The function's variable that a pointer leads into, or into whose memory elsewhere; null: one that the region has
/// captured, or not known.
const AllocaInst* owner_of(const Value* pointer, int depth = 0) {
  if (depth > 16 || !pointer->getType()->isPointerTy()) return nullptr;
  if (Value* root = root_of(const_cast<Value*>(pointer))) return dyn_cast<AllocaInst>(root);
  pointer = pointer->stripPointerCasts();
  if (auto* element = dyn_cast<GEPOperator>(pointer)) return owner_of(element->getPointerOperand(), depth + 1);
  if (auto* load = dyn_cast<LoadInst>(pointer)) return owner_of(load->getPointerOperand(), depth + 1);
  auto* made = dyn_cast<Instruction>(pointer);
  if (made == nullptr || !(isa<CallBase>(made) || isa<PHINode>(made) || isa<SelectInst>(made))) return nullptr;
  for (const Value* operand : made->operands()) {
    if (const AllocaInst* owner = owner_of(operand, depth + 1)) return owner;
  }
  return nullptr;
}

/// Variables into which the instruction writes.
SmallVector<const AllocaInst*> written_by(Instruction& instruction, effects_of_functions& known) {
  SmallVector<const AllocaInst*> owners;
  const auto add = [&](const Value* pointer) {
    if (const AllocaInst* owner = owner_of(pointer)) owners.push_back(owner);
  };
  if (!instruction.mayWriteToMemory() || is_marker(instruction)) return owners;
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    add(store->getPointerOperand());
  } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
    if (is_kmpc(*call)) return owners;
    Function* callee = call->getCalledFunction();
    effects inside;
    inside.unknown = callee == nullptr;
    if (callee != nullptr && !callee->isIntrinsic()) inside = known.of(*callee);
    const auto* fill = dyn_cast<MemIntrinsic>(call);
    for (const Use& argument : call->args()) {
      const unsigned number = call->getArgOperandNo(&argument);
      const bool is_written = inside.unknown || (number < 64 && (inside.written_arguments >> number & 1) != 0) ||
                              (fill != nullptr && &argument == &fill->getRawDestUse());
      if (is_written) add(argument);
    }
  } else {
    for (const Value* operand : instruction.operands()) add(operand);
  }
  return owners;
}

}  // namespace

epilogue::epilogue(const region& found) : found_(found), behind_(blocks_behind(*found.fini->getParent())) {
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  find_written(inside);
  follow();
}

bool epilogue::is_behind(const Instruction& instruction) const {
  const BasicBlock* block = instruction.getParent();
  return behind_.contains(block) || (block == found_.fini->getParent() && found_.fini->comesBefore(&instruction));
}

void epilogue::find_written(const SmallPtrSetImpl<BasicBlock*>& inside) {
  effects_of_functions known;
  for (Instruction& instruction : instructions(*found_.outlined)) {
    if (!is_of_iterations(found_, inside, instruction)) continue;
    for (const AllocaInst* owner : written_by(instruction, known)) own_.insert(owner);
  }
  for (const AllocaInst* bound : {found_.last, found_.lower, found_.upper, found_.stride}) own_.erase(bound);
}

bool epilogue::is_left_by_iterations(const Value* value) const {
  if (values_.contains(value)) return true;
  const AllocaInst* owner = owner_of(value);
  return owner != nullptr && own_.contains(owner);
}

/// Whatever is made of these values, and the variables that have it then.
void epilogue::follow() {
  effects_of_functions known;
  for (bool again = true; again;) {
    again = false;
    for (Instruction& instruction : instructions(*found_.outlined)) {
      if (!is_behind(instruction) || is_marker(instruction) || values_.contains(&instruction)) continue;
      if (none_of(instruction.operands(), [&](const Value* operand) { return is_left_by_iterations(operand); }))
        continue;
      values_.insert(&instruction);
      for (const AllocaInst* owner : written_by(instruction, known)) own_.insert(owner);
      again = true;
    }
  }
}

/// Whether `choice` decides about `block`: code goes on to it from there, or to the end without it.
bool epilogue::may_be_passed_by(const BasicBlock& choice, const BasicBlock& block) const {
  bool reaches = false;
  bool ends = false;
  SmallPtrSet<const BasicBlock*, 32> seen;
  SmallVector<const BasicBlock*> open{&choice};
  while (!open.empty()) {
    const Instruction* end = open.pop_back_val()->getTerminator();
    ends |= isa<ReturnInst>(end);
    for (const BasicBlock* next : successors(end->getParent())) {
      reaches |= next == &block;
      // An exception ends the program.
      if (next != &block && !next->isLandingPad() && seen.insert(next).second) open.push_back(next);
    }
  }
  return reaches && ends;
}

bool epilogue::uses_own(const Instruction& instruction) const {
  if (!is_behind(instruction)) return false;
  if (values_.contains(&instruction)) return true;
  return any_of(*found_.outlined, [&](const BasicBlock& block) {
    const Instruction* choice = block.getTerminator();
    return choice->getNumSuccessors() > 1 && !isa<InvokeInst>(choice) && values_.contains(choice) &&
           may_be_passed_by(block, *instruction.getParent());
  });
}

namespace {

/// Whether the memory behind an address is touched by loads and stores that are all fine, and nobody gets the address.
bool is_touched_by(const Value& pointer, function_ref<bool(const Instruction&)> is_fine) {
  return all_of(pointer.uses(), [&](const Use& use) {
    const User* user = use.getUser();
    if (is_marker(*user)) return true;
    if (isa<GetElementPtrInst>(user)) return is_touched_by(*user, is_fine);
    if (getLoadStorePointerOperand(user) == &pointer) return is_fine(*cast<Instruction>(user));
    auto* spill = dyn_cast<StoreInst>(user);
    auto* slot = spill == nullptr ? nullptr : dyn_cast<AllocaInst>(spill->getPointerOperand());
    if (slot == nullptr || only_store(*const_cast<AllocaInst*>(slot)) != spill) return false;
    return all_of(slot->users(),
                  [&](const User* reader) { return !isa<LoadInst>(reader) || is_touched_by(*reader, is_fine); });
  });
}

/// Whether the region gets the variable's address once, as `operand`.
bool is_handed_over_once(const Value& pointer, const CallInst& fork, unsigned operand) {
  return all_of(pointer.uses(), [&](const Use& use) {
    const User* user = use.getUser();
    if (user == &fork) return use.getOperandNo() == operand;
    if (isa<GetElementPtrInst>(user)) return is_handed_over_once(*user, fork, ~0u);
    return isa<CallBase>(user) || getLoadStorePointerOperand(user) == &pointer;
  });
}

}  // namespace

bool is_seen_behind_barriers_only(const site& where, const region& found, ArrayRef<CallInst*> barriers,
                                  const DominatorTree& tree, const Value& pointer) {
  auto* argument = dyn_cast_or_null<Argument>(root_of(const_cast<Value*>(&pointer)));
  if (argument == nullptr || argument->getArgNo() < 2) return false;
  // Nobody else knows where it is.
  auto* variable = dyn_cast<AllocaInst>(where.fork->getArgOperand(argument->getArgNo() + 1));
  if (variable == nullptr || !uses_of(*variable).simple) return false;
  block_set once;
  collect_last(*found.last, tree, once);
  return is_handed_over_once(*variable, *where.fork, argument->getArgNo() + 1) &&
         is_touched_by(*argument, [&](const Instruction& access) {
           return !once.contains(const_cast<BasicBlock*>(access.getParent())) &&
                  all_of(barriers, [&](CallInst* barrier) { return tree.dominates(barrier, &access); });
         });
}

}  // namespace takt_plugin
