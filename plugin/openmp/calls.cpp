#include "openmp/calls.hpp"

#include "openmp/pointers.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Metadata.h>

namespace takt_plugin {

using namespace llvm;

namespace {

// Marks.
constexpr const char* k_kept = "takt.kept";
constexpr const char* k_tasks = "takt.tasks";

}  // namespace

StringRef name_of(const CallBase& call) {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee == nullptr ? StringRef() : callee->getName();
}

bool is_kmpc(const CallBase& call) { return name_of(call).starts_with("__kmpc_"); }

Function* started_by(const CallBase& call) {
  return name_of(call) == kmpc::fork_call ? dyn_cast<Function>(call.getArgOperand(2)->stripPointerCasts()) : nullptr;
}

bool is_kept(const CallBase& fork) { return fork.getMetadata(k_kept) != nullptr; }

void mark_kept(CallBase& fork) { fork.setMetadata(k_kept, MDNode::get(fork.getContext(), {})); }

bool begins_critical(StringRef callee) {
  return (traits_of(callee) & (trait::critical | trait::takes)) == (trait::critical | trait::takes);
}

refusal task_refusal_for(StringRef callee) {
  if (is(callee, trait::depends)) return reason::task_depends;
  if (is(callee, trait::begins_reductions | trait::ends_modifier | trait::reduced_data | trait::reduces_tasks)) {
    return reason::task_reduction;
  }
  if (callee == kmpc::push_num_threads) return reason::region_with_threads;
  return {reason::reaches_call, callee};
}

bool finds_privates(const CallBase& call) {
  auto* given = dyn_cast_or_null<Argument>(root_of(call.getCalledOperand()));
  if (given == nullptr || !given->getParent()->hasLocalLinkage()) return false;
  return all_of(given->getParent()->uses(), [&](const Use& use) {
    auto* caller = dyn_cast<CallBase>(use.getUser());
    if (caller == nullptr || !caller->isCallee(&use)) return false;
    auto* helper = dyn_cast<Function>(caller->getArgOperand(given->getArgNo())->stripPointerCasts());
    return helper != nullptr && helper->getName().starts_with(".omp_task_privates_map");
  });
}

Function* named_in_record(const Instruction& instruction) {
  auto* store = dyn_cast<StoreInst>(&instruction);
  auto* stored = store == nullptr ? nullptr : dyn_cast<Function>(store->getValueOperand());
  if (stored == nullptr || stored->isDeclaration()) return nullptr;
  const StringRef name = stored->getName();
  const bool is_named = name.starts_with(".omp_task_destructor") || name.starts_with(".red_init.") ||
                        name.starts_with(".red_comb.") || name.starts_with(".red_fini.");
  return is_named ? const_cast<Function*>(stored) : nullptr;
}

bool asks_for_open_reduction(const CallBase& call) {
  return asks_for_reduced(name_of(call)) && isa<ConstantPointerNull>(call.getArgOperand(1));
}

bool names_foreign_reduction(const Instruction& instruction) {
  auto* load = dyn_cast<LoadInst>(&instruction);
  auto* from = load == nullptr ? nullptr : dyn_cast<GlobalVariable>(load->getPointerOperand());
  return from != nullptr && from->hasLocalLinkage() && from->getName().contains(".task_red.") &&
         from->hasInitializer() && from->getInitializer()->isNullValue();
}

void mark_tasks(CallBase& call, bool open) {
  call.addFnAttr(Attribute::get(call.getContext(), k_tasks, open ? "open" : ""));
}

bool runs_tasks(const CallBase& call) { return call.getAttributes().hasFnAttr(k_tasks); }

bool runs_open_tasks(const CallBase& call) {
  return call.getAttributes().getFnAttr(k_tasks).getValueAsString() == "open";
}

}  // namespace takt_plugin
