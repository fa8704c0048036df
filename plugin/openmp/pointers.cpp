#include "openmp/pointers.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace takt_plugin {

using namespace llvm;

bool is_lifetime(const User& user) {
  auto* intrinsic = dyn_cast<IntrinsicInst>(&user);
  return intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd();
}

bool is_counter(const IntrinsicInst& intrinsic) {
  return intrinsic.getCalledFunction()->getName().starts_with("llvm.instrprof.");
}

bool is_marker(const User& user) {
  auto* intrinsic = dyn_cast<IntrinsicInst>(&user);
  return intrinsic != nullptr &&
         (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic) || is_counter(*intrinsic));
}

StoreInst* only_store(AllocaInst& slot) {
  StoreInst* only = nullptr;
  for (User* user : slot.users()) {
    if (auto* store = dyn_cast<StoreInst>(user); store != nullptr && store->getPointerOperand() == &slot) {
      if (only != nullptr || store->getValueOperand() == &slot) return nullptr;
      only = store;
    } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(user); intrinsic != nullptr) {
      if (!intrinsic->isLifetimeStartOrEnd() && !isa<DbgInfoIntrinsic>(intrinsic)) return nullptr;
    } else if (!isa<LoadInst>(user)) {
      return nullptr;
    }
  }
  return only;
}

namespace {

Value* find_root(Value* pointer, SmallPtrSetImpl<Value*>& seen) {
  while (seen.insert(pointer).second) {
    pointer = pointer->stripPointerCasts();
    if (isa<AllocaInst>(pointer) || isa<Argument>(pointer)) return pointer;
    if (auto* element = dyn_cast<GEPOperator>(pointer)) {
      pointer = element->getPointerOperand();
    } else if (auto* merge = dyn_cast<PHINode>(pointer)) {
      // A pointer that walks over an array. An operand that leads back here adds nothing.
      Value* root = nullptr;
      for (Value* operand : merge->incoming_values()) {
        auto* step = dyn_cast<GEPOperator>(operand);
        if (step != nullptr && step->getPointerOperand() == merge) continue;
        SmallPtrSet<Value*, 8> so_far(seen.begin(), seen.end());
        Value* one = find_root(operand, so_far);
        if (one == nullptr || (root != nullptr && root != one)) return nullptr;
        root = one;
      }
      return root;
    } else {
      auto* load = dyn_cast<LoadInst>(pointer);
      auto* slot = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
      StoreInst* only = slot == nullptr ? nullptr : only_store(*slot);
      if (only == nullptr) return nullptr;
      pointer = only->getValueOperand();
    }
  }
  return nullptr;
}

}  // namespace

Value* root_of(Value* pointer) {
  SmallPtrSet<Value*, 8> seen;
  return find_root(pointer, seen);
}

}  // namespace takt_plugin
