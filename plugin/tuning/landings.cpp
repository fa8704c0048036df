#include "tuning/landings.hpp"

#include "forks/versions.hpp"
#include "openmp/calls.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// The function's one return, or null.
ReturnInst* only_return(Function& function) {
  ReturnInst* found = nullptr;
  for (BasicBlock& block : function) {
    auto* each = dyn_cast<ReturnInst>(block.getTerminator());
    if (each == nullptr) continue;
    if (found != nullptr) return nullptr;
    found = each;
  }
  return found;
}

/// What `first` leads to, if nothing else does and it does not come to an end of the function; else nothing.
SmallVector<BasicBlock*> all_behind(BasicBlock& first, const DominatorTree& dominators) {
  SmallSetVector<BasicBlock*, 8> found;
  found.insert(&first);
  for (std::size_t at = 0; at < found.size(); ++at) {
    if (!dominators.dominates(&first, found[at]) || isa<ReturnInst>(found[at]->getTerminator())) return {};
    for (BasicBlock* next : successors(found[at])) found.insert(next);
  }
  return {found.begin(), found.end()};
}

/// Puts what follows `landing` apart, and goes on to `end`.
bool put_apart(LandingPadInst& landing, BasicBlock& end) {
  Function& function = *landing.getFunction();
  BasicBlock* here = landing.getParent();
  DominatorTree dominators(function);
  BasicBlock* rest = SplitBlock(here, landing.getNextNode(), &dominators);
  const SmallVector<BasicBlock*> behind = all_behind(*rest, dominators);
  if (behind.empty()) return false;
  CodeExtractor extractor(behind, &dominators, false, nullptr, nullptr, nullptr, false, false, nullptr, "takt_threw");
  if (!extractor.isEligible()) return false;
  const CodeExtractorAnalysisCache known(function);
  Function* apart = extractor.extractCodeRegion(known);
  if (apart == nullptr) return false;
  // Whoever knew that it does not return would see no end behind it.
  apart->removeFnAttr(Attribute::NoReturn);
  apart->addFnAttr(Attribute::NoInline);
  apart->addFnAttr(Attribute::Cold);
  auto* call = cast<CallInst>(*apart->user_begin());
  call->removeFnAttr(Attribute::NoReturn);
  BasicBlock* last = call->getParent();
  last->getTerminator()->eraseFromParent();
  BranchInst::Create(&end, last);
  for (PHINode& phi : end.phis()) phi.addIncoming(Constant::getNullValue(phi.getType()), last);
  return true;
}

bool put_all_apart(Function& function) {
  ReturnInst* last = only_return(function);
  if (last == nullptr) return false;
  SmallVector<LandingPadInst*> landings;
  SmallVector<CallInst*> other_versions;
  for (Instruction& instruction : instructions(function)) {
    if (auto* landing = dyn_cast<LandingPadInst>(&instruction)) landings.push_back(landing);
  }
  for (auto* call : calls_in<CallInst>(instructions(function))) {
    if (name_of(*call).ends_with(k_pushing)) other_versions.push_back(call);
  }
  // One that another one leads to goes with it.
  const DominatorTree dominators(function);
  const SmallVector<LandingPadInst*> all = landings;
  erase_if(landings, [&](LandingPadInst* landing) {
    return any_of(all, [&](LandingPadInst* other) {
      return dominators.properlyDominates(other->getParent(), landing->getParent());
    });
  });
  if (landings.empty()) return false;
  BasicBlock* before = last->getParent();
  BasicBlock* end = SplitBlock(before, last);
  if (Value* result = last->getReturnValue()) {
    PHINode* phi = IRBuilder<>(end, end->begin()).CreatePHI(result->getType(), 2);
    phi->addIncoming(result, before);
    last->setOperand(0, phi);
  }
  bool are_apart = true;
  for (LandingPadInst* landing : landings) are_apart &= put_apart(*landing, *end);
  // A call as the last thing would be an end of its own.
  if (are_apart) {
    for (CallInst* call : other_versions) call->setTailCallKind(CallInst::TCK_NoTail);
  }
  return true;
}

}  // namespace

PreservedAnalyses landings_apart::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  SmallVector<Function*> asking;
  for (Function& function : module) {
    if (!function.isDeclaration() && function.hasFnAttribute(k_asks_once)) asking.push_back(&function);
  }
  bool changed = false;
  for (Function* function : asking) changed |= put_all_apart(*function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace takt_plugin
