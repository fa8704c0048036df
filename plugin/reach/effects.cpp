// What code may do beyond its own variables, calls of functions in this file included.
#include "reach/effects.hpp"

#include "openmp/pointers.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace takt_plugin {

using namespace llvm;

bool is_silent(const IntrinsicInst& intrinsic) {
  if (is_counter(intrinsic)) return true;
  switch (intrinsic.getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::assume:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_value:
    case Intrinsic::dbg_label:
      return true;
    default:
      return intrinsic.doesNotAccessMemory() || intrinsic.onlyReadsMemory();
  }
}

bool is_allocation(const Function& function) {
  return StringSwitch<bool>(function.getName())
      .Cases("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", true)
      .StartsWith("_Znw", true)
      .StartsWith("_Zna", true)
      .Default(false);
}

bool gives_memory_back(const Function& function) {
  return StringSwitch<bool>(function.getName())
      .Case("free", true)
      .StartsWith("_Zdl", true)
      .StartsWith("_Zda", true)
      .Default(false);
}

namespace {

/// What is done with an exception is its thread's own.
bool is_about_exceptions(const Function& function) {
  return StringSwitch<bool>(function.getName())
      .Cases("__cxa_allocate_exception", "__cxa_free_exception", "__cxa_begin_catch", "__cxa_end_catch", true)
      .Default(false);
}

/// Whether a function that is not seen does no more than plain stores.
bool only_stores(const Function& function) {
  return is_allocation(function) || gives_memory_back(function) || is_about_exceptions(function);
}

/// What a thread has there outlives all regions.
bool is_thread_local(const Value& pointer) {
  const Value* at = pointer.stripInBoundsOffsets();
  auto* asked = dyn_cast<IntrinsicInst>(at);
  if (asked != nullptr && asked->getIntrinsicID() == Intrinsic::threadlocal_address) at = asked->getArgOperand(0);
  auto* variable = dyn_cast<GlobalVariable>(at);
  return variable != nullptr && variable->isThreadLocal();
}

/// An address as a number may go anywhere, but for a difference of two, and for how it is aligned.
bool is_only_compared(const Instruction& number) {
  return all_of(number.users(), [](const User* user) {
    auto* instruction = cast<Instruction>(user);
    if (isa<ICmpInst>(instruction) || instruction->getOpcode() == Instruction::Sub) return true;
    auto* mask = dyn_cast<ConstantInt>(instruction->getOperand(instruction->getNumOperands() - 1));
    return instruction->getOpcode() == Instruction::And && mask != nullptr && mask->getValue().ult(4096);
  });
}

/// Whether a stored pointer may be one that an argument is, or that a call returned.
bool may_keep(const StoreInst& store) {
  Value* value = const_cast<Value*>(store.getValueOperand());
  if (!value->getType()->isPointerTy()) return false;
  auto* own = dyn_cast<AllocaInst>(store.getPointerOperand());
  if (own != nullptr && only_store(*const_cast<AllocaInst*>(own)) == &store) return false;
  Value* root = root_of(value);
  return root == nullptr ? !isa<LoadInst>(value) && !isa<Constant>(value) : true;
}

}  // namespace

/// Whether all threads of the team would come to the same variable: a global one, one that the region has captured, or
/// one that a pointer in such a variable points to.
bool effects_of_functions::is_shared(Value* pointer) const {
  SmallPtrSet<Value*, 8> seen;
  while (team_ != nullptr && seen.insert(pointer).second) {
    if (auto* root = root_of(pointer)) {
      auto* argument = dyn_cast<Argument>(root);
      return argument != nullptr && argument->getParent() == team_;
    }
    pointer = pointer->stripPointerCasts();
    if (auto* variable = dyn_cast<GlobalVariable>(pointer)) return !variable->isThreadLocal();
    if (auto* element = dyn_cast<GEPOperator>(pointer)) {
      pointer = element->getPointerOperand();
    } else if (auto* load = dyn_cast<LoadInst>(pointer)) {
      auto* slot = dyn_cast<AllocaInst>(load->getPointerOperand());
      StoreInst* only = slot == nullptr ? nullptr : only_store(*slot);
      pointer = only == nullptr ? load->getPointerOperand() : only->getValueOperand();
    } else {
      return false;
    }
  }
  return false;
}

void effects_of_functions::write_to(Value* pointer, effects& to) const {
  if (is_shared(pointer)) {
    to.writes_shared = true;
    return;
  }
  Value* root = root_of(pointer);
  if (is_thread_local(*pointer)) {
    to.add_unseen();
  } else if (root == nullptr) {
    to.unknown = true;
  } else if (auto* argument = dyn_cast<Argument>(root)) {
    if (argument->getArgNo() < 64) {
      to.written_arguments |= 1ull << argument->getArgNo();
    } else {
      to.unknown = true;
    }
  }
}

effects effects_of_functions::of(Function& function) {
  auto known = known_.find(&function);
  if (known != known_.end()) return known->second;
  known_[&function] = effects{true, true, true};  // recursion: not known
  effects result;
  if (function.doesNotAccessMemory() || function.onlyReadsMemory()) {
    known_[&function] = result;
    return result;
  }
  if (function.isDeclaration() || function.isInterposable() || function.arg_size() > 64) {
    known_[&function].beyond_stores = !function.isDeclaration() || !only_stores(function);
    return known_[&function];
  }
  for (Instruction& instruction : instructions(function)) {
    add(instruction, result);
    if (result.beyond_stores) break;
  }
  known_[&function] = result;
  return result;
}

void effects_of_functions::add(Instruction& instruction, effects& to) {
  to.keeps_pointer |= isa<PtrToIntInst>(instruction) && !is_only_compared(instruction);
  if (!instruction.mayWriteToMemory()) return;
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    if (store->isVolatile() || store->isAtomic()) to.add_unseen();
    to.keeps_pointer |= may_keep(*store);
    write_to(store->getPointerOperand(), to);
  } else if (auto* transfer = dyn_cast<MemIntrinsic>(&instruction)) {
    if (transfer->isVolatile()) to.add_unseen();
    write_to(transfer->getDest(), to);
  } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    if (!is_silent(*intrinsic)) to.add_unseen();
  } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
    add_call(*call, to);
  } else if (auto* load = dyn_cast<LoadInst>(&instruction);
             load == nullptr || load->isVolatile() || isStrongerThanMonotonic(load->getOrdering())) {
    to.add_unseen();
  }
}

effects effects_of_functions::of(const region& loop) {
  effects all;
  for (BasicBlock& block : *loop.outlined) {
    if (loop.atomic_way.contains(&block)) continue;
    for (Instruction& instruction : block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      const bool is_replaced = call != nullptr && (call == loop.init || call == loop.fini || call == loop.next ||
                                                   call == loop.reduce || is_contained(loop.dropped, call));
      if (!is_replaced) add(instruction, all);
      if (all.unknown) return all;
    }
  }
  return all;
}

void effects_of_functions::add_call(CallBase& call, effects& to) {
  auto* callee = call.getCalledFunction();
  if (callee == nullptr) {
    to.add_unseen();
    return;
  }
  const effects inner = of(*callee);
  to.unknown |= inner.unknown;
  to.beyond_stores |= inner.beyond_stores && !call.doesNotReturn();
  to.keeps_pointer |= inner.keeps_pointer;
  to.writes_shared |= inner.writes_shared;
  for (unsigned a = 0; a < call.arg_size() && a < 64; ++a) {
    if ((inner.written_arguments >> a & 1) != 0) write_to(call.getArgOperand(a), to);
  }
}

bool makes_private_copy(const CallBase& call) {
  auto* callee = call.getCalledFunction();
  if (callee == nullptr || call.arg_empty() || !isa_and_nonnull<AllocaInst>(root_of(call.getArgOperand(0))))
    return false;
  ItaniumPartialDemangler name;
  return !name.partialDemangle(callee->getName().str().c_str()) && name.isCtorOrDtor();
}

}  // namespace takt_plugin
