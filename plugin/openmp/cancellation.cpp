// See "Cancellation" in README.md beside this file.
#include "openmp/cancellation.hpp"

#include "openmp/calls.hpp"
#include "openmp/region.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <takt/kmp.hpp>

namespace takt_plugin {

using namespace llvm;
using takt::kmp::cancelled;

namespace {

constexpr const char* k_lowered = "takt.cancels";

bool is_of_loop(const CallBase& call) { return cancels(call, cancelled::loop) || cancels(call, cancelled::sections); }

/// A loop over the iterations of a construct, or over its chunks, that may be left early.
struct left_early {
  block_set blocks;
  BasicBlock* end = nullptr;  ///< where it goes when all its iterations are done
};

/// The loop in which `ask` is. @returns false: it has a shape that is not known.
bool find_loop(const CallInst& ask, const LoopInfo& loops, const DominatorTree& tree, left_early& found) {
  const auto has = [](const BasicBlock& block, bool (*kind)(StringRef)) {
    return any_of(calls_in(block), [&](const CallBase* call) { return kind(name_of(*call)); });
  };
  const auto begins = [&](const BasicBlock* block) { return has(*block, starts_loop); };
  // What is around the construct begins it again and again.
  Loop* whole = loops.getLoopFor(ask.getParent());
  while (whole != nullptr && whole->getParentLoop() != nullptr && none_of(whole->getParentLoop()->blocks(), begins)) {
    whole = whole->getParentLoop();
  }
  if (whole == nullptr || any_of(whole->blocks(), begins)) return false;
  // All but one kind have a loop over chunks around that over iterations.
  const CallBase* init = nullptr;
  for (const BasicBlock* block = whole->getHeader(); init == nullptr;) {
    auto* node = tree.getNode(block)->getIDom();
    if (node == nullptr) return false;
    block = node->getBlock();
    for (const CallBase* call : calls_in(*block)) {
      if (starts_loop(name_of(*call))) init = call;
    }
  }
  auto* schedule = dyn_cast<ConstantInt>(init->getArgOperand(2));
  if (schedule == nullptr) return false;
  const std::uint64_t kind = schedule->getZExtValue() & ~takt::kmp::k_schedule_modifiers;
  const Loop* each = nullptr;
  if (deals_statically(name_of(*init)) && kind == takt::kmp::k_static) {
    each = whole;
  } else {
    for (const Loop* inner : *whole) {
      if (inner->contains(&ask)) each = inner;
    }
    if (each == nullptr) return false;
  }
  for (BasicBlock* block : whole->blocks()) {
    if (each->contains(block) && block != whole->getHeader()) continue;
    for (BasicBlock* to : successors(block)) {
      if (whole->contains(to)) continue;
      if (found.end != nullptr && found.end != to) return false;
      found.end = to;
    }
  }
  found.blocks.insert(whole->block_begin(), whole->block_end());
  return found.end != nullptr && found.end->phis().empty();
}

/// Whoever leaves an iteration for the end of the construct comes there as all others do.
void leave_by_end(const left_early& loop) {
  const auto goes_on = [](const BasicBlock& block) {
    block_set behind = blocks_behind(block);
    behind.insert(const_cast<BasicBlock*>(&block));
    return any_of(behind, [](BasicBlock* at) { return isa<ReturnInst>(at->getTerminator()); });
  };
  block_set behind = blocks_behind(*loop.end);
  behind.insert(loop.end);
  SmallVector<BasicBlock*> open(loop.blocks.begin(), loop.blocks.end());
  block_set seen;
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (!seen.insert(block).second) continue;
    Instruction* terminator = block->getTerminator();
    for (unsigned s = 0; s < terminator->getNumSuccessors(); ++s) {
      BasicBlock* to = terminator->getSuccessor(s);
      // Others end the program.
      if (to == loop.end || loop.blocks.contains(to) || !goes_on(*to)) continue;
      if (!behind.contains(to)) {
        // What only who cancels does: it destroys what the iteration has made, and ends the loop.
        for (Instruction& instruction : make_early_inc_range(*to)) {
          auto* call = dyn_cast<CallInst>(&instruction);
          if (call != nullptr && ends_loop(name_of(*call))) call->eraseFromParent();
        }
        open.push_back(to);
        continue;
      }
      to->removePredecessor(block);
      terminator->setSuccessor(s, loop.end);
    }
  }
}

/// Clang ends a static loop once more on the way of who cancels, behind the other end.
void drop_second_ends(BasicBlock& end) {
  const CallInst* first = nullptr;
  SmallVector<CallInst*> others;
  block_set seen;
  SmallVector<BasicBlock*> open{&end};
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (!seen.insert(block).second) continue;
    bool begins_another = false;
    for (CallInst* call : calls_in<CallInst>(*block)) {
      begins_another |= starts_loop(name_of(*call));
      if (begins_another || !ends_loop(name_of(*call))) continue;
      if (first == nullptr) first = call;
      if (first != call) others.push_back(call);
    }
    if (!begins_another) open.append(succ_begin(block), succ_end(block));
  }
  for (CallInst* other : others) other->eraseFromParent();
}

bool lower(Function& function) {
  SmallVector<CallInst*> asks;
  for (CallInst* call : calls_in<CallInst>(instructions(function))) {
    if (is_of_loop(*call)) asks.push_back(call);
  }
  for (CallInst* ask : asks) {
    const DominatorTree tree(function);
    const LoopInfo loops(tree);
    left_early found;
    if (!find_loop(*ask, loops, tree, found)) continue;
    leave_by_end(found);
    drop_second_ends(*found.end);
    ask->addFnAttr(Attribute::get(function.getContext(), k_lowered));
  }
  if (!asks.empty()) EliminateUnreachableBlocks(function);
  return !asks.empty();
}

}  // namespace

bool cancels(const CallBase& call, cancelled what) {
  const StringRef name = name_of(call);
  if (name != kmpc::cancel && name != kmpc::cancellationpoint) return false;
  auto* kind = dyn_cast<ConstantInt>(call.getArgOperand(2));
  return kind != nullptr && kind->getZExtValue() == static_cast<std::uint64_t>(what);
}

bool cancels_for_tasks(const CallBase& call) {
  return cancels(call, cancelled::taskgroup) || cancels(call, cancelled::region) ||
         name_of(call) == kmpc::cancel_barrier;
}

bool cancels_loop(const CallBase& call) { return call.getAttributes().hasFnAttr(k_lowered); }

/// Replaces a call by one of the runtime; `cancel`: null: nobody else cancels, or is to be told.
static void answer(CallInst& call, const char* cancel, const char* is_cancelled, ArrayRef<Value*> of) {
  IRBuilder<> b(&call);
  Type* flag = b.getInt32Ty();
  const auto ask = [&](StringRef name, ArrayRef<Value*> arguments) {
    SmallVector<Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    return b.CreateCall(call.getModule()->getOrInsertFunction(name, FunctionType::get(flag, types, false)), arguments);
  };
  Value* made = b.getInt32(0);
  if (name_of(call) == kmpc::cancel) {
    made = ask("omp_get_cancellation", {});
    SmallVector<Value*> arguments(of);
    arguments.push_back(made);
    if (cancel != nullptr) made = ask(cancel, arguments);
  } else if (is_cancelled != nullptr) {
    made = ask(is_cancelled, of);
  }
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

void lower_cancel(CallInst& call, Value* frame) {
  if (frame == nullptr) {
    answer(call, nullptr, nullptr, {});
  } else {
    answer(call, "takt_omp_cancel", "takt_omp_is_cancelled", frame);
  }
}

void lower_cancel_of_group(CallInst& call) {
  answer(call, "takt_omp_group_cancel", "takt_omp_group_is_cancelled", {});
}

bool cancels_groups(const Module& module) {
  const Function* cancel = module.getFunction(kmpc::cancel);
  return cancel != nullptr && any_of(cancel->users(), [](const User* user) {
           auto* call = dyn_cast<CallBase>(user);
           return call != nullptr && cancels(*call, cancelled::taskgroup);
         });
}

bool lower_cancellation(Module& module) {
  bool changed = false;
  for (Function& function : module) {
    if (!function.isDeclaration()) changed |= lower(function);
  }
  return changed;
}

}  // namespace takt_plugin
