#include "tasks/task_reductions.hpp"

#include "openmp/calls.hpp"
#include "openmp/lengths.hpp"
#include "openmp/pointers.hpp"
#include "tasks/task_copies.hpp"
#include "tasks/tasks.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <takt/omp.hpp>

#include <map>

namespace takt_plugin {

using namespace llvm;

namespace {

constexpr const char* k_borrow = "takt_omp_borrow";
constexpr const char* k_give_back = "takt_omp_give_back";

// An iteration has a group of its own, which makes, combines and frees copies of all that a loop reduces over tasks: of
// longer variables, in bytes, that takes longer than a loop that keeps its copies from one iteration to the next.
constexpr std::uint64_t k_longest_in_iteration = 256;

SmallVector<CallInst*> calls_that(Function& function, bool (*is_wanted)(StringRef)) {
  SmallVector<CallInst*> found;
  for (auto* call : calls_in<CallInst>(instructions(function))) {
    if (is_wanted(name_of(*call))) found.push_back(call);
  }
  return found;
}

/// The same function, which asks the runtime how long a copy is. Where Clang's needs not be told: that one.
Function* with_length_of_copy(Function& function, task_copies& all) {
  const auto is_length = [](const Instruction& each) {
    auto* load = dyn_cast<LoadInst>(&each);
    return load != nullptr && length_at(load->getPointerOperand()) != nullptr;
  };
  if (none_of(instructions(function), is_length)) return &function;
  const std::string name = (function.getName() + ".takt").str();
  if (Function* made = function.getParent()->getFunction(name)) return made;
  ValueToValueMapTy copies;
  Function* made = CloneFunction(&function, copies);
  made->setName(name);
  for (Instruction& each : make_early_inc_range(instructions(*made))) {
    if (!is_length(each)) continue;
    auto& load = cast<LoadInst>(each);
    auto* address = dyn_cast<IntrinsicInst>(load.getPointerOperand());
    Type* element = element_of(load);
    IRBuilder<> b(&load);
    FunctionCallee ask = all.runtime("takt_omp_reduced_bytes", b.getInt64Ty(), {b.getPtrTy()});
    Value* bytes = b.CreateCall(ask, {made->getArg(copy_argument(function))});
    const std::uint64_t size = made->getParent()->getDataLayout().getTypeAllocSize(element);
    load.replaceAllUsesWith(b.CreateUDiv(bytes, b.getInt64(size)));
    load.eraseFromParent();
    if (address != nullptr && address->use_empty()) address->eraseFromParent();
  }
  return made;
}

/// How many variables a group reduces, and their list: the last things that Clang says.
Value* count_of(const CallInst& init) { return init.getArgOperand(init.arg_size() - 2); }
Value* list_of(const CallInst& init) { return init.getArgOperand(init.arg_size() - 1); }

/// What fills a group's list.
SmallVector<const StoreInst*> entries_of(const CallInst& init) {
  SmallVector<const StoreInst*> entries;
  const Value* list = list_of(init)->stripInBoundsOffsets();
  for (const Instruction& each : instructions(*init.getFunction())) {
    auto* store = dyn_cast<StoreInst>(&each);
    if (store != nullptr && store->getPointerOperand()->stripInBoundsOffsets() == list) entries.push_back(store);
  }
  return entries;
}

/// How many bytes an entry gives to a variable; null: it says something else.
const Value* size_in(const StoreInst& entry) {
  const Value* stored = entry.getValueOperand();
  return stored->getType()->isIntegerTy(64) ? stored : nullptr;
}

/// How many bytes what combines two copies walks over, if a constant says so; else 0.
std::uint64_t walked_by(const Function& combine) {
  const DataLayout& layout = combine.getParent()->getDataLayout();
  for (const Instruction& each : instructions(combine)) {
    auto* test = dyn_cast<ICmpInst>(&each);
    auto* end = test == nullptr ? nullptr : dyn_cast<GetElementPtrInst>(test->getOperand(1));
    auto* count = end == nullptr || end->getNumIndices() != 1 ? nullptr : dyn_cast<ConstantInt>(end->getOperand(1));
    if (count != nullptr && end->getPointerOperand() == test->getOperand(0))
      return count->getZExtValue() * layout.getTypeAllocSize(end->getSourceElementType());
  }
  return 0;
}

/// Whether the list of a group gives a variable fewer bytes than what combines its copies walks over: a section with
/// constant bounds, to which Clang gives one element's.
bool is_too_short(const CallInst& init) {
  const auto entries = entries_of(init);
  const auto variable = [](const StoreInst* entry) {
    auto* member = dyn_cast<GetElementPtrInst>(entry->getPointerOperand());
    return member == nullptr ? nullptr : member->getPointerOperand();
  };
  for (const StoreInst* entry : entries) {
    auto* bytes = dyn_cast_or_null<ConstantInt>(size_in(*entry));
    if (bytes == nullptr) continue;
    for (const StoreInst* other : entries) {
      auto* named = dyn_cast<Function>(other->getValueOperand());
      if (named != nullptr && variable(other) == variable(entry) && bytes->getValue().ult(walked_by(*named)))
        return true;
    }
  }
  return false;
}

/// Where the taskgroup ends whose reductions `init` describes, on all ways. @returns false when that is not known.
bool find_ends(CallInst& init, SmallVectorImpl<CallInst*>& ends) {
  std::map<const BasicBlock*, unsigned> depths;  // of taskgroups inside, where a block begins
  SmallVector<std::pair<Instruction*, unsigned>> open{{init.getNextNode(), 0u}};
  while (!open.empty()) {
    auto [at, depth] = open.pop_back_val();
    const BasicBlock* block = at->getParent();
    bool ended = false;
    for (; at != nullptr && !ended; at = at->getNextNode()) {
      auto* call = dyn_cast<CallInst>(at);
      if (call == &init) return false;
      if (call == nullptr) continue;
      const StringRef name = name_of(*call);
      if (name == kmpc::taskgroup || begins_modifier(name)) ++depth;
      if (name != kmpc::end_taskgroup && !ends_modifier(name)) continue;
      ended = depth == 0;
      if (ended) {
        ends.push_back(call);
      } else {
        --depth;
      }
    }
    if (ended) continue;
    const Instruction* last = block->getTerminator();
    if (isa<ReturnInst>(last) || isa<ResumeInst>(last)) return false;
    for (const BasicBlock* next : successors(block)) {
      auto [known, is_new] = depths.try_emplace(next, depth);
      if (known->second != depth) return false;
      if (is_new) open.emplace_back(const_cast<Instruction*>(&next->front()), depth);
    }
  }
  return true;
}

}  // namespace

refusal reductions_refusal(Function& function) {
  const auto inits = calls_that(function, begins_reductions);
  const auto asked = calls_that(function, asks_for_reduced);
  if (inits.empty() && asked.empty()) return {};
  const DominatorTree tree(function);
  for (CallInst* init : inits) {
    SmallVector<CallInst*> ends;
    bool known = find_ends(*init, ends);
    for (CallInst* end : ends) known &= tree.dominates(init, end);
    if (!known) return reason::task_reduction_shape;
    if (is_too_short(*init)) return reason::task_reduction_bytes;
  }
  for (CallInst* call : asked) {
    for (BasicBlock& block : function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      if (end != nullptr && !tree.dominates(call, end)) return reason::task_reduction_shape;
    }
  }
  return {};
}

refusal iterations_refusal(Function& outlined) {
  for (const CallInst* init : calls_that(outlined, begins_modifier)) {
    const bool is_short = all_of(entries_of(*init), [](const StoreInst* entry) {
      auto* bytes = dyn_cast_or_null<ConstantInt>(size_in(*entry));
      return size_in(*entry) == nullptr || (bytes != nullptr && bytes->getValue().ule(k_longest_in_iteration));
    });
    if (!is_short) return reason::loop_reduces_over_tasks;
  }
  return {};
}

bool gives_back_reduced(const CallInst& call) { return name_of(call) == k_give_back; }

static void replace(CallInst* call, Value* with) {
  call->replaceAllUsesWith(with);
  call->eraseFromParent();
}

/// What Clang would have told the OpenMP runtime, which most groups never need.
static AllocaInst* describe_group(Function& made, CallInst& init, Value* around, Type*& type) {
  using takt::abi::omp_reductions;
  IRBuilder<> b(&*made.getEntryBlock().begin());
  static_assert(offsetof(omp_reductions, variables) == 8 && offsetof(omp_reductions, count) == 16 &&
                offsetof(omp_reductions, around) == 24 && sizeof(omp_reductions) == 32);
  type = StructType::get(b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getPtrTy());
  AllocaInst* group = b.CreateAlloca(type);
  b.SetInsertPoint(&init);
  b.CreateStore(ConstantPointerNull::get(b.getPtrTy()), b.CreateStructGEP(type, group, 0));
  b.CreateStore(list_of(init), b.CreateStructGEP(type, group, 1));
  b.CreateStore(b.CreateZExt(count_of(init), b.getInt64Ty()), b.CreateStructGEP(type, group, 2));
  b.CreateStore(around, b.CreateStructGEP(type, group, 3));
  return group;
}

SmallVector<AllocaInst*> convert_reductions(Function& made, task_copies& all, AllocaInst* innermost) {
  IRBuilder<> b(made.getContext());
  SmallVector<AllocaInst*> groups;
  for (CallInst* init : calls_that(made, begins_reductions)) {
    SmallVector<CallInst*> ends;
    find_ends(*init, ends);
    Type* type = nullptr;
    Value* around = ConstantPointerNull::get(b.getPtrTy());
    b.SetInsertPoint(init);
    if (innermost != nullptr) around = b.CreateLoad(b.getPtrTy(), innermost);
    AllocaInst* group = groups.emplace_back(describe_group(made, *init, around, type));
    if (innermost != nullptr) b.CreateStore(group, innermost);
    for (CallInst* end : ends) {
      b.SetInsertPoint(end->getNextNode());
      b.SetCurrentDebugLocation(end->getDebugLoc());
      if (innermost != nullptr) b.CreateStore(around, innermost);
      Value* copies = b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(type, group, 0));
      b.SetInsertPoint(SplitBlockAndInsertIfThen(b.CreateIsNotNull(copies), &*b.GetInsertPoint(), false,
                                                 MDBuilder(b.getContext()).createBranchWeights(1, 2000)));
      b.SetCurrentDebugLocation(end->getDebugLoc());
      b.CreateCall(all.runtime("takt_omp_combine", b.getVoidTy(), {b.getPtrTy()}), {group});
    }
    replace(init, group);
  }
  // Lengths go with the copies.
  for (Instruction& each : make_early_inc_range(instructions(made))) {
    if (Function* named = named_in_record(each)) each.replaceUsesOfWith(named, with_length_of_copy(*named, all));
    if (is_told_length(each)) each.eraseFromParent();
  }
  // A task in a task: the group is the innermost where it is made.
  SmallVector<Instruction*> foreign;
  for (Instruction& each : instructions(made)) {
    if (names_foreign_reduction(each)) foreign.push_back(&each);
  }
  for (Instruction* each : foreign) {
    b.SetInsertPoint(each);
    each->replaceAllUsesWith(b.CreateLoad(b.getPtrTy(), innermost));
    each->eraseFromParent();
  }
  // Clang promises of taskloop simd that no iteration touches what another one does. Of what is reduced that is not so,
  // and wrong where a task has more than one iteration.
  const auto asked = calls_that(made, asks_for_reduced);
  if (!asked.empty()) {
    for (Instruction& each : instructions(made)) each.setMetadata(LLVMContext::MD_access_group, nullptr);
  }
  for (CallInst* call : asked) {
    b.SetInsertPoint(call);
    FunctionCallee borrow = all.runtime(k_borrow, b.getPtrTy(), {b.getPtrTy(), b.getPtrTy()});
    Value* from = call->getArgOperand(1);
    if (asks_for_open_reduction(*call)) from = b.CreateLoad(b.getPtrTy(), innermost);
    CallInst* copy = b.CreateCall(borrow, {from, call->getArgOperand(2)});
    for (BasicBlock& block : made) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      if (end == nullptr) continue;
      b.SetInsertPoint(end);
      b.SetCurrentDebugLocation(call->getDebugLoc());
      b.CreateCall(all.runtime(k_give_back, b.getVoidTy(), {b.getPtrTy()}), {copy});
    }
    replace(call, copy);
  }
  return groups;
}

/// What fills the list of a group, and is not computed from anything but its address. @returns false when more is done
/// with it.
static bool collect_list(CallInst& begin, SmallPtrSetImpl<Instruction*>& all) {
  auto* list = dyn_cast<AllocaInst>(list_of(begin)->stripInBoundsOffsets());
  if (list == nullptr) return false;
  SmallVector<Instruction*> open{list};
  while (!open.empty()) {
    for (Use& use : open.pop_back_val()->uses()) {
      auto* user = cast<Instruction>(use.getUser());
      if (is_marker(*user) || user == &begin) continue;
      const bool writes = isa<MemSetInst>(user) || (isa<StoreInst>(user) && use.getOperandNo() == 1);
      if (!writes && !isa<GetElementPtrInst>(user)) return false;
      if (all.insert(user).second && !writes) open.push_back(user);
    }
  }
  return true;
}

bool move_group_to_iterations(Function& loop, BasicBlock& begin, Instruction& end) {
  const auto begins = calls_that(loop, begins_modifier);
  const auto ends = calls_that(loop, ends_modifier);
  if (begins.empty() && ends.empty()) return true;
  if (begins.size() != 1 || ends.size() != 1) return false;
  CallInst& group = *begins.front();
  SmallPtrSet<Instruction*, 16> moved{&group};
  if (!collect_list(group, moved)) return false;
  for (User* user : group.users()) {
    if (!isa<StoreInst>(user)) return false;
    moved.insert(cast<Instruction>(user));
  }
  const DominatorTree tree(loop);
  SmallVector<Instruction*> in_order;
  for (Instruction& each : instructions(loop)) {
    if (!moved.contains(&each)) continue;
    if (!tree.dominates(&each, &begin)) return false;
    in_order.push_back(&each);
  }
  // Nobody looks at the numbers of the thread.
  for (CallInst* call : {&group, ends.front()})
    call->setArgOperand(1, ConstantInt::get(call->getArgOperand(1)->getType(), 0));
  Instruction* first = &*begin.getFirstInsertionPt();
  for (Instruction* each : in_order) each->moveBefore(first);
  ends.front()->moveBefore(&end);
  return true;
}

/// Whether the OpenMP runtime would be told the number that `function` gets first.
static bool tells_number(Function& function, const CallInst& call) {
  Value* told = call.getArgOperand(0);
  auto* load = dyn_cast<LoadInst>(told);
  auto* variable = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
  if (variable != nullptr) {
    told = nullptr;
    for (User* user : variable->users()) {
      auto* store = dyn_cast<StoreInst>(user);
      if (store == nullptr && (isa<LoadInst>(user) || is_marker(*user))) continue;
      if (store == nullptr || store->getPointerOperand() != variable || told != nullptr) return false;
      told = store->getValueOperand();
    }
  }
  return told == function.getArg(0);
}

bool may_spare_copies(Function& function) {
  const auto asked = calls_that(function, asks_for_reduced);
  return !asked.empty() && function.arg_size() != 0 && function.getArg(0)->getType()->isIntegerTy(32) &&
         all_of(asked,
                [&](const CallInst* call) { return !asks_for_open_reduction(*call) && tells_number(function, *call); });
}

/// Whether a task can take part in no groups but those that begin in its function.
static bool has_its_groups(Function& function, const task_site& site) {
  for (auto* call : calls_in(instructions(function))) {
    if (finds_privates(*call)) return false;
  }
  // A group of the code around a region would come by the address of the variable that has it.
  SmallPtrSet<Value*, 16> seen;
  SmallVector<Value*> open{site.alloc};
  while (!open.empty()) {
    Value* pointer = open.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (User* user : pointer->users()) {
      if (isa<GetElementPtrInst>(user) || isa<PHINode>(user)) open.push_back(user);
      auto* store = dyn_cast<StoreInst>(user);
      if (store == nullptr || !store->getValueOperand()->getType()->isPointerTy()) continue;
      auto* load = dyn_cast<LoadInst>(store->getValueOperand());
      if (load != nullptr && !isa<AllocaInst>(load->getPointerOperand())) return false;
    }
  }
  return true;
}

static bool takes_part(const task_site& site) {
  if (!calls_that(*site.entry, asks_for_reduced).empty()) return may_spare_copies(*site.entry);
  // The entry has nothing but a call of the task's body.
  const auto parts = calls_that(*site.entry, [](StringRef) { return true; });
  return any_of(parts, [](const CallInst* call) {
    Function* body = call->getCalledFunction();
    return body != nullptr && !body->isDeclaration() && may_spare_copies(*body);
  });
}

/// Whether a function, or what it hands that argument to, looks at it.
static bool uses_argument(const Function& function, unsigned number, unsigned most_calls) {
  if (most_calls == 0 || function.isDeclaration() || number >= function.arg_size()) return true;
  SmallVector<const Value*> open{function.getArg(number)};
  while (!open.empty()) {
    const Value* value = open.pop_back_val();
    for (const Use& use : value->uses()) {
      const User* user = use.getUser();
      if (auto* store = dyn_cast<StoreInst>(user)) {
        auto* variable = dyn_cast<AllocaInst>(store->getPointerOperand());
        if (variable == nullptr || use.getOperandNo() != 0) return true;
        for (const User* reader : variable->users()) {
          if (isa<LoadInst>(reader)) {
            open.push_back(reader);
          } else if (!is_marker(*reader) && !isa<StoreInst>(reader)) {
            return true;
          }
        }
        continue;
      }
      auto* call = dyn_cast<CallBase>(user);
      const Function* callee = call == nullptr || !call->isArgOperand(&use) ? nullptr : call->getCalledFunction();
      if (callee == nullptr || uses_argument(*callee, call->getArgOperandNo(&use), most_calls - 1)) return true;
    }
  }
  return false;
}

/// Whether all that is stored to, or copied from, `captures` is what a task gets that takes part.
static bool is_of_tasks(const AllocaInst& captures, ArrayRef<task_site> tasks) {
  SmallVector<const Value*> open{&captures};
  bool copied = false;
  while (!open.empty()) {
    for (const Use& use : open.pop_back_val()->uses()) {
      const User* user = use.getUser();
      if (isa<GetElementPtrInst>(user)) {
        open.push_back(user);
        continue;
      }
      if (is_marker(*user) || (isa<StoreInst>(user) && use.getOperandNo() == 1)) continue;
      auto* copy = dyn_cast<MemCpyInst>(user);
      auto* to = copy == nullptr || use.getOperandNo() != 1 ? nullptr : dyn_cast<LoadInst>(copy->getDest());
      if (to == nullptr) return false;
      const Value* record = to->getPointerOperand()->stripInBoundsOffsets();
      const bool known = any_of(tasks, [&](const task_site& site) { return site.alloc == record && takes_part(site); });
      if (!known) return false;
      copied = true;
    }
  }
  return copied;
}

/// All that is run between the start of a group and its ends, in the function itself.
static SmallPtrSet<const Instruction*, 32> inside_of(const CallInst& init, ArrayRef<CallInst*> ends) {
  SmallPtrSet<const Instruction*, 32> inside;
  SmallVector<const Instruction*> open{&init};
  while (!open.empty()) {
    const Instruction* at = open.pop_back_val();
    while (at != nullptr && !is_contained(ends, at) && inside.insert(at).second) {
      if (at->isTerminator()) {
        for (const BasicBlock* next : successors(at->getParent())) open.push_back(&next->front());
      }
      at = at->getNextNode();
    }
  }
  return inside;
}

/// Whether nobody but tasks that take part may look at the variable of the only group while that is open.
static bool is_left_to_tasks(CallInst& init, ArrayRef<task_site> tasks) {
  auto* one = dyn_cast<ConstantInt>(count_of(init));
  auto* list = dyn_cast<AllocaInst>(list_of(init)->stripInBoundsOffsets());
  SmallVector<CallInst*> ends;
  if (one == nullptr || !one->isOne() || list == nullptr || !find_ends(init, ends)) return false;
  // What the list has: the variable, twice, and functions.
  AllocaInst* variable = nullptr;
  SmallVector<Value*> open{list};
  while (!open.empty()) {
    for (User* user : open.pop_back_val()->users()) {
      if (isa<GetElementPtrInst>(user)) open.push_back(user);
      auto* store = dyn_cast<StoreInst>(user);
      if (store == nullptr || !store->getValueOperand()->getType()->isPointerTy()) continue;
      Value* stored = store->getValueOperand()->stripInBoundsOffsets();
      if (auto* function = dyn_cast<Function>(stored)) {
        if (function->getName().starts_with(".red_init.") && uses_argument(*function, 1, 2)) return false;
        continue;
      }
      if (isa<ConstantPointerNull>(stored)) continue;
      auto* found = dyn_cast<AllocaInst>(stored);
      if (found == nullptr || (variable != nullptr && found != variable)) return false;
      variable = found;
    }
  }
  if (variable == nullptr) return false;
  const auto inside = inside_of(init, ends);
  open.push_back(variable);
  while (!open.empty()) {
    for (Use& use : open.pop_back_val()->uses()) {
      auto* user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst>(user)) {
        open.push_back(user);
        continue;
      }
      if (is_marker(*user)) continue;
      auto* store = dyn_cast<StoreInst>(user);
      if (store != nullptr && use.getOperandNo() == 0) {
        auto* to = dyn_cast<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets());
        if (to == nullptr || (to != list && !is_of_tasks(*to, tasks))) return false;
        continue;
      }
      if (!isa<LoadInst>(user) && store == nullptr && !isa<MemIntrinsic>(user)) return false;
      if (inside.contains(user)) return false;
    }
  }
  return true;
}

bool may_run_here(Function& function, ArrayRef<task_site> tasks, const task_site& site) {
  const auto groups = calls_that(function, begins_reductions);
  if (groups.size() != 1 || !calls_that(function, asks_for_reduced).empty() || !takes_part(site)) return false;
  return has_its_groups(function, site) && is_left_to_tasks(*groups.front(), tasks);
}

void spare_copies(Function& made) {
  IRBuilder<> b(&*made.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value* has_copy = b.CreateICmpNE(made.getArg(0), b.getInt32(k_runs_here));
  for (CallInst* borrow : calls_that(made, [](StringRef name) { return name == k_borrow; })) {
    BasicBlock* before = borrow->getParent();
    Instruction* end = SplitBlockAndInsertIfThen(has_copy, borrow, false);
    BasicBlock* behind = borrow->getParent();
    auto* variable = PHINode::Create(borrow->getType(), 2, "", &behind->front());
    borrow->replaceAllUsesWith(variable);
    variable->addIncoming(borrow->getArgOperand(1), before);
    variable->addIncoming(borrow, end->getParent());
    borrow->moveBefore(end);
  }
  for (CallInst* back : calls_that(made, [](StringRef name) { return name == k_give_back; })) {
    back->moveBefore(SplitBlockAndInsertIfThen(has_copy, back, false));
  }
}

}  // namespace takt_plugin
