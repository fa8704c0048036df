// Thread identity: see "What a body must not see" in README.md beside this file.
#include "reach/reach.hpp"

#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "openmp/lengths.hpp"
#include "openmp/mended.hpp"
#include "reach/waiting.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace takt_plugin {

using namespace llvm;

namespace {

/// Functions of the C++ library. A template may have been specialised by the program, unless it is one of these.
bool is_cxx_library(StringRef name) {
  if (name.starts_with("__cxa_")) return true;
  if (name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZNKSt")) {
    return !name.contains('I') || name.starts_with("_ZNSt7__cxx1112basic_stringI") ||
           name.starts_with("_ZNKSt7__cxx1112basic_stringI") || name.starts_with("_ZSt16__ostream_insertI");
  }
  return name.starts_with("_ZNSo") || name.starts_with("_ZNSi");
}

/// The thread-local variable that an operand names, through constant expressions too.
const GlobalVariable* thread_local_in(const Value* operand) {
  if (auto* variable = dyn_cast<GlobalVariable>(operand)) return variable->isThreadLocal() ? variable : nullptr;
  if (auto* expression = dyn_cast<ConstantExpr>(operand)) {
    for (const Value* inner : expression->operands()) {
      if (auto* found = thread_local_in(inner)) return found;
    }
  }
  return nullptr;
}

/// Why this one instruction depends on the thread; none: it does not. `tasks`: those reached are to be converted.
refusal identity_in(const Instruction& instruction, bool tasks) {
  for (const Value* operand : instruction.operands()) {
    if (auto* variable = thread_local_in(operand)) {
      // Clang hands the length to the functions of the reduction in one.
      if (variable->getName().starts_with("reduction_size.")) {
        if (tasks && has_known_length(instruction)) continue;
        return reason::task_reduction_length;
      }
      return refusal(reason::thread_local_variable, variable->getName()).at(instruction);
    }
  }
  if (!tasks && names_foreign_reduction(instruction)) return reason::task_reduction_elsewhere;
  if (auto* call = dyn_cast<CallBase>(&instruction)) {
    const StringRef name = name_of(*call);
    if (is(name, trait::identity)) return refusal(reason::reaches_call, name).at(instruction);
    // The OpenMP runtime, which knows nothing of a takt task, would answer with the variable itself.
    if (!tasks && asks_for_open_reduction(*call)) return reason::task_reduction_elsewhere;
  }
  return {};
}

/// The same of code that reads thread-local variables where that is harmless.
refusal identity_in(const Instruction& instruction, thread_locals& known, bool tasks = false) {
  const GlobalVariable* own = known.given_by(instruction);
  if (own == nullptr) return identity_in(instruction, tasks);
  return known.is_harmless(instruction) ? refusal()
                                        : refusal(reason::thread_local_variable, own->getName()).at(instruction);
}

}  // namespace

bool reach_analysis::waits_for_others(Function& function) {
  auto [known, is_new] = waits_.try_emplace(&function, false);
  if (is_new) known->second = has_loop_that_waits(function);
  return known->second;
}

bool is_known_outside(const Function& function, const TargetLibraryInfo& libraries) {
  LibFunc known;
  return function.doesNotAccessMemory() || libraries.getLibFunc(function, known) ||
         is_cxx_library(function.getName()) || is_lock_call(function.getName()) ||
         is(function.getName(), trait::outside);
}

SmallVector<Function*> handed_functions(const CallBase& call) {
  SmallVector<Function*> handed;
  for (Value* argument : call.args()) {
    if (auto* function = dyn_cast<Function>(argument->stripPointerCasts())) handed.push_back(function);
  }
  return handed;
}

bool calls_back_unknown(const CallBase& call) { return name_of(call) == "qsort" && handed_functions(call).empty(); }

reached reach_analysis::from(Function& from) {
  reached result;
  SmallPtrSet<Function*, 16> seen;
  visit_entry(from, result, seen);
  return result;
}

reached reach_analysis::with_tasks(Function& from) {
  tasks_ = true;
  region_ = &from;
  return this->from(from);
}

void reach_analysis::visit(Function& function, reached& result, SmallPtrSetImpl<Function*>& seen) {
  if (result.why || !seen.insert(&function).second) return;
  if (waits_for_others(function)) {
    result.why = reason::waits_for_others;
    return;
  }
  if (tasks_ && is_ragged_taskloop(function)) {
    result.why = reason::ragged_taskloop;
    return;
  }
  visit_held(function, result);
  if (result.why) return;
  for (Instruction& instruction : instructions(function)) {
    if (ignored_.contains(instruction.getParent()) || numbers_.contains(&instruction)) continue;
    result.why = tasks_ ? identity_in(instruction, true) : identity_in(instruction, thread_locals_);
    if (result.why) return;
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      visit_call(*call, result, seen);
      if (result.why) return;
    }
    // The destructors of a task's private variables are in a function whose address its record gets, and what
    // reductions do in functions that the list of reduced variables names.
    Function* const named = tasks_ ? named_in_record(instruction) : nullptr;
    if (named != nullptr) {
      visit_entry(*named, result, seen);
      if (result.why) return;
    }
  }
}

void reach_analysis::visit_call(CallBase& call, reached& result, SmallPtrSetImpl<Function*>& seen) {
  if (numbers_.contains(&call)) return;
  if (call.isInlineAsm()) {
    result.open = true;
    return;
  }
  if (isa<IntrinsicInst>(call)) return;
  if (runs_tasks(call)) {
    // What it runs has been looked at.
    result.forks = true;
    result.open |= runs_open_tasks(call);
    return;
  }
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr) {
    result.open |= !(tasks_ && finds_privates(call));
    return;
  }
  const StringRef name = callee->getName();
  if (call.hasFnAttr(Attribute::ReturnsTwice) || name == "longjmp" || name == "siglongjmp" ||
      is(name, trait::names_thread)) {
    result.why = refusal(reason::reaches_call, name).at(call);
    return;
  }
  if (name == "takt_omp_run_tasks") {
    // What it runs has been looked at.
    result.forks = true;
    return;
  }
  if (tasks_ && is_task_call(name)) {
    result.forks = true;
    for (Value* operand : call.args()) {
      auto* code = dyn_cast<Function>(operand->stripPointerCasts());
      if (code != nullptr && !code->isDeclaration()) visit_entry(*code, result, seen);
    }
    return;
  }
  if (name == kmpc::fork_call && is_kept(call)) {
    result.forks = true;
    return;
  }
  if (name == kmpc::fork_call) {
    result.forks = true;
    auto* fork = dyn_cast<CallInst>(&call);
    auto* outlined = dyn_cast<Function>(call.getArgOperand(2)->stripPointerCasts());
    if (fork == nullptr || outlined == nullptr || stays_(*fork)) {
      result.why = tasks_ ? reason::region_beside_tasks : reason::region_stays;
    } else {
      visit_entry(*outlined, result, seen);
    }
    return;
  }
  if (is_lock_or_fence(name)) {
    if (is(name, trait::critical)) with_locks_.insert(call.getFunction());
    return;
  }
  if (name.starts_with("__kmpc_")) {
    // Those of loops were looked at one by one when the loop was recognised.
    if (call.getFunction() == region_) return;
    if (tasks_ && cancels_for_tasks(call)) return;
    for (const site& s : sites_) {
      if (s.outlined == call.getFunction()) return;
      if (&call == s.push_threads || &call == s.serial_begin || &call == s.serial_end) {
        if (stays_(*s.fork)) result.why = reason::region_stays;
        return;
      }
    }
    if (name != kmpc::global_thread_num) result.why = task_refusal_for(name).at(call);
    return;
  }
  if (!callee->isDeclaration()) {
    visit(*callee, result, seen);
    result.open |= callee->isInterposable();
    return;
  }
  if (is_known_outside(*callee, libraries_(*call.getFunction()))) {
    // qsort and its like call back what they are given.
    result.open |= calls_back_unknown(call);
    for (Function* callback : handed_functions(call)) {
      if (callback->isDeclaration()) {
        // An exception's destructor, mostly.
        result.open |= !is_known_outside(*callback, libraries_(*call.getFunction()));
      } else {
        visit_entry(*callback, result, seen);
      }
    }
    return;
  }
  result.open = true;
}

void reach_analysis::visit_entry(Function& function, reached& result, SmallPtrSetImpl<Function*>& seen) {
  visit(function, result, seen);
  if (!result.why && !holdings_.of(function).at_end.is_even()) result.why = reason::lock_unknown;
}

/// A lock must not be held where a slice may wait: another one on the same worker could ask for it.
void reach_analysis::visit_held(Function& function, reached& result) {
  auto [known, is_new] = held_refusals_.try_emplace(&function);
  if (!is_new) {
    result.why = known->second;
    return;
  }
  const holding& here = holdings_.of(function);
  const auto refuse = [&](refusal why) { result.why = held_refusals_[&function] = std::move(why); };
  if (!here.known) return refuse(reason::lock_unknown);
  const auto look_at = [&](CallBase& call, const held& held) {
    reached inside;
    SmallPtrSet<Function*, 16> functions;
    visit_call(call, inside, functions);
    const StringRef name = name_of(call);
    if (inside.forks || starts_loop(name) || name == kmpc::barrier) {
      refuse(held.criticals > 0 ? reason::critical_forks
             : held.statics > 0 ? reason::static_forks
                                : reason::lock_forks);
    } else if (inside.open && held.is_locked()) {
      refuse(held.criticals > 0 ? reason::critical_open : reason::lock_open);
    } else {
      result.why = inside.why;
    }
    return !result.why;
  };
  for (const auto& [call, held] : here.holders) {
    if (!ignored_.contains(call->getParent()) && !look_at(*call, held)) return;
  }
  // Tasks that wait may be run before it returns.
  if (!here.at_end.any()) return;
  for (auto* call : calls_in(instructions(function))) {
    if (!look_at(*call, here.at_end)) return;
  }
}

namespace {

/// Whether code comes to the start of a region, or to a task construct.
class ways_to_forks {
 public:
  bool leads_to_one(const CallBase& call) {
    const StringRef name = name_of(call);
    if (name == kmpc::fork_call || name == "takt_omp_run_tasks" || is_task_call(name)) return true;
    if (runs_tasks(call)) return true;
    auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
    if (callee == nullptr || callee->isDeclaration()) return false;
    const auto [known, is_new] = known_.try_emplace(callee, false);
    if (!is_new) return known->second;
    const bool leads = any_of(calls_in<const CallBase>(instructions(std::as_const(*callee))),
                              [this](const CallBase* inner) { return leads_to_one(*inner); });
    return known_[callee] = leads;
  }

 private:
  DenseMap<const Function*, bool> known_;
};

/// The functions that hold a lock where a region starts or a task is made.
SmallPtrSet<const Function*, 8> that_hold_locks(Module& module) {
  SmallPtrSet<const Function*, 8> found;
  holdings all;
  ways_to_forks forks;
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    if (any_of(all.of(function).holders, [&](const auto& each) { return forks.leads_to_one(*each.first); }))
      found.insert(&function);
  }
  return found;
}

}  // namespace

/// A function by which code that is not seen may come to an instruction for which `why` has a reason. `in_regions`: also
/// by starting the region that has it.
static offered find_offered(Module& module, function_ref<refusal(const Instruction&)> why, bool in_regions) {
  // From the functions that have one up to those that can be called, or whose address is taken.
  DenseMap<const Function*, refusal> with;
  SmallVector<const Function*> open;
  const auto add = [&](const Function* function, const refusal& reached) {
    if (with.try_emplace(function, reached).second) open.push_back(function);
  };
  for (const Function& function : module) {
    for (const Instruction& instruction : instructions(function)) {
      if (const refusal found = why(instruction)) {
        add(&function, found);
        break;
      }
    }
  }
  while (!open.empty()) {
    const Function* function = open.pop_back_val();
    const refusal reached = with[function];
    const offered it{function, reached};
    if (!function->hasLocalLinkage() && function->getName() != "main") return it;
    SmallVector<const Value*> users(function->user_begin(), function->user_end());
    while (!users.empty()) {
      const Value* user = users.pop_back_val();
      if (auto* call = dyn_cast<CallBase>(user)) {
        // Called, or handed to whoever the call reaches: as if called here, unless it is kept for later.
        const StringRef name = name_of(*call);
        const bool is_region = name == kmpc::fork_call;
        if (is_region && !in_regions) continue;
        if (call->getCalledOperand() != function && !is_region && name != kmpc::omp_task_alloc) return it;
        add(call->getFunction(), reached);
      } else if (isa<Instruction>(user)) {
        return it;
      } else if (isa<ConstantExpr>(user)) {
        users.append(user->user_begin(), user->user_end());
      } else {
        return it;
      }
    }
  }
  return {};
}

offered offers_identity(Module& module, const number_set& numbers) {
  const auto locking = that_hold_locks(module);
  thread_locals known(module);
  const auto has_identity = [&](const Instruction& instruction) -> refusal {
    if (locking.contains(instruction.getFunction())) return reason::lock_forks;
    if (numbers.contains(&instruction)) return {};
    return identity_in(instruction, known, true);
  };
  // The group of such a task is in the same region; so is what else is told of its length.
  const auto is_open = [](const Instruction& instruction) -> refusal {
    auto* call = dyn_cast<CallBase>(&instruction);
    const bool is_it = names_foreign_reduction(instruction) || is_told_length(instruction) ||
                       (call != nullptr && asks_for_open_reduction(*call));
    return is_it ? refusal(reason::task_reduction_elsewhere) : refusal();
  };
  const offered found = find_offered(module, has_identity, true);
  return found.why ? found : find_offered(module, is_open, false);
}

}  // namespace takt_plugin
