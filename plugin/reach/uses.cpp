#include "reach/uses.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IntrinsicInst.h>

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
        result_.stores.push_back(store);
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
    if (name_of(call) == kmpc::fork_call) {
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
             return call != nullptr && asks_to_combine(name_of(*call));
           });
  }

  const block_set& ignored_;
  uses result_;
  SmallPtrSet<Value*, 16> seen_;
};

}  // namespace

uses uses_of(Value& pointer, const block_set& ignored) { return use_walk(ignored).of(pointer); }

}  // namespace takt_plugin
