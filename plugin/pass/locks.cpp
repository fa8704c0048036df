#include "pass/locks.hpp"

#include "openmp/calls.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <map>

namespace takt_plugin {

using namespace llvm;

void use_locks_of_this_thread(Module& module, const std::set<Function*>& functions) {
  LLVMContext& context = module.getContext();
  FunctionCallee number;
  const bool is_watched = std::any_of(functions.begin(), functions.end(), [](const Function* function) {
    return function->hasFnAttribute(Attribute::SanitizeThread);
  });
  const auto wrap = [&](Function& callee) {
    // (loc, number, lock...) without the number.
    SmallVector<Type*> types(callee.getFunctionType()->params());
    types.erase(types.begin() + 1);
    auto* wrapper = Function::Create(FunctionType::get(callee.getReturnType(), types, false),
                                     GlobalValue::InternalLinkage, "takt." + callee.getName().substr(7), module);
    // Inlined, the number could be taken from before the last join.
    wrapper->addFnAttr(Attribute::NoInline);
    wrapper->setDoesNotThrow();
    IRBuilder<> b(BasicBlock::Create(context, "", wrapper));
    number = module.getOrInsertFunction(kmpc::global_thread_num,
                                        FunctionType::get(b.getInt32Ty(), {b.getPtrTy()}, false));
    SmallVector<Value*> arguments{wrapper->getArg(0), b.CreateCall(number, {wrapper->getArg(0)})};
    for (unsigned a = 1; a < wrapper->arg_size(); ++a) arguments.push_back(wrapper->getArg(a));
    // ThreadSanitizer does not see what the OpenMP runtime does.
    const auto tell = [&](StringRef what) {
      if (is_watched) b.CreateCall(module.getOrInsertFunction(what, b.getVoidTy(), b.getPtrTy()), {arguments[2]});
    };
    const bool ends = callee.getName().contains("_end_");
    if (ends) tell("__tsan_release");
    b.CreateCall(&callee, arguments);
    if (!ends) tell("__tsan_acquire");
    b.CreateRetVoid();
    return wrapper;
  };
  std::map<Function*, Function*> wrappers;
  for (Function* function : functions) {
    for (Instruction& instruction : make_early_inc_range(instructions(*function))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr || !is_lock_or_fence(name_of(*call)) || is(name_of(*call), trait::flushes)) continue;
      Function* callee = call->getCalledFunction();
      if (callee == nullptr) continue;
      Function*& wrapper = wrappers[callee];
      if (wrapper == nullptr) wrapper = wrap(*callee);
      SmallVector<Value*> arguments(call->args());
      arguments.erase(arguments.begin() + 1);
      IRBuilder<> b(call);
      b.CreateCall(wrapper, arguments)->setDoesNotThrow();
      call->eraseFromParent();
    }
  }
}

bool tell_of_locks(Module& module) {
  bool any = false;
  for (StringRef name : {omp::set_lock, omp::set_nest_lock, omp::unset_lock, omp::unset_nest_lock,
                           omp::test_lock, omp::test_nest_lock}) {
    Function* const callee = module.getFunction(name);
    if (callee == nullptr || !callee->isDeclaration() || callee->arg_size() != 1) continue;
    SmallVector<CallBase*> calls;
    for (User* user : callee->users()) {
      auto* call = dyn_cast<CallBase>(user);
      if (call != nullptr && call->getCalledFunction() == callee &&
          call->getFunction()->hasFnAttribute(Attribute::SanitizeThread)) {
        calls.push_back(call);
      }
    }
    if (calls.empty()) continue;
    auto* told =
        Function::Create(callee->getFunctionType(), GlobalValue::InternalLinkage, "takt." + callee->getName(), module);
    IRBuilder<> b(BasicBlock::Create(module.getContext(), "", told));
    Value* const lock = told->getArg(0);
    const auto tell = [&](StringRef what) {
      b.CreateCall(module.getOrInsertFunction(what, b.getVoidTy(), b.getPtrTy()), {lock});
    };
    if (callee->getName().starts_with("omp_unset")) tell("__tsan_release");
    Value* const got = b.CreateCall(callee, {lock});
    if (got->getType()->isIntegerTy()) {
      BasicBlock* const held = BasicBlock::Create(module.getContext(), "held", told);
      BasicBlock* const end = BasicBlock::Create(module.getContext(), "end", told);
      b.CreateCondBr(b.CreateIsNotNull(got), held, end);
      b.SetInsertPoint(held);
      tell("__tsan_acquire");
      b.CreateBr(end);
      b.SetInsertPoint(end);
      b.CreateRet(got);
    } else {
      if (callee->getName().starts_with("omp_set")) tell("__tsan_acquire");
      b.CreateRetVoid();
    }
    for (CallBase* call : calls) call->setCalledFunction(told);
    any = true;
  }
  return any;
}

}  // namespace takt_plugin
