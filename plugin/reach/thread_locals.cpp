// See "What a body must not see" in README.md beside this file.
#include "reach/thread_locals.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <map>

namespace takt_plugin {

using namespace llvm;

const GlobalVariable* thread_local_at(const Instruction& instruction) {
  auto* asked = dyn_cast<IntrinsicInst>(&instruction);
  if (asked == nullptr || asked->getIntrinsicID() != Intrinsic::threadlocal_address) return nullptr;
  return dyn_cast<GlobalVariable>(asked->getArgOperand(0));
}

namespace {

/// Whether other files cannot name the variable: it is this file's, or that of an inline function.
bool is_named_here_only(const GlobalVariable& variable) {
  return variable.hasLocalLinkage() || (variable.hasLinkOnceODRLinkage() && variable.getName().starts_with("_ZZ"));
}

/// The first instruction that has the address at hand.
const Instruction* behind(const Instruction& giving) {
  auto* invoke = dyn_cast<InvokeInst>(&giving);
  if (invoke == nullptr) return giving.getNextNode();
  const BasicBlock* next = invoke->getNormalDest();
  return next->getSinglePredecessor() == nullptr ? nullptr : &next->front();
}

/// Whether a pointer is only loaded from, before anything is called from `from` on.
bool is_loaded_from(const Value& pointer, const Instruction& from, bool may_return) {
  return all_of(pointer.users(), [&](const User* user) {
    if (isa<GetElementPtrInst>(user)) return is_loaded_from(*user, from, false);
    if (is_marker(*user)) return true;
    if (!(isa<LoadInst>(user) || (may_return && isa<ReturnInst>(user)))) return false;
    auto* use = cast<Instruction>(user);
    if (use->getParent() != from.getParent() || use->comesBefore(&from)) return false;
    for (const Instruction* at = &from; at != use; at = at->getNextNode()) {
      if (isa<CallBase>(at) && !isa<IntrinsicInst>(at)) return false;
    }
    return true;
  });
}

}  // namespace

const GlobalVariable* thread_locals::given_by_function(const Function& function) {
  auto [known, is_new] = givers_.try_emplace(&function, nullptr);
  if (!is_new) return known->second;
  // Another file could have the address of what a function gives that is only here.
  if (function.isDeclaration() || !(function.hasLocalLinkage() || function.hasLinkOnceODRLinkage())) return nullptr;
  const GlobalVariable* given = nullptr;
  for (const BasicBlock& block : function) {
    auto* end = dyn_cast<ReturnInst>(block.getTerminator());
    if (end == nullptr) continue;
    auto* value = dyn_cast_or_null<Instruction>(end->getReturnValue());
    const GlobalVariable* variable = value == nullptr ? nullptr : thread_local_at(*value);
    if (variable == nullptr || (given != nullptr && given != variable)) return nullptr;
    given = variable;
  }
  return givers_[&function] = given;
}

const GlobalVariable* thread_locals::given_by(const Instruction& instruction) {
  if (auto* variable = thread_local_at(instruction)) return variable;
  auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? nullptr : given_by_function(*callee);
}

bool thread_locals::is_only_read(const Instruction& giving) {
  const Instruction* from = behind(giving);
  return from != nullptr && is_loaded_from(giving, *from, given_by_function(*giving.getFunction()) != nullptr);
}

bool thread_locals::is_harmless(const Instruction& giving) {
  const GlobalVariable* variable = given_by(giving);
  if (variable == nullptr || !is_named_here_only(*variable) || !is_only_read(giving)) return false;
  if (!is_known_) find_changed();
  return !changed_.contains(variable);
}

/// By functions that others may call, or whose address somebody has: the outlined ones, among others.
void thread_locals::find_changed() {
  is_known_ = true;
  SmallPtrSet<Function*, 32> seen;
  SmallVector<Function*> open;
  const auto add = [&](Function& function) {
    if (!function.isDeclaration() && seen.insert(&function).second) open.push_back(&function);
  };
  for (Function& function : module_) {
    const bool is_callable =
        !function.hasLocalLinkage() && !function.hasLinkOnceODRLinkage() && function.getName() != "main";
    if (is_callable || function.hasAddressTaken()) add(function);
  }
  while (!open.empty()) {
    for (Instruction& instruction : instructions(*open.pop_back_val())) {
      if (auto* call = dyn_cast<CallBase>(&instruction)) {
        if (Function* callee = call->getCalledFunction()) add(*callee);
      }
      const GlobalVariable* variable = given_by(instruction);
      if (variable != nullptr && !is_only_read(instruction)) changed_.insert(variable);
      for (const Value* operand : instruction.operands()) {
        auto* named = dyn_cast<GlobalVariable>(operand->stripInBoundsConstantOffsets());
        if (named != nullptr && named->isThreadLocal() && thread_local_at(instruction) != named) changed_.insert(named);
      }
    }
  }
}

bool ask_each_time(Module& module) {
  thread_locals known(module);
  SmallVector<Instruction*> harmless;
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      if (thread_local_at(instruction) != nullptr && known.is_harmless(instruction)) harmless.push_back(&instruction);
    }
  }
  std::map<const GlobalVariable*, Function*> asked;
  for (Instruction* asks : harmless) {
    const GlobalVariable* variable = thread_local_at(*asks);
    Function*& ask = asked[variable];
    if (ask == nullptr) {
      ask = Function::Create(FunctionType::get(asks->getType(), false), GlobalValue::InternalLinkage,
                             "takt.at." + variable->getName(), module);
      // Otherwise LLVM would see that it always gives the same address to a thread, and take that for all.
      ask->addFnAttr(Attribute::NoInline);
      ask->addFnAttr(Attribute::OptimizeNone);
      ask->setDoesNotThrow();
      IRBuilder<> b(BasicBlock::Create(module.getContext(), "", ask));
      Instruction* at = b.Insert(asks->clone());
      at->setDebugLoc(DebugLoc());
      b.CreateRet(at);
    }
    IRBuilder<> b(asks);
    CallInst* call = b.CreateCall(ask);
    call->setDoesNotThrow();
    asks->replaceAllUsesWith(call);
    asks->eraseFromParent();
  }
  return !harmless.empty();
}

}  // namespace takt_plugin
