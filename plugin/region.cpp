// Recognition of outlined functions. See README.md beside this file for the IR.
#include "region.hpp"

#include "surroundings.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

// Schedules, as kmp.h numbers them.
constexpr std::uint64_t k_static_chunked = 33;
constexpr std::uint64_t k_static = 34;
constexpr std::uint64_t k_first_dynamic = 35;
constexpr std::uint64_t k_last_dynamic = 38;  // auto
constexpr std::uint64_t k_static_balanced_chunked = 45;
constexpr std::uint64_t k_modifiers = 3ull << 29;  // monotonic, nonmonotonic

AllocaInst* slot_of(const CallInst& call, unsigned operand) {
  return dyn_cast<AllocaInst>(call.getArgOperand(operand));
}

std::uint64_t schedule_of(const CallInst& init) {
  auto* kind = dyn_cast<ConstantInt>(init.getArgOperand(2));
  return kind == nullptr ? 0 : kind->getZExtValue() & ~k_modifiers;
}

/// Blocks that only the atomic way of combining a reduction leads to: taken when the OpenMP runtime answers 2.
void collect_atomic_way(region& found, const DominatorTree& tree) {
  if (found.reduce == nullptr) return;
  for (User* user : found.reduce->users()) {
    auto* choice = dyn_cast<SwitchInst>(user);
    if (choice == nullptr) continue;
    auto atomic = choice->findCaseValue(ConstantInt::get(cast<IntegerType>(found.reduce->getType()), 2));
    if (atomic == choice->case_default() || atomic->getCaseSuccessor()->getSinglePredecessor() == nullptr) continue;
    SmallVector<BasicBlock*> blocks;
    tree.getDescendants(atomic->getCaseSuccessor(), blocks);
    found.atomic_way.insert(blocks.begin(), blocks.end());
  }
}

std::string read_static(region& found) {
  const std::uint64_t kind = schedule_of(*found.init);
  if (kind >= 65 && kind <= 70) return "its iterations are ordered";
  if (kind != k_static && kind != k_static_chunked && kind != k_static_balanced_chunked) {
    return "it has a schedule that is not known: " + std::to_string(kind);
  }
  // Clang makes the loop around the loop for both.
  found.is_chunked = kind != k_static;
  if (found.is_chunked) found.chunk = 8;
  found.last = slot_of(*found.init, 3);
  found.lower = slot_of(*found.init, 4);
  found.upper = slot_of(*found.init, 5);
  found.stride = slot_of(*found.init, 6);
  auto* step = dyn_cast<ConstantInt>(found.init->getArgOperand(7));
  if (found.fini == nullptr || step == nullptr || !step->isOne()) return "its loop has a shape that is not known";
  return {};
}

std::string read_dispatch(region& found) {
  const std::uint64_t kind = schedule_of(*found.init);
  if (kind >= 65 && kind <= 70) return "its iterations are ordered";
  if (kind < k_first_dynamic || kind > k_last_dynamic) {
    return "it has a schedule that is not known: " + std::to_string(kind);
  }
  if (found.next == nullptr) return "its loop has a shape that is not known";
  // Others may begin and end their chunks where they like.
  if (kind == k_first_dynamic) found.chunk = 6;
  found.last = slot_of(*found.next, 2);
  found.lower = slot_of(*found.next, 3);
  found.upper = slot_of(*found.next, 4);
  found.stride = slot_of(*found.next, 5);
  auto* step = dyn_cast<ConstantInt>(found.init->getArgOperand(5));
  if (step == nullptr || !step->isOne()) return "its loop has a shape that is not known";
  return {};
}

/// The array element or scalar at `pointer`: the pointer that a loop over an array begins with.
Value* first_of(Value* pointer) {
  auto* walk = dyn_cast<PHINode>(pointer);
  if (walk == nullptr) return pointer;
  Value* first = nullptr;
  for (Value* operand : walk->incoming_values()) {
    auto* step = dyn_cast<GEPOperator>(operand);
    if (step != nullptr && step->getPointerOperand() == walk) continue;
    if (first != nullptr) return nullptr;
    first = operand;
  }
  return first;
}

/// Whether `value` is the variable at `pointer` and the copy, put together by an operator of the language. One that the
/// program declares is a call.
bool combines(Value* value, const Value* pointer, const AllocaInst* copy) {
  const auto is_load_of_variable = [&](Value* v) {
    auto* load = dyn_cast<LoadInst>(v);
    return load != nullptr && load->isSimple() && load->getPointerOperand() == pointer;
  };
  const auto is_load_of_copy = [&](Value* v) {
    auto* load = dyn_cast<LoadInst>(v);
    return load != nullptr && load->isSimple() && first_of(load->getPointerOperand()) == copy;
  };
  if (auto* operation = dyn_cast<BinaryOperator>(value)) {
    switch (operation->getOpcode()) {
      case Instruction::Add:
      case Instruction::FAdd:
      case Instruction::Mul:
      case Instruction::FMul:
      case Instruction::And:
      case Instruction::Or:
      case Instruction::Xor:
        return is_load_of_variable(operation->getOperand(0)) && is_load_of_copy(operation->getOperand(1));
      default:
        return false;
    }
  }
  // min and max.
  if (auto* selected = dyn_cast<SelectInst>(value)) {
    auto* test = dyn_cast<CmpInst>(selected->getCondition());
    return test != nullptr && is_load_of_variable(test->getOperand(0)) && is_load_of_copy(test->getOperand(1)) &&
           selected->getTrueValue() == test->getOperand(0) && selected->getFalseValue() == test->getOperand(1);
  }
  auto* choice = dyn_cast<PHINode>(value);
  if (choice == nullptr || choice->getNumIncomingValues() != 2 || !is_load_of_variable(choice->getIncomingValue(0)) ||
      !is_load_of_copy(choice->getIncomingValue(1))) {
    return false;
  }
  BasicBlock* from = choice->getIncomingBlock(0)->getSinglePredecessor();
  auto* branch = from == nullptr ? nullptr : dyn_cast<BranchInst>(from->getTerminator());
  auto* less = branch == nullptr || !branch->isConditional() ? nullptr : dyn_cast<CmpInst>(branch->getCondition());
  return less != nullptr && from == choice->getIncomingBlock(1)->getSinglePredecessor() &&
         is_load_of_variable(less->getOperand(0)) && is_load_of_copy(less->getOperand(1));
}

/// Looks for the program's variables where the first thread combines its copies into them.
void find_variables(region& found, const DominatorTree& tree) {
  const CallInst* begin = found.init != nullptr ? found.init : found.reduce;
  const DataLayout& layout = found.outlined->getParent()->getDataLayout();
  for (User* user : found.reduce->users()) {
    auto* choice = dyn_cast<SwitchInst>(user);
    if (choice == nullptr) continue;
    auto only = choice->findCaseValue(ConstantInt::get(cast<IntegerType>(found.reduce->getType()), 1));
    if (only == choice->case_default() || only->getCaseSuccessor()->getSinglePredecessor() == nullptr) continue;
    SmallVector<BasicBlock*> blocks;
    tree.getDescendants(only->getCaseSuccessor(), blocks);
    for (BasicBlock* block : blocks) {
      for (Instruction& instruction : *block) {
        auto* store = dyn_cast<StoreInst>(&instruction);
        if (store == nullptr || !store->isSimple()) continue;
        Value* variable = first_of(store->getPointerOperand());
        auto* made = dyn_cast_or_null<Instruction>(variable);
        if (variable == nullptr || (made != nullptr && !tree.dominates(made, begin))) continue;
        const bool is_array = variable != store->getPointerOperand();
        for (reduction_part& part : found.parts) {
          if (part.length != nullptr) continue;
          const bool is_whole = is_array || part.bytes == layout.getTypeAllocSize(store->getValueOperand()->getType());
          if (part.variable != nullptr || !is_whole ||
              !combines(store->getValueOperand(), store->getPointerOperand(), part.copy)) {
            continue;
          }
          part.variable = variable;
          part.operation = dyn_cast<Instruction>(store->getValueOperand());
          part.variable_align = store->getAlign();
        }
      }
    }
  }
}

/// The calls that get the address of a variable, or of one of its elements.
SmallVector<const CallBase*> calls_with(const AllocaInst& variable) {
  SmallVector<const CallBase*> calls;
  SmallPtrSet<const Value*, 16> seen;
  SmallVector<const Value*> open{&variable};
  while (!open.empty()) {
    const Value* pointer = open.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (const User* user : pointer->users()) {
      if (auto* call = dyn_cast<CallBase>(user)) {
        calls.push_back(call);
      } else if (isa<GetElementPtrInst>(user) || isa<PHINode>(user)) {
        open.push_back(user);
      }
    }
  }
  return calls;
}

}  // namespace

std::string read_parts(region& found, const DominatorTree& tree) {
  const char* const unknown = "its reduction has a shape that is not known";
  auto* count = dyn_cast<ConstantInt>(found.reduce->getArgOperand(2));
  auto* list = dyn_cast<AllocaInst>(found.reduce->getArgOperand(4));
  if (count == nullptr || list == nullptr || !isa<Function>(found.reduce->getArgOperand(5))) return unknown;
  const DataLayout& layout = found.outlined->getParent()->getDataLayout();
  // Behind a variable that has no length at compile time stands its length.
  auto* list_type = dyn_cast<ArrayType>(list->getAllocatedType());
  if (list_type == nullptr) return unknown;
  std::vector<Value*> entries(list_type->getNumElements());
  if (entries.size() > 64) return "it has more than 64 reduction variables";
  for (User* user : list->users()) {
    Value* address = user;
    std::uint64_t index = 0;
    if (auto* element = dyn_cast<GetElementPtrInst>(user)) {
      APInt offset(64, 0);
      if (!element->accumulateConstantOffset(layout, offset)) return unknown;
      index = offset.getZExtValue() / 8;
    } else if (isa<StoreInst>(user)) {
      address = list;
    } else {
      continue;
    }
    for (User* access : address->users()) {
      auto* store = dyn_cast<StoreInst>(access);
      if (store == nullptr || store->getPointerOperand() != address) continue;
      if (index >= entries.size() || entries[index] != nullptr) return unknown;
      entries[index] = store->getValueOperand();
    }
  }
  const AllocaInst* sized_before = nullptr;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    auto* copy = dyn_cast_or_null<AllocaInst>(entries[e]);
    if (copy == nullptr) return unknown;
    const auto bytes = copy->getAllocationSize(layout);
    reduction_part part{copy, bytes ? bytes->getFixedValue() : 0, copy->getAlign()};
    if (!bytes) {
      auto* length = e + 1 < entries.size() ? dyn_cast_or_null<IntToPtrInst>(entries[e + 1]) : nullptr;
      part.length = copy->getArraySize();
      part.bytes = layout.getTypeAllocSize(copy->getAllocatedType());
      // A half's copy is where it leaves its result, in the order in which the copies are made.
      if (length == nullptr || length->getOperand(0) != part.length || !part.length->getType()->isIntegerTy(64) ||
          found.init == nullptr || !tree.dominates(copy, found.init) ||
          (sized_before != nullptr && !tree.dominates(sized_before, copy))) {
        return "it has a reduction over an array section of variable length whose shape is not known";
      }
      sized_before = copy;
      found.is_sized = true;
      ++e;
    }
    found.parts.push_back(part);
    for (const CallBase* call : calls_with(*copy)) {
      if (isa<IntrinsicInst>(call) || !tree.dominates(found.reduce, call)) continue;
      bool combines = false;
      for (User* chooser : found.reduce->users()) {
        auto* choice = dyn_cast<SwitchInst>(chooser);
        if (choice == nullptr) continue;
        for (auto& way : choice->cases()) combines |= tree.dominates(way.getCaseSuccessor(), call->getParent());
      }
      // A result is handed over byte by byte, and then the copy is gone.
      if (!combines) return "it has a reduction over a class with a destructor";
    }
  }
  if (found.parts.size() != count->getZExtValue()) return unknown;
  for (const reduction_part& part : found.parts) {
    if (found.is_sized && part.align > Align(16)) {
      return "it has a reduction over an array section of variable length, and over a variable of large alignment";
    }
  }
  find_variables(found, tree);
  return {};
}

namespace {

/// Whether a number of the thread goes nowhere but back to the OpenMP runtime.
bool number_is_unused(const LoadInst& number) {
  return std::all_of(number.user_begin(), number.user_end(), [](const User* user) {
    // Of a task that runs at once, the function is called directly.
    if (auto* call = dyn_cast<CallBase>(user)) return is_kmpc(*call) || name_of(*call).starts_with(".omp_task_entry.");
    // A temporary whose address a serial call of a nested region gets.
    auto* store = dyn_cast<StoreInst>(user);
    return store != nullptr && isa<AllocaInst>(store->getPointerOperand());
  });
}

/// Whether nothing that comes after a barrier can tell whether there was one: it is behind the loop, and what follows
/// looks at the function's own variables only.
bool only_ends(const region& found, ArrayRef<CallInst*> barriers, const DominatorTree& tree) {
  block_set combining;
  if (found.reduce != nullptr) {
    for (User* chooser : found.reduce->users()) {
      auto* choice = dyn_cast<SwitchInst>(chooser);
      if (choice == nullptr) return false;
      for (auto& way : choice->cases()) {
        SmallVector<BasicBlock*> blocks;
        if (way.getCaseSuccessor()->getSinglePredecessor() != nullptr)
          tree.getDescendants(way.getCaseSuccessor(), blocks);
        combining.insert(blocks.begin(), blocks.end());
      }
    }
  }
  const auto is_own = [](Value* pointer) {
    Value* root = root_of(pointer);
    // The first two say which thread it is, and that goes to the OpenMP runtime only.
    auto* argument = dyn_cast_or_null<Argument>(root);
    return isa_and_nonnull<AllocaInst>(root) || (argument != nullptr && argument->getArgNo() < 2);
  };
  const auto is_harmless = [&](Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) return is_own(load->getPointerOperand());
    if (auto* store = dyn_cast<StoreInst>(&instruction)) return is_own(store->getPointerOperand());
    if (isa<IntrinsicInst>(instruction)) return is_marker(instruction);
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      return is_kmpc(*call) ? !name_of(*call).contains("init") && name_of(*call) != "__kmpc_fork_call"
                            : makes_private_copy(*call);
    }
    return !instruction.mayReadOrWriteMemory();
  };
  block_set seen;
  SmallVector<Instruction*> open;
  for (CallInst* barrier : barriers) open.push_back(barrier->getNextNode());
  while (!open.empty()) {
    Instruction* at = open.pop_back_val();
    for (BasicBlock* next : successors(at->getParent())) {
      if (seen.insert(next).second) open.push_back(&next->front());
    }
    if (combining.contains(at->getParent())) continue;
    for (; at != nullptr; at = at->getNextNode()) {
      if (!is_harmless(*at)) return false;
    }
  }
  return true;
}

/// The iterations are run again and again, chunk by chunk: nothing computed inside may be used outside.
bool is_repeatable(const region& found) {
  if (found.next != nullptr) return true;
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  for (BasicBlock* block : inside) {
    for (Instruction& instruction : *block) {
      if (block == found.init->getParent() && !found.init->comesBefore(&instruction)) continue;
      if (block == found.fini->getParent() && !instruction.comesBefore(found.fini)) continue;
      for (User* user : instruction.users()) {
        auto* where = cast<Instruction>(user);
        const bool after =
            !inside.contains(where->getParent()) ||
            (where != found.fini && where->getParent() == found.fini->getParent() && !where->comesBefore(found.fini));
        if (after) return false;
      }
    }
  }
  return true;
}

}  // namespace

StringRef name_of(const CallBase& call) {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee == nullptr ? StringRef() : callee->getName();
}

bool is_marker(const User& user) {
  auto* intrinsic = dyn_cast<IntrinsicInst>(&user);
  return intrinsic != nullptr && (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic));
}

bool is_kmpc(const CallBase& call) { return name_of(call).starts_with("__kmpc_"); }

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

bool find_numbers(Function& outlined, SmallVectorImpl<LoadInst*>& numbers) {
  SmallVector<Value*> pointers{outlined.getArg(0), outlined.getArg(1)};
  while (!pointers.empty()) {
    Value* pointer = pointers.pop_back_val();
    for (User* user : pointer->users()) {
      if (auto* number = dyn_cast<LoadInst>(user)) {
        if (!number_is_unused(*number)) return false;
        numbers.push_back(number);
        continue;
      }
      // Kept in a slot, with -g in one after the other.
      auto* spill = dyn_cast<StoreInst>(user);
      auto* slot = spill == nullptr ? nullptr : dyn_cast<AllocaInst>(spill->getPointerOperand());
      if (slot == nullptr || spill->getValueOperand() != pointer || only_store(*slot) != spill) {
        return false;
      }
      for (User* of_slot : slot->users()) {
        if (isa<LoadInst>(of_slot)) pointers.push_back(of_slot);
      }
    }
  }
  return true;
}

bool is_lock_or_fence(StringRef callee) {
  return callee == "__kmpc_critical" || callee == "__kmpc_critical_with_hint" || callee == "__kmpc_end_critical" ||
         callee == "__kmpc_flush";
}

Value* threads_asked_for(const site& where) {
  if (where.push_threads == nullptr) return nullptr;
  Value* threads = where.push_threads->getArgOperand(2);
  auto* constant = dyn_cast<ConstantInt>(threads);
  return constant != nullptr && constant->getSExtValue() > 1 ? nullptr : threads;
}

StoreInst* only_store(AllocaInst& slot) {
  StoreInst* only = nullptr;
  for (User* user : slot.users()) {
    if (auto* store = dyn_cast<StoreInst>(user); store != nullptr && store->getPointerOperand() == &slot) {
      if (only != nullptr || store->getValueOperand() == &slot) return nullptr;
      only = store;
    } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(user); intrinsic != nullptr) {
      if (!intrinsic->isLifetimeStartOrEnd() && !isa<DbgInfoIntrinsic>(intrinsic)) return nullptr;
    } else if (!isa<LoadInst>(user)) {
      return nullptr;
    }
  }
  return only;
}

namespace {

Value* find_root(Value* pointer, SmallPtrSetImpl<Value*>& seen) {
  while (seen.insert(pointer).second) {
    pointer = pointer->stripPointerCasts();
    if (isa<AllocaInst>(pointer) || isa<Argument>(pointer)) return pointer;
    if (auto* element = dyn_cast<GEPOperator>(pointer)) {
      pointer = element->getPointerOperand();
    } else if (auto* merge = dyn_cast<PHINode>(pointer)) {
      // A pointer that walks over an array. An operand that leads back here adds nothing.
      Value* root = nullptr;
      for (Value* operand : merge->incoming_values()) {
        auto* step = dyn_cast<GEPOperator>(operand);
        if (step != nullptr && step->getPointerOperand() == merge) continue;
        SmallPtrSet<Value*, 8> so_far(seen.begin(), seen.end());
        Value* one = find_root(operand, so_far);
        if (one == nullptr || (root != nullptr && root != one)) return nullptr;
        root = one;
      }
      return root;
    } else {
      auto* load = dyn_cast<LoadInst>(pointer);
      auto* slot = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
      StoreInst* only = slot == nullptr ? nullptr : only_store(*slot);
      if (only == nullptr) return nullptr;
      pointer = only->getValueOperand();
    }
  }
  return nullptr;
}

}  // namespace

Value* root_of(Value* pointer) {
  SmallPtrSet<Value*, 8> seen;
  return find_root(pointer, seen);
}

namespace {

/// Functions that are kept in case they are needed, and the regions in them.
SmallPtrSet<const Function*, 8> find_unused(Module& module, const std::set<const Function*>& awake) {
  SmallPtrSet<const Function*, 8> unused;
  SmallVector<const Function*> open;
  for (const Function& function : module) {
    if (function.hasLocalLinkage() && function.use_empty() && !awake.contains(&function)) open.push_back(&function);
  }
  while (!open.empty()) {
    const Function* function = open.pop_back_val();
    if (!unused.insert(function).second) continue;
    for (auto* call : calls_in<CallInst>(instructions(*function))) {
      if (name_of(*call) != "__kmpc_fork_call") continue;
      auto* outlined = dyn_cast<Function>(call->getArgOperand(2)->stripPointerCasts());
      if (outlined != nullptr && outlined->hasLocalLinkage()) open.push_back(outlined);
    }
  }
  return unused;
}

}  // namespace

namespace {

/// num_threads: the call of the OpenMP runtime before the fork, or before the choice that an if clause makes.
CallInst* find_push(CallInst& fork) {
  SmallPtrSet<BasicBlock*, 8> seen;
  Instruction* from = &fork;
  for (BasicBlock* block = fork.getParent(); block != nullptr && seen.insert(block).second;
       block = block->getSinglePredecessor()) {
    if (from == nullptr) from = block->getTerminator();
    for (; from != nullptr; from = from->getPrevNode()) {
      auto* other = dyn_cast<CallInst>(from);
      if (other == nullptr || other == &fork || !is_kmpc(*other) || name_of(*other) == "__kmpc_global_thread_num")
        continue;
      // Where threads run is not for takt loops.
      if (name_of(*other) == "__kmpc_push_proc_bind") continue;
      return name_of(*other) == "__kmpc_push_num_threads" ? other : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

constexpr const char* k_kept = "takt.kept";

bool is_kept(const CallBase& fork) { return fork.getMetadata(k_kept) != nullptr; }

void mark_kept(CallBase& fork) { fork.setMetadata(k_kept, MDNode::get(fork.getContext(), {})); }

void find_serial(site& where, Function& outlined) {
  for (User* other_user : outlined.users()) {
    auto* serial = dyn_cast<CallInst>(other_user);
    if (serial == nullptr || serial->getCalledOperand() != &outlined) continue;
    for (Instruction* i = serial; i != nullptr; i = i->getPrevNode()) {
      if (auto* c = dyn_cast<CallInst>(i); c != nullptr && name_of(*c) == "__kmpc_serialized_parallel") {
        where.serial_begin = c;
        break;
      }
    }
    for (Instruction* i = serial; i != nullptr; i = i->getNextNode()) {
      if (auto* c = dyn_cast<CallInst>(i); c != nullptr && name_of(*c) == "__kmpc_end_serialized_parallel") {
        where.serial_end = c;
        break;
      }
    }
    if (where.serial_begin != nullptr && where.serial_end != nullptr) where.serial = serial;
  }
}

std::vector<site> find_sites(Module& module, const std::set<const Function*>& awake) {
  std::vector<site> sites;
  Function* fork = module.getFunction("__kmpc_fork_call");
  if (fork == nullptr) return sites;
  // In the order of the file, for the sake of the remarks.
  std::vector<CallInst*> calls;
  const SmallPtrSet<const Function*, 8> unused = find_unused(module, awake);
  for (Function& function : module) {
    if (unused.contains(&function)) continue;
    for (auto* call : calls_in<CallInst>(instructions(function))) {
      if (call->getCalledOperand() == fork && !is_kept(*call)) calls.push_back(call);
    }
  }
  for (CallInst* call : calls) {
    site found;
    found.fork = call;
    found.outlined = dyn_cast<Function>(call->getArgOperand(2)->stripPointerCasts());
    if (found.outlined == nullptr) continue;
    found.push_threads = find_push(*call);
    find_serial(found, *found.outlined);
    sites.push_back(found);
  }
  return sites;
}

std::string recognise(const site& where, const std::vector<site>& sites, region& found) {
  Function& outlined = *where.outlined;
  found.outlined = &outlined;
  if (outlined.isDeclaration() || !outlined.hasLocalLinkage()) return "its outlined function is not known";
  const std::size_t expected_uses = where.serial != nullptr ? 2 : 1;
  if (outlined.getNumUses() != expected_uses) return "its outlined function is used in a way that is not known";

  std::vector<CallBase*> other_calls;
  std::vector<CallInst*> barriers;
  std::string several;
  for (auto* call : calls_in(instructions(outlined))) {
    if (!is_kmpc(*call)) continue;
    auto* plain = dyn_cast<CallInst>(call);
    const StringRef name = name_of(*call);
    const bool init = name.starts_with("__kmpc_for_static_init_") || name.starts_with("__kmpc_dispatch_init_");
    if (plain != nullptr && init) {
      if (found.init != nullptr) several = "it has more than one loop";
      found.init = plain;
      found.is_unsigned = name.ends_with("u");
    } else if (plain != nullptr && (name == "__kmpc_for_static_fini" || name == "__kmpc_dispatch_deinit")) {
      if (found.fini != nullptr) several = "it has more than one loop";
      found.fini = plain;
    } else if (plain != nullptr && name.starts_with("__kmpc_dispatch_next_")) {
      if (found.next != nullptr) several = "it has more than one loop";
      found.next = plain;
    } else if (plain != nullptr && (name == "__kmpc_reduce_nowait" || name == "__kmpc_reduce")) {
      if (found.reduce != nullptr) several = "it combines reductions more than once";
      found.reduce = plain;
    } else if (plain != nullptr && (name == "__kmpc_end_reduce_nowait" || name == "__kmpc_end_reduce")) {
      found.dropped.push_back(plain);
    } else if (plain != nullptr && name == "__kmpc_barrier") {
      barriers.push_back(plain);
    } else if (!is_lock_or_fence(name)) {
      other_calls.push_back(call);
    }
  }
  const DominatorTree tree(outlined);
  collect_atomic_way(found, tree);
  for (CallBase* call : other_calls) {
    if (found.atomic_way.contains(call->getParent())) continue;
    const bool belongs = std::any_of(sites.begin(), sites.end(), [call](const site& s) {
      return call == s.fork || call == s.push_threads || call == s.serial_begin || call == s.serial_end;
    });
    if (!belongs && name_of(*call) != "__kmpc_global_thread_num") return refusal_for(name_of(*call));
  }

  if (found.init == nullptr) return "it is not a loop";
  if (!several.empty()) return several;
  if (!barriers.empty() && !only_ends(found, barriers, tree)) return "it has a barrier";
  found.dropped.insert(found.dropped.end(), barriers.begin(), barriers.end());
  std::string why = name_of(*found.init).starts_with("__kmpc_for_static") ? read_static(found) : read_dispatch(found);
  if (!why.empty()) return why;
  if (found.last == nullptr || found.lower == nullptr || found.upper == nullptr || found.stride == nullptr ||
      !found.lower->getAllocatedType()->isIntegerTy() || !is_repeatable(found)) {
    return "its loop has a shape that is not known";
  }
  SmallVector<LoadInst*> numbers;
  if (!find_numbers(outlined, numbers)) return "it uses the number of its thread";
  if (found.reduce != nullptr) {
    why = read_parts(found, tree);
    if (!why.empty()) return why;
  }
  return check_surroundings(found, tree);
}

}  // namespace takt_plugin
