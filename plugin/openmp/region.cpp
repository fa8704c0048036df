// Recognition of outlined functions. See README.md beside this file for the IR.
#include "openmp/region.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

block_set blocks_behind(const BasicBlock& block) {
  block_set found;
  SmallVector<const BasicBlock*> open{&block};
  while (!open.empty()) {
    for (const BasicBlock* next : successors(open.pop_back_val())) {
      if (found.insert(const_cast<BasicBlock*>(next)).second) open.push_back(next);
    }
  }
  return found;
}

void add_dominated(const BasicBlock& first, const DominatorTree& tree, SmallPtrSetImpl<BasicBlock*>& blocks) {
  SmallVector<BasicBlock*> all;
  tree.getDescendants(const_cast<BasicBlock*>(&first), all);
  blocks.insert(all.begin(), all.end());
}

namespace {

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
bool is_combination(Value* value, const Value* pointer, const AllocaInst* copy) {
  const auto is_load_of_variable = [&](Value* v) {
    auto* load = dyn_cast<LoadInst>(v);
    return load != nullptr && load->isSimple() && load->getPointerOperand() == pointer;
  };
  const auto is_load_of_copy = [&](Value* v) {
    auto* load = dyn_cast<LoadInst>(v);
    return load != nullptr && load->isSimple() && first_of(load->getPointerOperand()) == copy;
  };
  if (auto* operation = dyn_cast<BinaryOperator>(value)) {
    return operation->isCommutative() && is_load_of_variable(operation->getOperand(0)) &&
           is_load_of_copy(operation->getOperand(1));
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
  SmallPtrSet<BasicBlock*, 8> combining;
  collect_combination(*found.reduce, tree, combining, 1);
  for (BasicBlock& block : *found.outlined) {
    if (!combining.contains(&block)) continue;
    for (Instruction& instruction : block) {
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
            !is_combination(store->getValueOperand(), store->getPointerOperand(), part.copy)) {
          continue;
        }
        part.variable = variable;
        part.operation = dyn_cast<Instruction>(store->getValueOperand());
        part.variable_align = store->getAlign();
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

/// Whether this is the copy of a part of an array that belongs to no function: Clang 19 computes where the array would
/// begin in it, and then lets the loop add to the array itself.
bool is_passed_by(const AllocaInst& copy) {
  return any_of(copy.users(), [](const User* user) {
    auto* begin = dyn_cast<GetElementPtrInst>(user);
    if (begin == nullptr || !begin->use_empty() || begin->getNumIndices() != 1) return false;
    auto* distance = dyn_cast<BinaryOperator>(begin->idx_begin()->get());
    if (distance == nullptr || distance->getOpcode() != Instruction::SDiv) return false;
    // From the array to a part whose begin is known, or is not.
    auto* bytes = dyn_cast<BinaryOperator>(distance->getOperand(0));
    return isa<ConstantExpr>(bytes != nullptr && bytes->getOpcode() == Instruction::Sub ? bytes->getOperand(0)
                                                                                        : distance->getOperand(0));
  });
}

}  // namespace

void collect_combination(const CallBase& reduce, const DominatorTree& tree, SmallPtrSetImpl<BasicBlock*>& blocks,
                         std::optional<unsigned> answer) {
  for (const User* user : reduce.users()) {
    auto* choice = dyn_cast<SwitchInst>(user);
    if (choice == nullptr) continue;
    for (const auto& way : choice->cases()) {
      if (answer && way.getCaseValue()->getZExtValue() != *answer) continue;
      if (way.getCaseSuccessor()->getSinglePredecessor() == nullptr) continue;
      add_dominated(*way.getCaseSuccessor(), tree, blocks);
    }
  }
}

refusal read_parts(region& found, const DominatorTree& tree) {
  const reason unknown = reason::reduction_shape;
  auto* count = dyn_cast<ConstantInt>(found.reduce->getArgOperand(2));
  auto* list = dyn_cast<AllocaInst>(found.reduce->getArgOperand(4));
  if (count == nullptr || list == nullptr || !isa<Function>(found.reduce->getArgOperand(5))) return unknown;
  const DataLayout& layout = found.outlined->getParent()->getDataLayout();
  // Behind a variable that has no length at compile time stands its length.
  auto* list_type = dyn_cast<ArrayType>(list->getAllocatedType());
  if (list_type == nullptr) return unknown;
  std::vector<Value*> entries(list_type->getNumElements());
  if (entries.size() > 64) return reason::reduction_many;
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
    if (is_passed_by(*copy)) return reason::reduction_global_part;
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
        return reason::reduction_sized_shape;
      }
      sized_before = copy;
      found.is_sized = true;
      ++e;
    }
    found.parts.push_back(part);
    for (const CallBase* call : calls_with(*copy)) {
      if (isa<IntrinsicInst>(call) || !tree.dominates(found.reduce, call)) continue;
      // A result is handed over byte by byte, and then the copy is gone.
      const bool combines = any_of(found.reduce->users(), [&](User* chooser) {
        auto* choice = dyn_cast<SwitchInst>(chooser);
        return choice != nullptr && any_of(choice->cases(), [&](const auto& way) {
                 return tree.dominates(way.getCaseSuccessor(), call->getParent());
               });
      });
      if (!combines) return reason::reduction_destructor;
    }
  }
  if (found.parts.size() != count->getZExtValue()) return unknown;
  for (const reduction_part& part : found.parts) {
    if (found.is_sized && part.align > Align(16)) return reason::reduction_aligned;
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

}  // namespace

void collect_iterations(const region& found, SmallPtrSetImpl<BasicBlock*>& inside) {
  SmallVector<BasicBlock*> open;
  const auto visit = [&](BasicBlock* block) {
    if (inside.insert(block).second) open.push_back(block);
  };
  BasicBlock* const end = found.next != nullptr ? found.next->getParent() : found.fini->getParent();
  if (found.next != nullptr) {
    // The block that asks for the next chunk comes with each chunk and has no code of the program's.
    inside.insert(end);
    for (BasicBlock* successor : successors(end)) {
      if (found.fini == nullptr || successor != found.fini->getParent()) visit(successor);
    }
  } else {
    inside.insert(end);
    visit(found.init->getParent());
  }
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (block == end || (found.next != nullptr && found.fini != nullptr && block == found.fini->getParent())) continue;
    for (BasicBlock* successor : successors(block)) visit(successor);
  }
}

void collect_last(AllocaInst& last, const DominatorTree& tree, SmallPtrSetImpl<BasicBlock*>& once) {
  for (User* user : last.users()) {
    if (!isa<LoadInst>(user)) continue;
    for (User* test : user->users()) {
      auto* compare = dyn_cast<ICmpInst>(test);
      if (compare == nullptr || compare->getPredicate() != CmpInst::ICMP_NE) continue;
      for (User* choice : compare->users()) {
        auto* branch = dyn_cast<BranchInst>(choice);
        if (branch == nullptr || !branch->isConditional()) continue;
        BasicBlock* taken = branch->getSuccessor(0);
        if (taken->getSinglePredecessor() == nullptr) continue;
        add_dominated(*taken, tree, once);
      }
    }
  }
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

Value* threads_asked_for(const site& where) {
  if (where.push_threads == nullptr) return nullptr;
  Value* threads = where.push_threads->getArgOperand(2);
  auto* constant = dyn_cast<ConstantInt>(threads);
  return constant != nullptr && constant->getSExtValue() > 1 ? nullptr : threads;
}

std::pair<Instruction*, Instruction*> split_by_threads(Value& threads, Instruction& at) {
  IRBuilder<> b(&at);
  Instruction* one = nullptr;
  Instruction* more = nullptr;
  SplitBlockAndInsertIfThenElse(b.CreateICmpEQ(&threads, ConstantInt::get(threads.getType(), 1)), &at, &one, &more);
  return {one, more};
}

std::pair<Instruction*, CallInst*> split_by_identity(const site& where) {
  IRBuilder<> b(where.fork);
  FunctionCallee may = where.fork->getModule()->getOrInsertFunction("takt_omp_may_convert", b.getInt1Ty());
  if (auto* function = dyn_cast<Function>(may.getCallee())) {
    function->setDoesNotThrow();
    function->addRetAttr(Attribute::ZExt);
  }
  Instruction* converted = nullptr;
  Instruction* left = nullptr;
  SplitBlockAndInsertIfThenElse(b.CreateCall(may), where.fork, &converted, &left);
  auto* kept = cast<CallInst>(where.fork->clone());
  kept->insertBefore(left);
  if (where.push_threads != nullptr) where.push_threads->moveBefore(kept);
  return {converted, kept};
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
      if (name_of(*call) != kmpc::fork_call) continue;
      auto* outlined = dyn_cast<Function>(call->getArgOperand(2)->stripPointerCasts());
      if (outlined != nullptr && outlined->hasLocalLinkage()) open.push_back(outlined);
    }
  }
  return unused;
}

/// num_threads: the call of the OpenMP runtime before the fork, or before the choice that an if clause makes.
CallInst* find_push(CallInst& fork) {
  SmallPtrSet<BasicBlock*, 8> seen;
  Instruction* from = &fork;
  for (BasicBlock* block = fork.getParent(); block != nullptr && seen.insert(block).second;
       block = block->getSinglePredecessor()) {
    if (from == nullptr) from = block->getTerminator();
    for (; from != nullptr; from = from->getPrevNode()) {
      auto* other = dyn_cast<CallInst>(from);
      if (other == nullptr || other == &fork || !is_kmpc(*other) || name_of(*other) == kmpc::global_thread_num)
        continue;
      // Where threads run is not for takt loops.
      if (name_of(*other) == kmpc::push_proc_bind) continue;
      return name_of(*other) == kmpc::push_num_threads ? other : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

void find_serial(site& where, Function& outlined) {
  for (User* other_user : outlined.users()) {
    auto* serial = dyn_cast<CallInst>(other_user);
    if (serial == nullptr || serial->getCalledOperand() != &outlined) continue;
    for (Instruction* i = serial; i != nullptr; i = i->getPrevNode()) {
      if (auto* c = dyn_cast<CallInst>(i); c != nullptr && name_of(*c) == kmpc::serialized_parallel) {
        where.serial_begin = c;
        break;
      }
    }
    for (Instruction* i = serial; i != nullptr; i = i->getNextNode()) {
      if (auto* c = dyn_cast<CallInst>(i); c != nullptr && name_of(*c) == kmpc::end_serialized_parallel) {
        where.serial_end = c;
        break;
      }
    }
    if (where.serial_begin != nullptr && where.serial_end != nullptr) where.serial = serial;
  }
}

std::vector<site> find_sites(Module& module, const std::set<const Function*>& awake) {
  std::vector<site> sites;
  Function* fork = module.getFunction(kmpc::fork_call);
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

}  // namespace takt_plugin
