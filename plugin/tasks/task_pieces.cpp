// Cutting of pieces with tasks out of regions. See "Tasks" in README.md beside this file.
#include "tasks/task_pieces.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "openmp/region.hpp"
#include "tasks/task_reductions.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

/// @returns false when a way leads out of the function, or around to where it came from.
bool collect_blocks(BasicBlock& begin, BasicBlock& end, block_set& blocks) {
  BasicBlock* const before = begin.getSinglePredecessor();
  if (before == nullptr || &begin == &end || isa<PHINode>(begin.front()) || isa<PHINode>(end.front())) return false;
  SmallVector<BasicBlock*> open{&begin};
  blocks.insert(&begin);
  while (!open.empty()) {
    BasicBlock* at = open.pop_back_val();
    if (at == before || isa<ReturnInst>(at->getTerminator())) return false;
    for (BasicBlock* next : successors(at)) {
      if (next != &end && blocks.insert(next).second) open.push_back(next);
    }
  }
  return true;
}

/// Whether a variable is only loaded, stored and copied, each part of it by its name.
bool is_only_accessed(AllocaInst& variable, SmallVectorImpl<Instruction*>& reads, SmallPtrSetImpl<Instruction*>& writes,
                      SmallPtrSetImpl<Instruction*>& whole) {
  const DataLayout& layout = variable.getModule()->getDataLayout();
  SmallVector<Instruction*> open{&variable};
  while (!open.empty()) {
    Instruction* pointer = open.pop_back_val();
    for (User* user : pointer->users()) {
      if (is_marker(*user)) continue;
      auto* at = cast<Instruction>(user);
      if (auto* part = dyn_cast<GetElementPtrInst>(at)) {
        if (!part->hasAllConstantIndices()) return false;
        open.push_back(part);
      } else if (isa<LoadInst>(at)) {
        reads.push_back(at);
      } else if (auto* store = dyn_cast<StoreInst>(at)) {
        if (store->getValueOperand() == pointer) return false;
        writes.insert(store);
        const auto bytes = variable.getAllocationSize(layout);
        if (pointer == &variable && bytes == layout.getTypeStoreSize(store->getValueOperand()->getType())) {
          whole.insert(store);
        }
      } else if (auto* copy = dyn_cast<MemCpyInst>(at)) {
        if (copy->getRawSource() == copy->getRawDest()) return false;
        if (copy->getRawSource() == pointer) {
          reads.push_back(copy);
        } else {
          writes.insert(copy);
        }
      } else {
        return false;
      }
    }
  }
  return true;
}

/// Whether what a variable holds when a piece begins may be read there.
bool is_read_first(BasicBlock& begin, const block_set& blocks, ArrayRef<Instruction*> reads,
                   const SmallPtrSetImpl<Instruction*>& whole) {
  block_set seen;
  SmallVector<BasicBlock*> open{&begin};
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (!blocks.contains(block) || !seen.insert(block).second) continue;
    const bool is_set = [&] {
      for (Instruction& at : *block) {
        if (is_contained(reads, &at)) return false;
        if (whole.contains(&at)) return true;
      }
      return false;
    }();
    const bool is_read = !is_set && any_of(*block, [&](Instruction& at) { return is_contained(reads, &at); });
    if (is_read) return true;
    if (!is_set) append_range(open, successors(block));
  }
  return false;
}

}  // namespace

bool is_own(AllocaInst& variable, BasicBlock& begin, const block_set& blocks, const DominatorTree& tree) {
  const auto is_inside = [&](const User* user) { return blocks.contains(cast<Instruction>(user)->getParent()); };
  if (!variable.isStaticAlloca()) return false;
  if (!all_of(variable.users(), [&](const User* user) { return is_marker(*user) || is_inside(user); })) return false;
  const auto starts = [&](const User* user) {
    auto* marker = dyn_cast<IntrinsicInst>(user);
    return marker != nullptr && marker->getIntrinsicID() == Intrinsic::lifetime_start && is_inside(user);
  };
  if (any_of(variable.users(), starts)) return true;
  SmallVector<Instruction*> reads;
  SmallPtrSet<Instruction*, 8> writes, whole;
  if (!is_only_accessed(variable, reads, writes, whole)) return false;
  // What nobody has written is not worth keeping.
  const bool is_filled_first = all_of(writes, [&](Instruction* write) {
    return all_of(reads, [&](Instruction* read) { return tree.dominates(write, read); });
  });
  return is_filled_first || !is_read_first(begin, blocks, reads, whole);
}

namespace {

/// What the piece gets, and which variables go with it. @returns false when it hands on values.
bool find_given(BasicBlock& begin, const block_set& blocks, unsigned numbers, SetVector<Value*>& given,
                SetVector<AllocaInst*>& own) {
  const DominatorTree tree(*begin.getParent());
  // In the order of the function: a set of pointers has another one in each run.
  for (BasicBlock& block : *begin.getParent()) {
    if (!blocks.contains(&block)) continue;
    for (Instruction& instruction : block) {
      for (User* user : instruction.users()) {
        if (!blocks.contains(cast<Instruction>(user)->getParent())) return false;
      }
      if (is_marker(instruction)) continue;
      for (Value* value : instruction.operands()) {
        auto* argument = dyn_cast<Argument>(value);
        auto* before = dyn_cast<Instruction>(value);
        if (argument != nullptr && argument->getArgNo() >= numbers) given.insert(argument);
        if (before == nullptr || blocks.contains(before->getParent())) continue;
        auto* variable = dyn_cast<AllocaInst>(before);
        if (variable != nullptr &&
            (own.contains(variable) || (!given.contains(variable) && is_own(*variable, begin, blocks, tree)))) {
          own.insert(variable);
        } else {
          given.insert(before);
        }
      }
    }
  }
  return true;
}

}  // namespace

CallInst* cut_out(BasicBlock& begin, BasicBlock& end, const Twine& suffix, unsigned numbers,
                  SetVector<AllocaInst*> own) {
  Function& of = *begin.getParent();
  block_set blocks;
  SetVector<Value*> given;
  if (!collect_blocks(begin, end, blocks) || !find_given(begin, blocks, numbers, given, own)) return nullptr;
  SmallVector<Type*> types;
  for (Value* value : given) types.push_back(value->getType());
  IRBuilder<> b(of.getContext());
  Function* made = Function::Create(FunctionType::get(b.getVoidTy(), types, false), GlobalValue::InternalLinkage,
                                    of.getName() + suffix, of.getParent());
  BasicBlock* entry = BasicBlock::Create(of.getContext(), "", made);
  b.SetInsertPoint(entry);
  ValueToValueMapTy copies;
  for (Argument& argument : of.args()) copies[&argument] = PoisonValue::get(argument.getType());
  if (numbers != 0) {
    // Nobody looks at the numbers of the thread.
    AllocaInst* number = b.CreateAlloca(b.getInt32Ty());
    b.CreateStore(b.getInt32(0), number);
    for (unsigned n = 0; n < numbers; ++n) copies[of.getArg(n)] = number;
  }
  for (unsigned p = 0; p < given.size(); ++p) {
    if (isa<Argument>(given[p])) copies[given[p]] = made->getArg(p);
  }
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(made, &of, copies, CloneFunctionChangeType::LocalChangesOnly, returns);
  made->setLinkage(GlobalValue::InternalLinkage);
  // It has other parameters, and returns nothing.
  made->setAttributes(AttributeList::get(of.getContext(), made->getAttributes().getFnAttrs(), {}, {}));
  made->removeFnAttr(Attribute::AlwaysInline);
  made->removeFnAttr(Attribute::NoRecurse);
  if (!made->hasOptNone()) made->removeFnAttr(Attribute::NoInline);
  Instruction* jump = b.CreateBr(cast<BasicBlock>(copies[&begin]));
  for (AllocaInst* variable : own) cast<AllocaInst>(copies[variable])->moveBefore(jump);
  for (unsigned p = 0; p < given.size(); ++p) {
    if (isa<Instruction>(given[p])) cast<Instruction>(copies[given[p]])->replaceAllUsesWith(made->getArg(p));
  }
  BasicBlock* done = BasicBlock::Create(of.getContext(), "", made);
  ReturnInst::Create(of.getContext(), done);
  cast<BasicBlock>(copies[&end])->replaceAllUsesWith(done);
  EliminateUnreachableBlocks(*made);
  for (Instruction& instruction : make_early_inc_range(instructions(*made))) {
    if (is_lifetime(instruction) && !isa<AllocaInst>(instruction.getOperand(1))) instruction.eraseFromParent();
  }

  BasicBlock* there = BasicBlock::Create(of.getContext(), "", &of, &begin);
  b.SetInsertPoint(there);
  b.SetCurrentDebugLocation(begin.getTerminator()->getDebugLoc());
  CallInst* call = b.CreateCall(made, given.getArrayRef());
  call->setDoesNotThrow();
  b.CreateBr(&end);
  begin.getSinglePredecessor()->getTerminator()->replaceSuccessorWith(&begin, there);
  EliminateUnreachableBlocks(of);
  for (AllocaInst* variable : own) {
    for (User* user : make_early_inc_range(variable->users())) cast<Instruction>(user)->eraseFromParent();
    variable->eraseFromParent();
  }
  return call;
}

/// Where the counter of a loop goes on, in its last block: the load of it. With -g that block has an iteration's end,
/// too.
static Instruction* find_step(const Loop& loop) {
  for (Instruction& instruction : reverse(*loop.getLoopLatch())) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    auto* sum = store == nullptr ? nullptr : dyn_cast<BinaryOperator>(store->getValueOperand());
    auto* load = sum == nullptr ? nullptr : dyn_cast<LoadInst>(sum->getOperand(0));
    if (load == nullptr || load->getPointerOperand() != store->getPointerOperand()) continue;
    const bool is_counter = any_of(*loop.getHeader(), [&](const Instruction& tested) {
      return isa<LoadInst>(tested) && tested.getOperand(0) == load->getPointerOperand();
    });
    if (is_counter && load->getParent() == store->getParent()) return load;
  }
  return nullptr;
}

CallInst* cut_out_iteration(Function& loop, const task_code& code) {
  Value* upper = nullptr;
  for (auto* call : calls_in<CallInst>(instructions(loop))) {
    if (deals_statically(name_of(*call))) upper = call->getArgOperand(5);
    if (asks_for_chunk(name_of(*call))) upper = call->getArgOperand(4);
  }
  if (upper == nullptr) return nullptr;
  const DominatorTree tree(loop);
  const LoopInfo loops(tree);
  // With chunks there is a loop around it that looks at the bound, too.
  const Loop* found = nullptr;
  for (const Loop* one : loops.getLoopsInPreorder()) {
    const bool asks = std::any_of(one->getHeader()->begin(), one->getHeader()->end(), [&](const Instruction& i) {
      auto* load = dyn_cast<LoadInst>(&i);
      return load != nullptr && load->getPointerOperand() == upper;
    });
    if (asks && (found == nullptr || found->contains(one))) found = one;
  }
  auto* choice = found == nullptr ? nullptr : dyn_cast<BranchInst>(found->getHeader()->getTerminator());
  if (choice == nullptr || !choice->isConditional() || found->getLoopLatch() == nullptr) return nullptr;
  BasicBlock* begin = choice->getSuccessor(0);
  if (!found->contains(begin) || begin->getSinglePredecessor() == nullptr) return nullptr;
  Instruction* step = find_step(*found);
  if (step == nullptr || !move_group_to_iterations(loop, *begin, *step)) return nullptr;
  CallInst* call = cut_out(*begin, *SplitBlock(step->getParent(), step), ".iteration");
  if (call == nullptr) return nullptr;
  for (auto* other : calls_in(instructions(loop))) {
    if (other != call && code.may_make_tasks(*other)) return nullptr;
  }
  return call;
}

}  // namespace takt_plugin
