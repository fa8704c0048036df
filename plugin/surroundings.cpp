// Whether the code around a loop has effects beyond the slice's own variables.
#include "surroundings.hpp"

#include "effects.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

/// The blocks that combine a private result into the program's variable.
void collect_combination(const region& found, const DominatorTree& tree, SmallPtrSetImpl<BasicBlock*>& once) {
  if (found.reduce == nullptr) return;
  for (User* user : found.reduce->users()) {
    auto* choice = dyn_cast<SwitchInst>(user);
    if (choice == nullptr) continue;
    for (auto& way : choice->cases()) {
      if (way.getCaseSuccessor()->getSinglePredecessor() == nullptr) continue;
      SmallVector<BasicBlock*> blocks;
      tree.getDescendants(way.getCaseSuccessor(), blocks);
      once.insert(blocks.begin(), blocks.end());
    }
  }
}

/// Whether an instruction beside the loop reads or writes an element of an array, other than to give it its first
/// value: Clang does that in a loop over the elements.
bool uses_elements(const Instruction& instruction, const reduction_part& part) {
  if (!part.copy->getAllocatedType()->isArrayTy() && part.length == nullptr) return false;
  Value* pointer = const_cast<Value*>(getLoadStorePointerOperand(&instruction));
  if (pointer == nullptr || root_of(pointer) != part.copy) return false;
  while (auto* element = dyn_cast<GEPOperator>(pointer)) pointer = element->getPointerOperand();
  return isa<LoadInst>(instruction) || !isa<PHINode>(pointer);
}

}  // namespace

bool makes_private_copy(const CallBase& call) {
  auto* callee = call.getCalledFunction();
  if (callee == nullptr || call.arg_empty() || !isa_and_nonnull<AllocaInst>(root_of(call.getArgOperand(0))))
    return false;
  ItaniumPartialDemangler name;
  return !name.partialDemangle(callee->getName().str().c_str()) && name.isCtorOrDtor();
}

void collect_last(AllocaInst& last, const DominatorTree& tree, SmallPtrSetImpl<BasicBlock*>& once) {
  for (User* user : last.users()) {
    if (!isa<LoadInst>(user)) continue;
    for (User* test : user->users()) {
      auto* compare = dyn_cast<ICmpInst>(test);
      if (compare == nullptr || compare->getPredicate() != CmpInst::ICMP_NE) continue;
      for (User* choice : compare->users()) {
        auto* branch = dyn_cast<BranchInst>(choice);
        if (branch == nullptr || !branch->isConditional()) continue;
        BasicBlock* taken = branch->getSuccessor(0);
        if (taken->getSinglePredecessor() == nullptr) continue;
        SmallVector<BasicBlock*> blocks;
        tree.getDescendants(taken, blocks);
        once.insert(blocks.begin(), blocks.end());
      }
    }
  }
}

void collect_iterations(const region& found, SmallPtrSetImpl<BasicBlock*>& inside) {
  SmallVector<BasicBlock*> open;
  const auto visit = [&](BasicBlock* block) {
    if (inside.insert(block).second) open.push_back(block);
  };
  BasicBlock* const end = found.next != nullptr ? found.next->getParent() : found.fini->getParent();
  if (found.next != nullptr) {
    // The block that asks for the next chunk comes with each chunk and has no code of the program's.
    inside.insert(end);
    for (BasicBlock* successor : successors(end)) {
      if (found.fini == nullptr || successor != found.fini->getParent()) visit(successor);
    }
  } else {
    inside.insert(end);
    visit(found.init->getParent());
  }
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (block == end || (found.next != nullptr && found.fini != nullptr && block == found.fini->getParent())) continue;
    for (BasicBlock* successor : successors(block)) visit(successor);
  }
}

std::string check_surroundings(const region& found, const DominatorTree& tree) {
  if (found.next != nullptr && found.fini == nullptr) return "its loop has a shape that is not known";
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  SmallPtrSet<BasicBlock*, 8> once;
  collect_last(*found.last, tree, once);
  collect_combination(found, tree, once);
  effects_of_functions known;
  effects all;
  SmallPtrSet<AllocaInst*, 8> started;
  for (BasicBlock& block : *found.outlined) {
    if (found.atomic_way.contains(&block) || once.contains(&block)) continue;
    // Here the program ends.
    if (isa<UnreachableInst>(block.getTerminator())) continue;
    for (Instruction& instruction : block) {
      const bool between =
          inside.contains(&block) &&
          !(found.next == nullptr && &block == found.init->getParent() && instruction.comesBefore(found.init)) &&
          !(&block == found.fini->getParent() && !instruction.comesBefore(found.fini));
      if (between) continue;
      // What a slice adds to its private result beside the loop is added as often as there are slices.
      if (std::any_of(found.parts.begin(), found.parts.end(), [&](const reduction_part& part) {
            return uses_elements(instruction, part) ||
                   (getLoadStorePointerOperand(&instruction) == part.copy && !started.insert(part.copy).second);
          })) {
        return k_effects_beside;
      }
      auto* call = dyn_cast<CallBase>(&instruction);
      // A region that each slice would start anew runs as often as there are slices.
      if (call != nullptr && name_of(*call) == "__kmpc_fork_call") return k_effects_beside;
      if (call != nullptr && (is_kmpc(*call) || makes_private_copy(*call))) continue;
      known.add(instruction, all);
      if (all.unknown || all.written_arguments != 0) return k_effects_beside;
    }
  }
  return {};
}

}  // namespace takt_plugin
