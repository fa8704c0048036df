#include "tasks/quiet.hpp"

#include "openmp/calls.hpp"
#include "reach/reach.hpp"
#include "reach/waiting.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

using namespace llvm;

namespace {

constexpr StringRef k_quiet = ".takt_quiet";

bool may_offer(const Function& function) {
  // Another definition may be called in place of one that is not for this program or library alone.
  return !function.isDeclaration() && function.hasExternalLinkage() && !function.isInterposable() &&
         function.isDSOLocal() && !function.hasComdat() && function.getName() != "main" &&
         function.getAddressSpace() == 0;
}

/// The functions with a body in which a call may end up, in the same task.
SmallVector<Function*> may_call(const CallBase& call, const task_code& code) {
  SmallVector<Function*> found = handed_functions(call);
  if (Function* callee = code.called(call)) found.push_back(callee);
  return found;
}

/// Whether a call, as it stands, may come by what is not seen, waits for tasks, makes some, or starts a region.
bool is_loud(const CallBase& call, const task_code& code) {
  const StringRef name = name_of(call);
  if (is_kmpc(call)) return !is_lock_or_fence(name) && name != kmpc::global_thread_num;
  if (!code.is_library_call(call)) return code.is_unseen(call);
  return calls_back_unknown(call) ||
         any_of(handed_functions(call), [](Function* each) { return each->isDeclaration(); });
}

}  // namespace

void offer_quiet(Module& module, const task_code& code) {
  DenseMap<Function*, SmallVector<Function*>> callers;
  SmallPtrSet<Function*, 32> loud;
  SmallVector<Function*> open;
  const auto add = [&](Function* function) {
    if (loud.insert(function).second) open.push_back(function);
  };
  for (Function& function : module) {
    if (has_loop_that_waits(function)) add(&function);
    for (auto* call : calls_in(instructions(function))) {
      if (is_loud(*call, code)) add(&function);
      for (Function* callee : may_call(*call, code)) callers[callee].push_back(&function);
    }
  }
  while (!open.empty()) {
    for (Function* caller : callers.lookup(open.pop_back_val())) add(caller);
  }
  GlobalVariable* said = nullptr;
  for (Function& function : module) {
    if (!may_offer(function) || loud.contains(&function)) continue;
    const std::string name = (function.getName() + k_quiet).str();
    if (module.getNamedValue(name) != nullptr) continue;
    Type* const byte = Type::getInt8Ty(module.getContext());
    if (said == nullptr) {
      said =
          new GlobalVariable(module, byte, true, GlobalValue::InternalLinkage, ConstantInt::get(byte, 1), "takt.quiet");
    }
    // Not a name of the function itself, which tools would then show.
    GlobalAlias::create(GlobalValue::ExternalLinkage, name, said)->setVisibility(GlobalValue::HiddenVisibility);
  }
}

bool may_be_quiet(const CallBase& call, const task_code& code) {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee != nullptr && callee->isDeclaration() && code.is_outside(call);
}

Constant* quiet_symbol(const CallBase& call) {
  auto* callee = cast<Function>(call.getCalledOperand()->stripPointerCasts());
  Module& module = *callee->getParent();
  const std::string name = (callee->getName() + k_quiet).str();
  if (auto* known = module.getNamedValue(name)) return known;
  Type* const byte = Type::getInt8Ty(module.getContext());
  return new GlobalVariable(module, byte, true, GlobalValue::ExternalWeakLinkage, nullptr, name);
}

}  // namespace takt_plugin
