#include "openmp/calls.hpp"

#include "openmp/pointers.hpp"

#include <llvm/ADT/StringSwitch.h>
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
  return name_of(call) == "__kmpc_fork_call" ? dyn_cast<Function>(call.getArgOperand(2)->stripPointerCasts()) : nullptr;
}

bool is_kept(const CallBase& fork) { return fork.getMetadata(k_kept) != nullptr; }

void mark_kept(CallBase& fork) { fork.setMetadata(k_kept, MDNode::get(fork.getContext(), {})); }

bool starts_loop(StringRef callee) {
  return callee.starts_with("__kmpc_for_static_init_") || callee.starts_with("__kmpc_dispatch_init_");
}
bool starts_once(StringRef callee) {
  return callee == "__kmpc_single" || callee == "__kmpc_master" || callee == "__kmpc_masked";
}
bool is_dropped(StringRef callee) {
  return callee == "__kmpc_barrier" || callee == "__kmpc_copyprivate" || callee == "__kmpc_end_single" ||
         callee == "__kmpc_end_master" || callee == "__kmpc_end_masked";
}
bool ends_loop(StringRef callee) { return callee == "__kmpc_for_static_fini" || callee == "__kmpc_dispatch_deinit"; }

bool asks_to_combine(StringRef callee) { return callee == "__kmpc_reduce" || callee == "__kmpc_reduce_nowait"; }
bool combines(StringRef callee) {
  return asks_to_combine(callee) || callee == "__kmpc_end_reduce" || callee == "__kmpc_end_reduce_nowait";
}

bool is_idle_wait(StringRef callee) {
  return callee == "__kmpc_omp_taskwait" || callee == "__kmpc_omp_taskyield" || callee == "__kmpc_taskgroup" ||
         callee == "__kmpc_end_taskgroup";
}

bool is_lock_or_fence(StringRef callee) {
  return callee == "__kmpc_critical" || callee == "__kmpc_critical_with_hint" || callee == "__kmpc_end_critical" ||
         callee == "__kmpc_flush";
}

std::string refusal_for(StringRef callee) {
  return StringSwitch<std::string>(callee)
      .Case("__kmpc_barrier", "it has a barrier")
      .Cases("__kmpc_single", "__kmpc_copyprivate", "__kmpc_master", "__kmpc_masked", "it is not a loop")
      .Cases("__kmpc_ordered", "__kmpc_doacross_init", "__kmpc_dispatch_fini_4", "__kmpc_dispatch_fini_4u",
             "__kmpc_dispatch_fini_8", "__kmpc_dispatch_fini_8u", "its iterations are ordered")
      .StartsWith("__kmpc_omp_task", "it has tasks")
      .StartsWith("__kmpc_task", "it has tasks")
      .Cases("__kmpc_alloc", "__kmpc_free", "it has an allocate clause")
      .Cases("__kmpc_cancel", "__kmpc_cancellationpoint", "__kmpc_cancel_barrier", "it can be cancelled")
      .Case("__kmpc_threadprivate_cached", "it uses a threadprivate variable")
      .Case("__kmpc_fork_call", "it starts a parallel region that stays with the OpenMP runtime")
      .Cases("__kmpc_push_num_threads", "__kmpc_serialized_parallel", "__kmpc_end_serialized_parallel",
             "it starts a parallel region that stays with the OpenMP runtime")
      .Default("it calls " + callee.str());
}

bool starts_dependent_task(StringRef callee) { return callee == "__kmpc_omp_task_with_deps"; }
bool starts_task(StringRef callee) { return callee == "__kmpc_omp_task" || starts_dependent_task(callee); }
bool is_task_wait(StringRef callee) {
  return callee == "__kmpc_omp_taskwait" || callee == "__kmpc_end_taskgroup" || callee == "__kmpc_omp_wait_deps" ||
         callee == "__kmpc_omp_taskwait_deps_51" || ends_modifier(callee);
}

bool is_task_call(StringRef callee) {
  return starts_task(callee) || is_task_wait(callee) || begins_reductions(callee) || asks_for_reduced(callee) ||
         StringSwitch<bool>(callee)
             .Cases("__kmpc_omp_task_alloc", "__kmpc_omp_taskyield", "__kmpc_taskgroup", true)
             .Cases("__kmpc_omp_task_begin_if0", "__kmpc_omp_task_complete_if0", true)
             .Cases("__kmpc_omp_reg_task_with_affinity", "__kmpc_taskloop", true)
             .Default(false);
}

std::string task_refusal_for(StringRef callee) {
  if (callee.contains("_deps")) return "it reaches a depend clause";
  if (callee.starts_with("__kmpc_taskred") || callee.starts_with("__kmpc_task_reduction")) {
    return "it reaches a reduction over tasks";
  }
  if (callee == "__kmpc_push_num_threads") return "it reaches a parallel region with num_threads";
  return "it reaches a call of " + callee.str();
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

bool begins_reductions(StringRef callee) { return callee == "__kmpc_taskred_init" || begins_modifier(callee); }
bool begins_modifier(StringRef callee) { return callee == "__kmpc_taskred_modifier_init"; }
bool ends_modifier(StringRef callee) { return callee == "__kmpc_task_reduction_modifier_fini"; }
bool asks_for_reduced(StringRef callee) { return callee == "__kmpc_task_reduction_get_th_data"; }
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
