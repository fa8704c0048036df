#include "pass/announcements.hpp"

#include "openmp/calls.hpp"
#include "reach/reach.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <string>

namespace takt_plugin {

using namespace llvm;

namespace {

/// A function of takt's that only a program has which links takt.
FunctionCallee weak_function(Module& module, StringRef name, ArrayRef<Type*> parameters = {}) {
  FunctionCallee function = module.getOrInsertFunction(
      name, FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false));
  cast<Function>(function.getCallee())->setLinkage(GlobalValue::ExternalWeakLinkage);
  return function;
}

/// As a user knows it.
std::string text_of(const offered& found) {
  std::string text =
      demangle(found.function->getName()) + " in " + found.function->getParent()->getSourceFileName() + ": " + found.why.text();
  if (found.why.place()) text += " (line " + std::to_string(found.why.place().getLine()) + ")";
  return text;
}

}  // namespace

void announce_ends(Module& module) {
  MapVector<Function*, SmallVector<Function*>> kept;
  for (Function& function : module) {
    for (auto* call : calls_in<CallInst>(instructions(function))) {
      if (name_of(*call) != kmpc::fork_call) continue;
      auto* region = dyn_cast<Function>(call->getArgOperand(2)->stripPointerCasts());
      if (region != nullptr && !region->isDeclaration()) kept[region].push_back(&function);
    }
  }
  for (const auto& [region, callers] : kept) {
    if (all_of(callers, [&](Function* around) { return kept.contains(around); })) continue;
    SmallVector<ReturnInst*> ends;
    for (BasicBlock& block : *region) {
      if (auto* end = dyn_cast<ReturnInst>(block.getTerminator())) ends.push_back(end);
    }
    for (ReturnInst* end : ends) {
      FunctionCallee tell = weak_function(module, "takt_omp_kept_ends");
      IRBuilder<> b(end);
      Value* present = b.CreateIsNotNull(tell.getCallee());
      b.SetInsertPoint(SplitBlockAndInsertIfThen(present, end, false));
      b.SetCurrentDebugLocation(end->getDebugLoc());
      b.CreateCall(tell)->setDoesNotThrow();
    }
  }
}

bool announce_identity(Module& module, const number_set& numbers) {
  const offered found = offers_identity(module, numbers);
  if (!found.why) return false;
  LLVMContext& context = module.getContext();
  FunctionCallee matter = weak_function(module, "takt_omp_threads_matter", {PointerType::getUnqual(context)});
  auto* type = FunctionType::get(Type::getVoidTy(context), false);
  auto* tell = Function::Create(type, GlobalValue::InternalLinkage, "takt.threads_matter", module);
  auto* entry = BasicBlock::Create(context, "", tell);
  auto* call = BasicBlock::Create(context, "", tell);
  auto* end = BasicBlock::Create(context, "", tell);
  Value* present = CmpInst::Create(Instruction::ICmp, CmpInst::ICMP_NE, matter.getCallee(),
                                   ConstantPointerNull::get(PointerType::getUnqual(context)), "", entry);
  BranchInst::Create(call, end, present, entry);
  CallInst::Create(matter, {IRBuilder<>(call).CreateGlobalStringPtr(text_of(found), "takt.who")}, "", call);
  BranchInst::Create(end, call);
  ReturnInst::Create(context, end);
  appendToGlobalCtors(module, tell, 0);
  return true;
}

}  // namespace takt_plugin
