// Whether the code around a loop has effects beyond the slice's own variables.
#include "loops/surroundings.hpp"

#include "loops/brevity.hpp"
#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "reach/effects.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

bool is_of_iterations(const region& found, const SmallPtrSetImpl<BasicBlock*>& inside, const Instruction& instruction) {
  const BasicBlock* block = instruction.getParent();
  if (!inside.contains(block)) return false;
  if (found.next == nullptr && block == found.init->getParent() && instruction.comesBefore(found.init)) return false;
  return block != found.fini->getParent() || instruction.comesBefore(found.fini);
}

namespace {

/// Whether an instruction beside the loop reads or writes an element of an array, other than to give it its first
/// value: Clang does that in a loop over the elements.
bool uses_elements(const Instruction& instruction, const reduction_part& part) {
  if (!part.copy->getAllocatedType()->isArrayTy() && part.length == nullptr) return false;
  Value* pointer = const_cast<Value*>(getLoadStorePointerOperand(&instruction));
  if (pointer == nullptr || root_of(pointer) != part.copy) return false;
  while (auto* element = dyn_cast<GEPOperator>(pointer)) pointer = element->getPointerOperand();
  return isa<LoadInst>(instruction) || !isa<PHINode>(pointer);
}

/// Whether a loop beginning with `block` goes over a variable's elements, as Clang makes and copies private arrays, and
/// these are few, or are reduced: how many copies of those there are is `src/omp`'s business.
bool goes_over_short_array(const BasicBlock& block, const region& found) {
  const DataLayout& layout = block.getModule()->getDataLayout();
  return any_of(block.phis(), [&](const PHINode& element) {
    return element.getType()->isPointerTy() && any_of(element.incoming_values(), [&](const Use& from) {
             auto* array = dyn_cast_or_null<AllocaInst>(root_of(from));
             if (array == nullptr) return false;
             if (is_contained(map_range(found.parts, [](const reduction_part& p) { return p.copy; }), array))
               return true;
             const std::optional<TypeSize> bytes = array->getAllocationSize(layout);
             return bytes.has_value() && bytes->getFixedValue() < k_small_fill;
           });
  });
}

/// What each who takes part in a pool does in front of its first claim. See "Prologues" in README.md beside this file.
class prologue {
 public:
  prologue(const region& found, const DominatorTree& tree) : known_(found.outlined) {
    for (BasicBlock& block : *found.outlined) {
      if (!block.isLandingPad()) continue;
      SmallVector<BasicBlock*> caught;
      tree.getDescendants(&block, caught);
      caught_.insert(caught.begin(), caught.end());
    }
    behind_.push_back(found.fini);
    for (auto* call : calls_in<CallInst>(instructions(*found.outlined))) {
      if (begins_critical(name_of(*call)) && !caught_.contains(call->getParent())) behind_.push_back(call);
    }
    for (const CallInst* call : behind_) {
      const block_set next = blocks_behind(*call->getParent());
      blocks_.insert(next.begin(), next.end());
    }
  }

  /// Whether all threads do it, in no order, and nobody but each of them can tell, or those do it who cannot make what
  /// is theirs.
  bool does_alike(Instruction& instruction) {
    const BasicBlock* block = instruction.getParent();
    const bool is_behind = blocks_.contains(block) || any_of(behind_, [&](const CallInst* call) {
                             return call->getParent() == block && call->comesBefore(&instruction);
                           });
    if (is_behind) return false;
    if (caught_.contains(block) || makes_object(instruction)) return true;
    effects all;
    known_.add(instruction, all);
    return !all.beyond_stores && !all.writes_shared && all.written_arguments == 0;
  }

 private:
  /// Code that is not seen, and gives the thread an object, which ends as a private variable does; and what puts that
  /// into the owner.
  static bool makes_object(const Instruction& instruction) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) return false;
    const Function* callee = call->getCalledFunction();
    if (callee != nullptr && callee->getName().starts_with("_ZNSt10unique_ptrI")) {
      return !call->arg_empty() && isa_and_nonnull<AllocaInst>(root_of(call->getArgOperand(0)));
    }
    return call->getType()->isPointerTy() && (callee == nullptr || (callee->isDeclaration() && !callee->isIntrinsic()));
  }

  effects_of_functions known_;
  SmallVector<const CallInst*> behind_;        ///< the loop's end, and locks, which put threads in an order
  SmallPtrSet<const BasicBlock*, 32> blocks_;  ///< what comes after these
  SmallPtrSet<const BasicBlock*, 16> caught_;  ///< what is done about an exception
};

}  // namespace

bool may_be_pooled(const region& found) {
  if (found.is_sized || (found.next != nullptr && found.fini == nullptr)) return false;
  // What a pool's slices leave is combined in any order, which OpenMP allows; a program's own operators are not tried.
  return none_of(found.parts, [](const reduction_part& part) { return part.variable == nullptr; });
}

bool is_dear_to_begin(const region& found) {
  if (!may_be_pooled(found)) return false;
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  const DominatorTree tree(*found.outlined);
  SmallPtrSet<BasicBlock*, 8> once;
  collect_last(*found.last, tree, once);
  if (found.reduce != nullptr) collect_combination(*found.reduce, tree, once);
  const auto is_once = [&](const BasicBlock& at) { return found.atomic_way.contains(&at) || once.contains(&at); };
  return !is_short(
      *found.outlined, false,
      [&](const BasicBlock& from, const BasicBlock& to) {
        return !inside.contains(&from) && !is_once(from) && !goes_over_short_array(to, found);
      },
      [&](const CallBase& call) {
        return !is_once(*call.getParent()) && !isa<UnreachableInst>(call.getParent()->getTerminator()) &&
               !is_of_iterations(found, inside, call) && !is_kmpc(call);
      });
}

bool is_pooled(const region& found) {
  return found.has_epilogue || !found.numbers.empty() || is_dear_to_begin(found);
}

refusal check_surroundings(const region& found, const DominatorTree& tree, const epilogue* behind) {
  if (found.next != nullptr && found.fini == nullptr) return reason::loop_shape;
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  SmallPtrSet<BasicBlock*, 8> once;
  collect_last(*found.last, tree, once);
  if (found.reduce != nullptr) collect_combination(*found.reduce, tree, once);
  effects_of_functions known;
  prologue before(found, tree);
  const bool may_do_alike = is_pooled(found);
  SmallPtrSet<AllocaInst*, 8> started;
  for (BasicBlock& block : *found.outlined) {
    if (found.atomic_way.contains(&block) || once.contains(&block)) continue;
    // Here the program ends.
    if (isa<UnreachableInst>(block.getTerminator())) continue;
    for (Instruction& instruction : block) {
      if (is_of_iterations(found, inside, instruction)) continue;
      // What a slice adds to its private result beside the loop is added as often as there are slices.
      if (std::any_of(found.parts.begin(), found.parts.end(), [&](const reduction_part& part) {
            return uses_elements(instruction, part) ||
                   (getLoadStorePointerOperand(&instruction) == part.copy && !started.insert(part.copy).second);
          })) {
        return reason::effects_beside;
      }
      auto* call = dyn_cast<CallBase>(&instruction);
      // A loop in place starts its result from the program's variable: nobody else may look at it.
      const bool may_look =
          call != nullptr ? !is_kmpc(*call) && !is_marker(*call) && !makes_private_copy(*call) : instruction.isAtomic();
      if (may_look && any_of(instruction.operands(), [&](Value* operand) {
            Value* root = operand->getType()->isPointerTy() ? root_of(operand) : nullptr;
            return root != nullptr && any_of(found.parts, [&](const reduction_part& part) {
                     return part.variable != nullptr && part.copy == root;
                   });
          })) {
        return reason::effects_beside;
      }
      // A region that each slice would start anew runs as often as there are slices.
      if (call != nullptr && name_of(*call) == kmpc::fork_call) return reason::effects_beside;
      if (call != nullptr && (is_kmpc(*call) || makes_private_copy(*call) || is_contained(found.numbers, call))) continue;
      effects all;
      known.add(instruction, all);
      if (!all.unknown && all.written_arguments == 0) continue;
      if (may_do_alike && before.does_alike(instruction)) continue;
      const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (may_do_alike && callee != nullptr && gives_memory_back(*callee)) continue;
      if (behind == nullptr || !behind->uses_own(instruction)) return reason::effects_beside;
    }
  }
  return {};
}

}  // namespace takt_plugin
