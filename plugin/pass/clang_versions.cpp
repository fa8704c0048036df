// See clang_versions.hpp.
#include "pass/clang_versions.hpp"

#include "openmp/calls.hpp"
#include "openmp/region.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace takt_plugin {

using namespace llvm;

namespace {

// Clang has called this since version 19.
constexpr bool k_ends_are_called = LLVM_VERSION_MAJOR >= 19;

}  // namespace

void join_debug_wrappers(Module& module) {
  for (const site& s : find_sites(module)) {
    CallInst* inner = nullptr;
    for (auto* call : calls_in<CallInst>(instructions(*s.outlined))) {
      if (!name_of(*call).contains("_debug__")) continue;
      if (!name_of(*call).contains(".omp_outlined")) continue;
      inner = call;
    }
    if (inner == nullptr || !inner->getCalledFunction()->hasOneUse()) continue;
    Function* code = inner->getCalledFunction();
    code->removeFnAttr(Attribute::NoInline);
    InlineFunctionInfo info;
    if (InlineFunction(*inner, info).isSuccess() && code->use_empty()) code->eraseFromParent();
  }
}

void drop_unreachable(Module& module) {
  for (const site& s : find_sites(module)) EliminateUnreachableBlocks(*s.outlined);
}

void mark_ends_of_dispatch(Module& module) {
  if (k_ends_are_called) return;
  for (StringRef name :
       {kmpc::dispatch_next_4, kmpc::dispatch_next_4u, kmpc::dispatch_next_8, kmpc::dispatch_next_8u}) {
    Function* next = module.getFunction(name);
    if (next == nullptr) continue;
    for (User* user : next->users()) {
      auto* call = dyn_cast<CallInst>(user);
      auto* test = call == nullptr || !call->hasOneUse() ? nullptr : dyn_cast<ICmpInst>(*call->user_begin());
      auto* branch = test == nullptr || !test->hasOneUse() ? nullptr : dyn_cast<BranchInst>(*test->user_begin());
      if (branch == nullptr || !branch->isConditional() || test->getPredicate() != CmpInst::ICMP_NE) continue;
      BasicBlock* after = branch->getSuccessor(1);
      if (after->getSinglePredecessor() == nullptr) continue;
      IRBuilder<> b(&*after->getFirstInsertionPt());
      b.SetCurrentDebugLocation(call->getDebugLoc());
      Type* types[] = {call->getArgOperand(0)->getType(), call->getArgOperand(1)->getType()};
      FunctionCallee end =
          module.getOrInsertFunction(kmpc::dispatch_deinit, FunctionType::get(b.getVoidTy(), types, false));
      b.CreateCall(end, {call->getArgOperand(0), call->getArgOperand(1)});
    }
  }
}

void drop_ends_of_dispatch(Module& module) {
  if (k_ends_are_called) return;
  Function* end = module.getFunction(kmpc::dispatch_deinit);
  if (end == nullptr) return;
  for (User* user : make_early_inc_range(end->users())) cast<Instruction>(user)->eraseFromParent();
  end->eraseFromParent();
}

}  // namespace takt_plugin
