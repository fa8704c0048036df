// Captured variables: Clang passes the address of each; a loop runs better with the value.
#include "captures.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

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
    if (!scalar || (result_.type != nullptr && result_.type != type)) result_.simple = false;
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
    } else {
      result_.simple = false;
    }
  }

  /// The slot in which Clang keeps an argument.
  void visit_spill(StoreInst& spill) {
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

  const block_set& ignored_;
  uses result_;
  SmallPtrSet<Value*, 16> seen_;
};

/// Whether nobody but the code that `use_walk` sees knows the address of the variable behind `pointer`.
/// `written_around`: whether a loop around this one writes it, so that other slices of that loop may do so meanwhile.
bool is_unshared(Value& pointer, const block_set& ignored, bool& written_around, int depth) {
  if (depth > 16) return false;
  Value* root = root_of(&pointer);
  if (root == nullptr) return false;
  if (auto* variable = dyn_cast<AllocaInst>(root)) {
    return variable == pointer.stripPointerCasts() || isa<LoadInst>(&pointer) ? use_walk(ignored).of(*variable).simple
                                                                              : false;
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
    if (inside.written && !isa<AllocaInst>(root_of(given))) continue;
    all[p] = {inside.written ? capture::copied : capture::value, inside.type};
  }
  return all;
}

}  // namespace takt_plugin
