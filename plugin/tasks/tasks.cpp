// Recognition of task constructs. See "Tasks" in README.md beside this file.
#include "tasks/tasks.hpp"

#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "openmp/pointers.hpp"
#include "reach/reach.hpp"
#include "tasks/task_reductions.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Assumptions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

/// `#pragma omp begin assumes no_openmp`.
const KnownAssumptionString k_no_openmp("omp_no_openmp");

/// Up to where the record is written before the task starts: what lies behind are variables of the task's own.
std::uint64_t written_up_to(const task_site& found, ArrayRef<Value*> addresses) {
  const DataLayout& layout = found.alloc->getModule()->getDataLayout();
  std::uint64_t end = k_task_privates;
  for (Value* address : addresses) {
    APInt offset(64, 0);
    const bool known = address->stripAndAccumulateConstantOffsets(layout, offset, false) == found.alloc;
    for (User* user : address->users()) {
      std::uint64_t bytes = 0;
      if (auto* store = dyn_cast<StoreInst>(user)) {
        bytes = layout.getTypeStoreSize(store->getValueOperand()->getType());
      } else if (auto* copy = dyn_cast<MemIntrinsic>(user)) {
        auto* length = dyn_cast<ConstantInt>(copy->getLength());
        if (length == nullptr) return found.bytes;
        bytes = length->getZExtValue();
      } else {
        continue;
      }
      if (!known) return found.bytes;
      end = std::max(end, offset.getZExtValue() + bytes);
    }
  }
  return std::min(end, found.bytes);
}

/// Reads what becomes of the record that `call` got from the OpenMP runtime, or of an address in it.
refusal read_use(task_site& found, CallInst& call, const Use& use) {
  const StringRef name = name_of(call);
  const auto take = [&](CallInst*& where) -> refusal {
    if (where != nullptr || use.get() != found.alloc) return reason::task_shape;
    where = &call;
    return {};
  };
  if (starts_task(name)) return take(found.start);
  if (name == kmpc::omp_task_begin_if0) return take(found.serial_begin);
  if (name == kmpc::omp_task_complete_if0) return take(found.serial_end);
  if (name == kmpc::omp_reg_task_with_affinity) return {};
  if (name == kmpc::taskloop) {
    // The bounds are in the record.
    return use.getOperandNo() == 2 ? take(found.loop) : refusal();
  }
  if (name.starts_with("__kmpc_")) return task_refusal_for(name);
  if (call.getCalledFunction() == found.entry) return take(found.serial);
  if (auto* copy = dyn_cast<MemIntrinsic>(&call); copy == nullptr && !is_marker(call)) found.is_fixed = true;
  return {};
}

refusal read_task(CallInst& alloc, task_site& found) {
  found.alloc = &alloc;
  found.entry = dyn_cast<Function>(alloc.getArgOperand(5)->stripPointerCasts());
  auto* bytes = dyn_cast<ConstantInt>(alloc.getArgOperand(3));
  auto* shared_bytes = dyn_cast<ConstantInt>(alloc.getArgOperand(4));
  if (found.entry == nullptr || found.entry->isDeclaration() || bytes == nullptr || shared_bytes == nullptr) {
    return reason::task_shape;
  }
  found.bytes = bytes->getZExtValue();
  found.shared_bytes = shared_bytes->getZExtValue();
  if (found.bytes < k_task_privates) return reason::task_shape;
  SmallPtrSet<Value*, 16> seen;
  SmallVector<Value*> open{&alloc};
  while (!open.empty()) {
    Value* pointer = open.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (Use& use : pointer->uses()) {
      User* user = use.getUser();
      if (auto* call = dyn_cast<CallInst>(user)) {
        refusal why = read_use(found, *call, use);
        if (why) return why;
      } else if (isa<GetElementPtrInst>(user) || isa<PHINode>(user) || isa<CastInst>(user)) {
        open.push_back(user);
      } else if (isa<InvokeInst>(user) || (isa<StoreInst>(user) && use.getOperandNo() == 0)) {
        found.is_fixed = true;
      } else if (!isa<LoadInst>(user) && !isa<StoreInst>(user) && !isa<ICmpInst>(user)) {
        return reason::task_shape;
      }
    }
  }
  const bool is_whole = (found.serial == nullptr) == (found.serial_begin == nullptr) &&
                        (found.serial == nullptr) == (found.serial_end == nullptr);
  const bool runs = found.start != nullptr || found.serial != nullptr;
  if (!is_whole || runs == (found.loop != nullptr)) return reason::task_shape;
  auto* flags = dyn_cast<ConstantInt>(found.flags());
  if (flags == nullptr) {
    // final(condition): the other bits are put to one that is computed.
    auto* with = dyn_cast<BinaryOperator>(found.flags());
    flags = with == nullptr ? nullptr : dyn_cast<ConstantInt>(with->getOperand(1));
    if (flags == nullptr || with->getOpcode() != Instruction::Or) return reason::task_shape;
  }
  if ((flags->getZExtValue() & takt::kmp::k_task_is_detachable) != 0) return reason::task_detaches;
  const SmallVector<Value*> addresses(seen.begin(), seen.end());
  found.captured = found.is_fixed ? found.bytes : written_up_to(found, addresses);
  found.is_fixed |= (flags->getZExtValue() & takt::kmp::k_task_has_destructors) != 0;
  return {};
}

}  // namespace

bool task_site::depends() const { return start != nullptr && starts_dependent_task(name_of(*start)); }

bool find_parts(Function& function, SmallVectorImpl<task_part>& parts) {
  SwitchInst* choice = nullptr;
  for (auto* call : calls_in<CallInst>(instructions(function))) {
    if (name_of(*call) != kmpc::omp_task) continue;
    auto* record = dyn_cast<LoadInst>(call->getArgOperand(2));
    if (record == nullptr) continue;
    auto* own = dyn_cast_or_null<Argument>(root_of(record));
    StoreInst* number = nullptr;
    for (Instruction* at = call; at != nullptr && number == nullptr; at = at->getPrevNode()) {
      number = dyn_cast<StoreInst>(at);
    }
    auto* value = number == nullptr ? nullptr : dyn_cast<ConstantInt>(number->getValueOperand());
    auto* where = number == nullptr ? nullptr : dyn_cast_or_null<Argument>(root_of(number->getPointerOperand()));
    auto* end = dyn_cast_or_null<BranchInst>(call->getNextNode());
    // The part's number is the second argument, the task the fifth.
    if (own == nullptr || own->getArgNo() != 4 || value == nullptr || where == nullptr || where->getArgNo() != 1 ||
        end == nullptr || end->isConditional()) {
      return false;
    }
    if (choice == nullptr) {
      for (BasicBlock& block : function) {
        auto* found = dyn_cast<SwitchInst>(block.getTerminator());
        auto* tested = found == nullptr ? nullptr : dyn_cast<LoadInst>(found->getCondition());
        if (tested != nullptr && root_of(tested->getPointerOperand()) == where) choice = found;
      }
      if (choice == nullptr) return false;
    }
    auto next = choice->findCaseValue(value);
    if (next == choice->case_default() || isa<PHINode>(next->getCaseSuccessor()->front())) return false;
    parts.push_back({call, number, next->getCaseSuccessor()});
  }
  return true;
}

bool leads_to_wait(const Instruction& from, instruction_test is_one, instruction_test is_nothing) {
  const Instruction* at = &from;
  for (unsigned blocks = 0; blocks < 8;) {
    if (auto* call = dyn_cast<CallInst>(at); call != nullptr && is_task_wait(name_of(*call))) return true;
    if (is_one(*at)) return true;
    if (auto* jump = dyn_cast<BranchInst>(at)) {
      if (jump->isConditional()) return false;
      at = &jump->getSuccessor(0)->front();
      ++blocks;
      continue;
    }
    if (at->isTerminator() || (at->mayHaveSideEffects() && !is_marker(*at) && !is_nothing(*at))) return false;
    at = at->getNextNode();
  }
  return false;
}

Function* task_code::called(const CallBase& call) const {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  const bool has_body = callee != nullptr && !callee->isDeclaration() && !callee->isInterposable();
  return has_body && callee->getFunctionType() == call.getFunctionType() ? callee : nullptr;
}

bool task_code::is_outside(const CallBase& call) const {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr || callee->isIntrinsic() || callee->getName().starts_with("__kmpc_")) return false;
  if (callee->getName().starts_with("takt_omp_")) return false;
  if (callee->getFunctionType() != call.getFunctionType() || callee->hasLocalLinkage()) return false;
  return callee->isInterposable() ||
         (callee->isDeclaration() && !is_library_(*callee, *const_cast<Function*>(call.getFunction())));
}

bool task_code::is_library_call(const CallBase& call) const {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee != nullptr && callee->isDeclaration() &&
         is_library_(*callee, *const_cast<Function*>(call.getFunction()));
}

bool task_code::is_unseen(const CallBase& call) const {
  if (call.isInlineAsm() || finds_privates(call)) return false;
  if (call.onlyReadsMemory() || hasAssumption(call, k_no_openmp)) return false;
  if (hasAssumption(*call.getFunction(), k_no_openmp)) return false;
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr) return true;
  const StringRef name = callee->getName();
  if (callee->isIntrinsic() || name.starts_with("__kmpc_") || name.starts_with("takt_omp_")) return false;
  if (!is_library_call(call)) return called(call) == nullptr;
  return calls_back_unknown(call) || any_of(handed_functions(call), [&](Function* callback) {
           if (knows(*callback)) return facts(*callback).unknown;
           return !is_library_(*callback, *const_cast<Function*>(call.getFunction()));
         });
}

refusal task_code::read(Function& function, task_facts& facts) const {
  for (auto* call : calls_in(instructions(function))) {
    const StringRef name = name_of(*call);
    if (is_task_call(name)) {
      facts.has_constructs = facts.needs_copy = true;
      if (!isa<CallInst>(call)) return reason::task_shape;
      if (name == kmpc::omp_task_alloc) {
        facts.tasks.emplace_back();
        refusal why = read_task(cast<CallInst>(*call), facts.tasks.back());
        if (why) return why;
      }
      facts.waits |= is_task_wait(name);
      facts.depends |= starts_dependent_task(name);
    }
    if (is_lock_or_fence(name) || is_outside(*call) || cancels_for_tasks(*call)) facts.needs_copy = true;
    facts.settles |= asks_for_reduced(name);
    facts.needs_group |= asks_for_open_reduction(*call);
  }
  facts.needs_group |= any_of(instructions(function), names_foreign_reduction);
  facts.orders = facts.depends;
  facts.settles |= facts.depends;
  SmallVector<task_part> parts;
  if (!find_parts(function, parts)) return reason::task_shape;
  refusal why = facts.has_constructs ? reductions_refusal(function) : refusal();
  if (why) return why;
  if (facts.has_constructs && function.isVarArg()) return reason::tasks_variadic;
  return {};
}

/// Whether some block's address is in a table. In a copy of the function it would still be the original's.
static bool has_computed_goto(const Function& function) {
  return any_of(function, [](const BasicBlock& block) { return block.hasAddressTaken(); });
}

/// What the runtime calls as Clang made it: the destructors of a task's private variables, what a reduction does, and
/// what copies the private variables of a taskloop.
static Function* called_as_made(const Instruction& instruction) {
  if (Function* named = named_in_record(instruction)) return named;
  auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr || name_of(*call) != kmpc::taskloop) return nullptr;
  auto* copies = dyn_cast<Function>(call->getArgOperand(k_taskloop_copies)->stripPointerCasts());
  return copies == nullptr || copies->isDeclaration() ? nullptr : copies;
}

refusal task_code::look_at(Function& root) {
  SmallVector<Function*> open{&root};
  SmallPtrSet<Function*, 16> seen;
  while (!open.empty()) {
    Function* function = open.pop_back_val();
    if (!seen.insert(function).second) continue;
    auto [known, is_new] = facts_.try_emplace(function);
    if (is_new) {
      refusal why = read(*function, known->second);
      if (why) {
        facts_.erase(known);
        return why;
      }
      if (has_computed_goto(*function) && may_be_copied(*function)) {
        facts_.erase(known);
        return reason::tasks_computed_goto;
      }
    }
    for (const task_site& task : known->second.tasks) {
      entries_.insert(task.entry);
      open.push_back(task.entry);
    }
    for (Instruction& instruction : instructions(*function)) {
      Function* const as_made = called_as_made(instruction);
      if (as_made != nullptr && reaches_tasks(*as_made)) return reason::tasks_as_made;
    }
    for (auto* call : calls_in(instructions(*function))) {
      if (Function* callee = called(*call)) open.push_back(callee);
      if (is_library_call(*call)) {
        // It calls these as Clang made them, which do not know what waits.
        for (Function* callback : handed_functions(*call)) {
          if (callback->isDeclaration()) continue;
          if (reaches_tasks(*callback)) return refusal(reason::tasks_called_back, name_of(*call)).at(*call);
          open.push_back(callback);
        }
      }
      // Its code may rely on being the only one on its thread.
      if (call->isInlineAsm() && known->second.has_constructs) return reason::tasks_assembly;
    }
  }
  const bool is_cut_off = any_of(seen, [this](Function* function) {
    // It can be given no more arguments.
    return function->isVarArg() && reaches(*function, [](const task_facts& facts) { return facts.needs_group; });
  });
  return is_cut_off ? reason::task_reduction_elsewhere : reason::none;
}

bool task_code::reaches(Function& root, bool (*is_it)(const task_facts& facts)) const {
  SmallVector<Function*> open{&root};
  SmallPtrSet<Function*, 16> seen;
  while (!open.empty()) {
    Function* function = open.pop_back_val();
    if (!seen.insert(function).second || !knows(*function)) continue;
    if (is_it(facts(*function))) return true;
    for (const task_site& task : facts(*function).tasks) open.push_back(task.entry);
    for (auto* call : calls_in(instructions(*function))) {
      if (Function* callee = called(*call)) open.push_back(callee);
    }
  }
  return false;
}

bool task_code::reaches_dependences(Function& root) const {
  return reaches(root, [](const task_facts& facts) { return facts.depends; });
}

/// Whether `root`, or what is called from there, has a call that `is_it` accepts.
template <class Accept>
static bool reaches_call(const task_code& code, Function& root, Accept is_it) {
  SmallVector<Function*> open{&root};
  SmallPtrSet<Function*, 16> seen;
  while (!open.empty()) {
    Function* function = open.pop_back_val();
    if (!seen.insert(function).second) continue;
    for (auto* call : calls_in(instructions(*function))) {
      if (is_it(*call)) return true;
      if (Function* callee = code.called(*call)) open.push_back(callee);
    }
  }
  return false;
}

bool task_code::reaches_tasks(Function& root) const {
  return reaches_call(*this, root, [](const CallBase& call) { return is_task_call(name_of(call)); });
}

bool task_code::may_be_copied(Function& root) const {
  return reaches_call(*this, root, [this](const CallBase& call) {
    return is_task_call(name_of(call)) || is_lock_or_fence(name_of(call)) || is_outside(call) || is_unseen(call) ||
           !handed_functions(call).empty();
  });
}

bool task_code::may_make_tasks(const CallBase& call) const {
  Function* callee = called(call);
  return is_task_call(name_of(call)) || (callee != nullptr && reaches_tasks(*callee));
}

/// Whether some way through the function ends with tasks that nothing has waited for.
bool task_code::may_leak(Function& function) const {
  std::map<const BasicBlock*, bool> at_end;
  ReversePostOrderTraversal<Function*> order(&function);
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock* block : order) {
      bool some = false;
      for (BasicBlock* before : predecessors(block)) some |= at_end[before];
      for (auto* call : calls_in(*block)) {
        const StringRef name = name_of(*call);
        if (starts_task(name) && isa<Instruction>(call->getArgOperand(2)) && !isa<LoadInst>(call->getArgOperand(2))) {
          some = true;
        }
        if (is_task_wait(name) || name == kmpc::barrier) some = false;
        if (Function* callee = called(*call)) some |= knows(*callee) && facts_.at(callee).leaks;
      }
      if (some && isa<ReturnInst>(block->getTerminator())) return true;
      again |= some && !at_end[block];
      at_end[block] |= some;
    }
  }
  return false;
}

void task_code::settle() {
  for (bool again = true; again;) {
    again = false;
    for (auto& [known, facts] : facts_) {
      auto* function = const_cast<Function*>(known);
      bool needs_copy = facts.needs_copy, waits = facts.waits, orders = facts.orders, unknown = facts.unknown;
      bool needs_group = facts.needs_group;
      // It asks before it begins.
      needs_copy |= is_entry(*function) && cancels_groups(*function->getParent());
      for (const task_site& task : facts.tasks) needs_group |= knows(*task.entry) && facts_.at(task.entry).needs_group;
      for (auto* call : calls_in(instructions(*function))) {
        if (is_unseen(*call)) needs_copy = waits = unknown = true;
        Function* callee = called(*call);
        if (callee == nullptr || !knows(*callee)) continue;
        needs_copy |= facts_.at(callee).needs_copy;
        waits |= facts_.at(callee).waits;
        orders |= facts_.at(callee).orders;
        unknown |= facts_.at(callee).unknown;
        needs_group |= facts_.at(callee).needs_group;
      }
      // It can be given no more arguments.
      if (function->isVarArg() && waits) {
        waits = false;
        orders = true;
      }
      const bool leaks = !facts.settles && (facts.leaks || may_leak(*function));
      again |= needs_copy != facts.needs_copy || waits != facts.waits || leaks != facts.leaks ||
               orders != facts.orders || unknown != facts.unknown || needs_group != facts.needs_group;
      facts.orders = orders;
      facts.unknown = unknown;
      facts.needs_copy = needs_copy;
      facts.waits = waits;
      facts.leaks = leaks;
      facts.needs_group = needs_group;
    }
  }
  for (auto& [known, facts] : facts_) {
    for (task_site& task : facts.tasks) task.in_group = knows(*task.entry) && facts_.at(task.entry).needs_group;
  }
}

}  // namespace takt_plugin
