// Captured variables: Clang passes the address of each; a loop runs better with the value.
#include "reach/captures.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

class use_walk {
 public:
  explicit use_walk(const block_set& ignored) : ignored_(ignored) {}
  uses of(Value& pointer) {
    visit(pointer);
    return result_;
  }

 private:
  void touch(Type* type) {
    const bool scalar = type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
    if (!scalar || (result_.type != nullptr && result_.type != type)) result_.whole = false;
    result_.type = type;
  }

  void visit(Value& pointer) {
    if (!seen_.insert(&pointer).second) return;
    for (Use& use : pointer.uses()) {
      if (!result_.simple) return;
      visit_use(use, pointer);
    }
  }

  void visit_use(Use& use, Value& pointer) {
    User* user = use.getUser();
    if (auto* instruction = dyn_cast<Instruction>(user); instruction && ignored_.contains(instruction->getParent()))
      return;
    if (auto* load = dyn_cast<LoadInst>(user)) {
      result_.simple &= load->isSimple();
      touch(load->getType());
    } else if (auto* store = dyn_cast<StoreInst>(user)) {
      if (store->getPointerOperand() == &pointer && store->getValueOperand() != &pointer) {
        result_.simple &= store->isSimple();
        result_.written = true;
        touch(store->getValueOperand()->getType());
      } else {
        visit_spill(*store);
      }
    } else if (auto* call = dyn_cast<CallBase>(user)) {
      visit_call(*call, use);
    } else if (isa<GetElementPtrInst>(user) || isa<PHINode>(user)) {
      result_.whole = false;
      visit(*user);
    } else if (!isa<ICmpInst>(user)) {
      result_.simple = false;
    }
  }

  /// The slot in which Clang keeps an argument, or the list of what is combined when all iterations have been run.
  void visit_spill(StoreInst& spill) {
    if (is_list_of_reductions(*spill.getPointerOperand())) return;
    auto* slot = dyn_cast<AllocaInst>(spill.getPointerOperand());
    if (slot == nullptr || only_store(*slot) != &spill) {
      result_.simple = false;
      return;
    }
    for (User* user : slot->users()) {
      if (auto* load = dyn_cast<LoadInst>(user)) visit(*load);
    }
  }

  void visit_call(CallBase& call, Use& use) {
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
        intrinsic != nullptr && (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic))) {
      return;
    }
    if (auto* memory = dyn_cast<MemIntrinsic>(&call); memory != nullptr) {
      result_.simple &= !memory->isVolatile();
      result_.whole = false;
      result_.written |= &use == &memory->getRawDestUse();
      return;
    }
    if (!call.isArgOperand(&use)) {
      result_.simple = false;
      return;
    }
    const unsigned operand = call.getArgOperandNo(&use);
    Function* callee = nullptr;
    unsigned parameter = 0;
    if (name_of(call) == "__kmpc_fork_call") {
      callee = dyn_cast<Function>(call.getArgOperand(2)->stripPointerCasts());
      // Parameters 0 and 1 are the thread's numbers.
      parameter = operand - 1;
      if (operand < 3) callee = nullptr;
    } else {
      callee = call.getCalledFunction();
      parameter = operand;
    }
    if (callee == nullptr || !callee->hasLocalLinkage() || callee->isDeclaration() || callee->isVarArg() ||
        parameter >= callee->arg_size()) {
      result_.simple = false;
      return;
    }
    visit(*callee->getArg(parameter));
  }

  static bool is_list_of_reductions(Value& pointer) {
    Value* list = pointer.stripInBoundsConstantOffsets();
    return isa<AllocaInst>(list) && std::any_of(list->user_begin(), list->user_end(), [](const User* user) {
             auto* call = dyn_cast<CallBase>(user);
             return call != nullptr && name_of(*call).starts_with("__kmpc_reduce");
           });
  }

  const block_set& ignored_;
  uses result_;
  SmallPtrSet<Value*, 16> seen_;
};

/// Whether `pointer` is the address of the variable itself, looking through the slots in which Clang keeps arguments.
bool is_address_of(const Value* pointer, const AllocaInst& variable) {
  for (int depth = 0; depth < 16; ++depth) {
    pointer = pointer->stripPointerCasts();
    if (pointer == &variable) return true;
    auto* load = dyn_cast<LoadInst>(pointer);
    auto* slot = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
    const StoreInst* only = slot == nullptr ? nullptr : only_store(const_cast<AllocaInst&>(*slot));
    if (only == nullptr) return false;
    pointer = only->getValueOperand();
  }
  return false;
}

/// Whether nobody but the code that `use_walk` sees knows the address of the variable behind `pointer`.
/// `written_around`: whether a loop around this one writes it, so that other slices of that loop may do so meanwhile.
bool is_unshared(Value& pointer, const block_set& ignored, bool& written_around, int depth) {
  if (depth > 16) return false;
  Value* root = root_of(&pointer);
  if (root == nullptr) return false;
  if (auto* variable = dyn_cast<AllocaInst>(root)) {
    return is_address_of(&pointer, *variable) && use_walk(ignored).of(*variable).simple;
  }
  auto* argument = cast<Argument>(root);
  Function* function = argument->getParent();
  // Only what an outlined function gets can be followed to where it comes from.
  if (!function->hasLocalLinkage() || function->use_empty()) return false;
  written_around |= use_walk(ignored).of(*argument).written;
  for (User* user : function->users()) {
    auto* call = dyn_cast<CallBase>(user);
    if (call == nullptr) return false;
    unsigned operand = argument->getArgNo();
    if (call->getCalledOperand() != function) {
      if (name_of(*call) != "__kmpc_fork_call" || operand < 2) return false;
      ++operand;
    }
    if (operand >= call->arg_size() || !is_unshared(*call->getArgOperand(operand), ignored, written_around, depth + 1))
      return false;
  }
  return true;
}

}  // namespace

bool is_small(const AllocaInst& variable) {
  constexpr std::uint64_t k_most_bytes = 256;
  const auto bytes = variable.getAllocationSize(variable.getModule()->getDataLayout());
  return bytes && !bytes->isScalable() && bytes->getFixedValue() <= k_most_bytes && !variable.isArrayAllocation();
}

uses uses_of(Value& pointer) {
  const block_set none;
  return use_walk(none).of(pointer);
}

std::vector<captured> classify_captures(const site& where, const block_set& ignored) {
  std::vector<captured> all(where.outlined->arg_size());
  for (unsigned p = 2; p < all.size(); ++p) {
    Argument& parameter = *where.outlined->getArg(p);
    if (!parameter.getType()->isPointerTy() || !parameter.hasNonNullAttr()) continue;
    const uses inside = use_walk(ignored).of(parameter);
    if (!inside.simple || inside.type == nullptr) continue;
    Value* given = where.fork->getArgOperand(p + 1);
    bool written_around = false;
    if (!is_unshared(*given, ignored, written_around, 0) || written_around) continue;
    // A copy of what other slices of a loop around this one see as well would hide what they write.
    auto* variable = dyn_cast<AllocaInst>(root_of(given));
    if ((inside.written || !inside.whole) && variable == nullptr) continue;
    if (inside.whole && !inside.written) {
      all[p] = {capture::value, inside.type, {}};
    } else if (inside.whole || is_small(*variable)) {
      Type* type = inside.whole ? inside.type : variable->getAllocatedType();
      const DataLayout& layout = variable->getModule()->getDataLayout();
      const bool fits = variable->getAlign() <= layout.getABITypeAlign(type);
      all[p] = {fits ? capture::in_record : capture::copied, type, variable->getAlign()};
    }
  }
  return all;
}

}  // namespace takt_plugin
