// Shares of sums. See "Shares" in README.md beside this file.
#include "teams/shares.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "teams/scratch.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

/// A critical section beside the constructs: `variable += share;`, any number of times.
struct section : stretch {
  SmallPtrSet<const LoadInst*, 8> shares;         ///< loads of them
  SmallPtrSet<const LoadInst*, 8> sums;           ///< loads of what they are added to
  MapVector<AllocaInst*, BinaryOperator*> added;  ///< the shares, and one of the additions of each
};

/// From the start of a critical section to its end; false: it is not as simple.
bool find_blocks(CallInst& begin, const constructs& all, section& found) {
  CallInst* end = nullptr;
  block_set seen;
  SmallVector<Instruction*> open{begin.getNextNode()};
  while (!open.empty()) {
    Instruction* at = open.pop_back_val();
    BasicBlock* block = at->getParent();
    if (construct_of(all, *at) != nullptr) return false;
    bool ended = false;
    for (; at != nullptr && !ended; at = at->getNextNode()) {
      auto* call = dyn_cast<CallInst>(at);
      if (call == nullptr || !is_kmpc(*call)) continue;
      if (name_of(*call) != kmpc::end_critical || (end != nullptr && end != call)) return false;
      end = call;
      ended = true;
    }
    if (ended) continue;
    if (succ_empty(block)) return false;
    for (BasicBlock* next : successors(block)) {
      if (next == begin.getParent()) return false;
      if (seen.insert(next).second) open.push_back(&next->front());
    }
  }
  if (end == nullptr) return false;
  found.begin = begin.getNextNode();
  found.end = end->getNextNode();
  found.blocks = seen;
  found.blocks.insert(begin.getParent());
  // Nobody comes in from elsewhere.
  return all_of(seen, [&](BasicBlock* block) {
    return all_of(predecessors(block), [&](BasicBlock* from) { return found.blocks.contains(from); });
  });
}

/// Whether a value is the same for all threads: computed from constants, from what the region is given, and from
/// variables of the thread, which hold the same beside the constructs.
bool is_same_for_all(Value* value, const section& in) {
  SmallVector<Value*> open{value};
  SmallPtrSet<Value*, 16> seen;
  while (!open.empty()) {
    Value* at = open.pop_back_val();
    if (!seen.insert(at).second || isa<Constant>(at) || isa<Argument>(at)) continue;
    auto* made = dyn_cast<Instruction>(at);
    if (made == nullptr || seen.size() > 32) return false;
    if (auto* load = dyn_cast<LoadInst>(made)) {
      auto* slot = dyn_cast<AllocaInst>(load->getPointerOperand());
      if (!load->isSimple() || slot == nullptr || in.shares.contains(load)) return false;
      continue;
    }
    const bool is_simple = isa<BinaryOperator>(made) || isa<CastInst>(made) || isa<CmpInst>(made) ||
                           isa<SelectInst>(made) || isa<PHINode>(made);
    if (!is_simple) return false;
    open.append(made->op_begin(), made->op_end());
  }
  return true;
}

/// The loads are of the share, and of what it is added to.
struct addition {
  BinaryOperator* sum = nullptr;  ///< null: the store is something else
  AllocaInst* share = nullptr;
  LoadInst *more = nullptr, *old = nullptr;
};

/// `variable += share;`
addition addition_of(StoreInst& store, const section& in) {
  auto* sum = dyn_cast<BinaryOperator>(store.getValueOperand());
  if (sum == nullptr || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::FAdd)) return {};
  auto* old = dyn_cast<LoadInst>(sum->getOperand(0));
  auto* more = dyn_cast<LoadInst>(sum->getOperand(1));
  if (old == nullptr || more == nullptr || !sum->hasOneUse() || !old->hasOneUse() || !more->hasOneUse()) return {};
  if (old->getPointerOperand() != store.getPointerOperand()) std::swap(old, more);
  auto* share = dyn_cast<AllocaInst>(getUnderlyingObject(more->getPointerOperand()));
  const bool is_simple = store.isSimple() && old->isSimple() && more->isSimple();
  if (old->getPointerOperand() != store.getPointerOperand() || share == nullptr || !is_simple ||
      !in.contains(*old) || !in.contains(*more)) {
    return {};
  }
  Type* type = share->getAllocatedType();
  if (!type->isArrayTy() && (more->getPointerOperand() != share || more->getType() != type)) return {};
  return {sum, share, more, old};
}

/// What an address is computed from, as far as it is known.
const Value* base_of(Value* pointer) {
  const Value* root = root_of(pointer);
  return root != nullptr ? root : getUnderlyingObject(pointer);
}

/// Whether what a critical section does is to add variables of its thread to others, the same ones for each thread.
bool only_adds_shares(section& in) {
  Function& region = *in.begin->getFunction();
  effects_of_functions known(&region);
  effects all;
  SmallVector<StoreInst*> counters;
  SmallPtrSet<const Value*, 8> variables;
  // In the order of the program, so that the same is made of it each time.
  for (BasicBlock& block : region) {
    if (!in.blocks.contains(&block)) continue;
    for (Instruction& instruction : block) {
      if (!in.contains(instruction)) continue;
      auto* store = dyn_cast<StoreInst>(&instruction);
      if (store == nullptr) {
        const bool is_end = isa<CallBase>(instruction) && is_kmpc(cast<CallBase>(instruction));
        if (!is_end && instruction.mayWriteToMemory() && !is_marker(instruction)) return false;
        continue;
      }
      const addition found = addition_of(*store, in);
      // Not to one that is the thread's own.
      if (found.sum != nullptr && !isa_and_nonnull<AllocaInst>(root_of(store->getPointerOperand()))) {
        known.add(*store, all);
        in.shares.insert(found.more);
        in.sums.insert(found.old);
        in.added.insert({found.share, found.sum});
        variables.insert(base_of(store->getPointerOperand()));
      } else if (isa<AllocaInst>(store->getPointerOperand()) && store->isSimple()) {
        counters.push_back(store);
      } else {
        return false;
      }
    }
  }
  if (!all.writes_shared || all.unknown || all.written_arguments != 0) return false;
  if (!std::all_of(counters.begin(), counters.end(), [&](StoreInst* store) {
        return in.added.count(cast<AllocaInst>(store->getPointerOperand())) == 0 &&
               is_same_for_all(store->getValueOperand(), in);
      })) {
    return false;
  }
  // What is added up is read for nothing else, neither the shares nor the sums.
  for (BasicBlock* block : in.blocks) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    const bool is_known = branch != nullptr && (branch->isUnconditional() || is_same_for_all(branch->getCondition(), in));
    if (in.contains(*block->getTerminator()) && !is_known) return false;
    for (Instruction& instruction : *block) {
      if (!in.contains(instruction)) continue;
      auto* load = dyn_cast<LoadInst>(&instruction);
      if (load == nullptr || in.shares.contains(load) || in.sums.contains(load)) continue;
      const Value* from = base_of(load->getPointerOperand());
      auto* own = dyn_cast<AllocaInst>(from);
      if (variables.contains(from) || (own != nullptr && in.added.count(const_cast<AllocaInst*>(own)) != 0))
        return false;
    }
  }
  return true;
}

/// Whether each thread's share begins with nothing, and is otherwise only added to, in loops.
bool is_share(total& of, const constructs& all, const section& adding, const DominatorTree& tree) {
  StoreInst* first = nullptr;
  SmallPtrSet<const construct*, 4> used_in;
  for (User* user : of.copy->users()) {
    auto* instruction = cast<Instruction>(user);
    if (is_marker(*user) || adding.contains(*instruction)) continue;
    auto* store = dyn_cast<StoreInst>(instruction);
    auto* load = dyn_cast<LoadInst>(instruction);
    Type* type = store != nullptr ? store->getValueOperand()->getType() : load != nullptr ? load->getType() : nullptr;
    const bool is_simple = (store != nullptr && store->isSimple()) || (load != nullptr && load->isSimple());
    if (!is_simple || type != of.copy->getAllocatedType()) return false;
    if (const construct* c = construct_of(all, *instruction); c != nullptr) {
      used_in.insert(c);
      continue;
    }
    auto* value = store == nullptr ? nullptr : dyn_cast<Constant>(store->getValueOperand());
    if (first != nullptr || value == nullptr || !value->isZeroValue()) return false;
    first = store;
  }
  if (first == nullptr || !tree.dominates(first, adding.begin) || used_in.empty()) return false;
  of.identity = cast<Constant>(first->getValueOperand());
  return std::all_of(used_in.begin(), used_in.end(), [&](const construct* c) {
    of.added_in.insert(c);
    return c->is_loop() && tree.dominates(first, c->begin) && only_adds(of, *c);
  });
}

/// The type of all elements of an array, of one dimension or more; null: it has no such type.
Type* element_of(const AllocaInst& share) {
  Type* type = share.getAllocatedType();
  if (!type->isArrayTy() || share.isArrayAllocation()) return nullptr;
  while (type->isArrayTy()) type = type->getArrayElementType();
  return type->isIntegerTy() || type->isFloatingPointTy() ? type : nullptr;
}

/// Whether `value` is what was at the address of `store`, plus other things.
bool adds_to(const StoreInst& store, Value* value, unsigned opcode, SmallPtrSetImpl<const Instruction*>& used) {
  if (!value->hasOneUse()) return false;
  if (auto* load = dyn_cast<LoadInst>(value)) {
    return load->isSimple() && load->getPointerOperand() == store.getPointerOperand() &&
           load->getParent() == store.getParent() && used.insert(load).second;
  }
  if (auto* call = dyn_cast<IntrinsicInst>(value)) {
    return opcode == Instruction::FAdd && call->getIntrinsicID() == Intrinsic::fmuladd &&
           adds_to(store, call->getArgOperand(2), opcode, used);
  }
  if (auto* cast = dyn_cast<CastInst>(value)) {
    // Wider in between: the bits that are stored depend on no others.
    const bool is_wider = isa<SExtInst>(cast) || isa<ZExtInst>(cast) || isa<TruncInst>(cast);
    Type* type = store.getValueOperand()->getType();
    return is_wider && type->isIntegerTy() && cast->getType()->getIntegerBitWidth() >= type->getIntegerBitWidth() &&
           adds_to(store, cast->getOperand(0), opcode, used);
  }
  auto* sum = dyn_cast<BinaryOperator>(value);
  if (sum == nullptr) return false;
  const unsigned subtracts = opcode == Instruction::Add ? Instruction::Sub : Instruction::FSub;
  if (sum->getOpcode() != opcode && sum->getOpcode() != subtracts) return false;
  return adds_to(store, sum->getOperand(0), opcode, used) ||
         (sum->getOpcode() == opcode && adds_to(store, sum->getOperand(1), opcode, used));
}

/// The same of an array: all of it is set to zero first, and its elements are only added to, by loops.
bool is_array_of_shares(total& of, const constructs& all, const section& adding, effects_of_functions& known) {
  Type* type = element_of(*of.copy);
  if (type == nullptr) return false;
  const accesses every = accesses_of(*of.copy, known);
  SmallPtrSet<const Instruction*, 16> loads, used;
  for (const auto& [at, how] : every) {
    if (how.escapes) return false;
    auto* load = dyn_cast<LoadInst>(at);
    auto* store = dyn_cast<StoreInst>(at);
    const bool is_element = (load != nullptr && load->isSimple() && load->getType() == type) ||
                            (store != nullptr && store->isSimple() && store->getValueOperand()->getType() == type);
    if (adding.contains(*at)) {
      if (!is_element || load == nullptr || !adding.shares.contains(load)) return false;
    } else if (const construct* c = construct_of(all, *at); c != nullptr) {
      if (!c->is_loop() || !is_element) return false;
      if (load != nullptr) {
        loads.insert(load);
      } else if (!adds_to(*store, store->getValueOperand(), of.operation->getOpcode(), used)) {
        return false;
      }
      of.added_in.insert(c);
    } else if (store != nullptr) {
      auto* value = dyn_cast<Constant>(store->getValueOperand());
      if (!store->isSimple() || value == nullptr || !value->isNullValue()) return false;
    } else {
      auto* fill = dyn_cast<MemSetInst>(at);
      auto* value = fill == nullptr ? nullptr : dyn_cast<Constant>(fill->getValue());
      if (value == nullptr || fill->isVolatile() || !value->isNullValue()) return false;
    }
  }
  if (of.added_in.empty() || used.size() != loads.size()) return false;
  // Zeros on all ways to where it is read, from where it begins to be.
  SmallVector<Instruction*> begins;
  for (User* user : of.copy->users()) {
    auto* life = dyn_cast<IntrinsicInst>(user);
    if (life != nullptr && life->getIntrinsicID() == Intrinsic::lifetime_start) begins.push_back(life->getNextNode());
  }
  if (begins.empty()) begins.push_back(of.copy->getNextNode());
  const bool is_set = std::none_of(begins.begin(), begins.end(), [&](Instruction* begin) {
    return may_be_read_from(*begin, *of.copy, every, {}, known);
  });
  of.identity = Constant::getNullValue(of.copy->getAllocatedType());
  of.element = type;
  return is_set;
}

/// The fields of a record that only its fields are used of, as variables of their own; false: more is done with it.
bool find_fields(AllocaInst& record, SmallVectorImpl<std::pair<Instruction*, unsigned>>& pointers) {
  auto* type = cast<StructType>(record.getAllocatedType());
  const auto is_access = [&](User* user, Value* pointer, unsigned field) {
    auto* store = dyn_cast<StoreInst>(user);
    return (isa<LoadInst>(user) || (store != nullptr && store->getValueOperand() != pointer)) &&
           getLoadStoreType(user) == type->getElementType(field);
  };
  for (User* user : record.users()) {
    if (is_marker(*user)) continue;
    auto* element = dyn_cast<GetElementPtrInst>(user);
    if (element == nullptr) {
      if (!is_access(user, &record, 0)) return false;
      pointers.emplace_back(cast<Instruction>(user), 0);
      continue;
    }
    auto* field = element->getNumIndices() == 2 ? dyn_cast<ConstantInt>(element->getOperand(2)) : nullptr;
    auto* first = dyn_cast<ConstantInt>(element->getOperand(1));
    if (field == nullptr || first == nullptr || !first->isZero() || element->getSourceElementType() != type)
      return false;
    const auto number = static_cast<unsigned>(field->getZExtValue());
    if (!all_of(element->users(), [&](User* of) { return is_access(of, element, number); })) return false;
    pointers.emplace_back(element, number);
  }
  return true;
}

using record_fields = SmallVector<std::pair<Instruction*, unsigned>>;

/// Complex numbers and their like.
SmallVector<std::pair<AllocaInst*, record_fields>> records_of(Function& outlined) {
  SmallVector<std::pair<AllocaInst*, record_fields>> records;
  for (Instruction& instruction : outlined.getEntryBlock()) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    auto* type = variable == nullptr ? nullptr : dyn_cast<StructType>(variable->getAllocatedType());
    const bool is_simple = type != nullptr && type->getNumElements() != 0 && variable->isStaticAlloca() &&
                           all_of(type->elements(), [](Type* t) { return t->isIntegerTy() || t->isFloatingPointTy(); });
    record_fields pointers;
    if (is_simple && find_fields(*variable, pointers)) records.emplace_back(variable, std::move(pointers));
  }
  return records;
}

void split_records(Function& outlined) {
  for (auto& [record, pointers] : records_of(outlined)) {
    auto* type = cast<StructType>(record->getAllocatedType());
    IRBuilder<> b(record);
    SmallVector<AllocaInst*> fields;
    for (Type* field : type->elements()) fields.push_back(b.CreateAlloca(field));
    for (auto& [at, number] : pointers) {
      if (isa<GetElementPtrInst>(at)) {
        at->replaceAllUsesWith(fields[number]);
        at->eraseFromParent();
      } else {
        at->replaceUsesOfWith(record, fields[number]);
      }
    }
    for (User* user : make_early_inc_range(record->users())) {
      auto* life = cast<IntrinsicInst>(user);
      b.SetInsertPoint(life);
      for (AllocaInst* field : fields) {
        if (life->getIntrinsicID() == Intrinsic::lifetime_start) b.CreateLifetimeStart(field);
        if (life->getIntrinsicID() == Intrinsic::lifetime_end) b.CreateLifetimeEnd(field);
      }
      life->eraseFromParent();
    }
    record->eraseFromParent();
  }
}

}  // namespace

void find_shares(Function& outlined, const constructs& all, region_totals& found, bool splits_records) {
  SmallVector<CallInst*> sections;
  for (auto* call : calls_in<CallInst>(instructions(outlined))) {
    if (begins_critical(name_of(*call)) && construct_of(all, *call) == nullptr) sections.push_back(call);
  }
  found.has_records = !splits_records && !sections.empty() && !records_of(outlined).empty();
  if (found.has_records) return;
  if (!sections.empty()) split_records(outlined);
  for (CallInst* begin : sections) {
    section one;
    if (!find_blocks(*begin, all, one) || !only_adds_shares(one)) continue;
    const DominatorTree tree(outlined);
    effects_of_functions known(&outlined);
    std::vector<total> added;
    for (auto& [share, sum] : one.added) {
      total of;
      of.copy = share;
      of.operation = sum;
      const bool is_new =
          std::none_of(found.all.begin(), found.all.end(), [&, of = share](const total& t) { return t.copy == of; });
      const bool is_one = is_new && share->isStaticAlloca() &&
                          (share->getAllocatedType()->isArrayTy() ? is_array_of_shares(of, all, one, known)
                                                                  : is_share(of, all, one, tree));
      if (!is_one) break;
      added.push_back(std::move(of));
    }
    if (added.size() != one.added.size()) continue;
    found.combining.push_back(one);
    found.all.insert(found.all.end(), added.begin(), added.end());
  }
}

}  // namespace takt_plugin
