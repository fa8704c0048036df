// Where memory that is given back comes from, and where its address goes. See "Expensive beginnings, prologues" in README.md
// beside this file.
#include "loops/own_memory.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "reach/effects.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// Of one pointer: the allocations that it may be of, and all that is done with what they return.
class own_memory {
 public:
  bool is_of_allocations(const Value& pointer);
  bool is_kept_to_itself();

 private:
  bool is_variable_of_allocations(const AllocaInst& variable);
  bool returns_allocations(const Function& function);
  bool is_fine(const Use& use);
  bool is_fine(const CallBase& call, const Use& use);
  /// @returns true, for now.
  bool follow(const Value& pointer) {
    if (known_.insert(&pointer).second) open_.push_back(&pointer);
    return true;
  }

  SmallPtrSet<const Value*, 16> sources_;  ///< looked at, or being looked at: a way that leads back adds nothing
  SmallPtrSet<const Value*, 32> known_;    ///< pointers to that memory
  SmallVector<const Value*> open_;         ///< those whose uses are to be looked at
};

bool own_memory::is_of_allocations(const Value& pointer) {
  if (!sources_.insert(&pointer).second) return true;
  if (isa<ConstantPointerNull>(pointer) || isa<UndefValue>(pointer)) return true;
  // A number, as a mark that there is nothing yet.
  if (auto* made = dyn_cast<ConstantExpr>(&pointer)) {
    return made->getOpcode() == Instruction::IntToPtr && isa<ConstantInt>(made->getOperand(0));
  }
  if (auto* load = dyn_cast<LoadInst>(&pointer)) {
    auto* variable = dyn_cast<AllocaInst>(load->getPointerOperand());
    return variable != nullptr && is_variable_of_allocations(*variable) && follow(pointer);
  }
  if (isa<PHINode>(pointer) || isa<SelectInst>(pointer)) {
    // Of a choice, the condition is no pointer.
    return follow(pointer) && all_of(cast<Instruction>(pointer).operands(), [&](const Value* from) {
             return !from->getType()->isPointerTy() || is_of_allocations(*from);
           });
  }
  auto* call = dyn_cast<CallBase>(&pointer);
  const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr) return false;
  return follow(pointer) && (callee->isDeclaration() ? is_allocation(*callee) : returns_allocations(*callee));
}

bool own_memory::is_variable_of_allocations(const AllocaInst& variable) {
  if (!sources_.insert(&variable).second) return true;
  return all_of(variable.users(), [&](const User* user) {
    if (auto* store = dyn_cast<StoreInst>(user)) {
      return store->getPointerOperand() == &variable && is_of_allocations(*store->getValueOperand());
    }
    if (auto* load = dyn_cast<LoadInst>(user)) return follow(*load);
    return is_marker(*user);
  });
}

bool own_memory::returns_allocations(const Function& function) {
  if (function.isInterposable()) return false;
  return all_of(instructions(function), [&](const Instruction& instruction) {
    auto* end = dyn_cast<ReturnInst>(&instruction);
    return end == nullptr || is_of_allocations(*end->getReturnValue());
  });
}

bool own_memory::is_kept_to_itself() {
  while (!open_.empty()) {
    const Value* pointer = open_.pop_back_val();
    if (!all_of(pointer->uses(), [&](const Use& use) { return is_fine(use); })) return false;
  }
  return true;
}

bool own_memory::is_fine(const Use& use) {
  const User* user = use.getUser();
  if (isa<LoadInst>(user) || isa<ICmpInst>(user) || isa<ReturnInst>(user) || isa<IntrinsicInst>(user)) return true;
  if (isa<GetElementPtrInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user) || isa<AddrSpaceCastInst>(user)) {
    return follow(*user);
  }
  if (auto* store = dyn_cast<StoreInst>(user)) {
    if (use.getOperandNo() == store->getPointerOperandIndex()) return true;
    // Into a variable of which nobody has the address.
    auto* variable = dyn_cast<AllocaInst>(store->getPointerOperand());
    return variable != nullptr && all_of(variable->users(), [&](const User* of) {
             if (auto* load = dyn_cast<LoadInst>(of)) return follow(*load);
             auto* other = dyn_cast<StoreInst>(of);
             return other != nullptr ? other->getPointerOperand() == variable : is_marker(*of);
           });
  }
  auto* call = dyn_cast<CallBase>(user);
  return call != nullptr && is_fine(*call, use);
}

bool own_memory::is_fine(const CallBase& call, const Use& use) {
  if (is_kmpc(call) || !call.isArgOperand(&use)) return false;
  // What it returns may point there, too.
  if (call.getType()->isPointerTy()) follow(call);
  // Code that is not seen keeps no address of what is a thread's own: docs/openmp.md asks for that.
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || callee->isDeclaration()) return true;
  const unsigned number = call.getArgOperandNo(&use);
  return number < callee->arg_size() && follow(*callee->getArg(number));
}

}  // namespace

bool gives_back_own_memory(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || !gives_memory_back(*callee) || call.arg_empty()) return false;
  own_memory memory;
  return memory.is_of_allocations(*call.getArgOperand(0)) && memory.is_kept_to_itself();
}

}  // namespace takt_plugin
