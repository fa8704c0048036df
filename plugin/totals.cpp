// Which loops add to the region's totals, and nothing else. See "Regions that are more than a loop" in README.md beside
// this file.
#include "totals.hpp"

#include "effects.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

const char* const k_unknown = "it has a reduction over the whole region whose shape is not known";
const char* const k_more = "one of its constructs does more with a variable reduced over the region than to add to it";

enum class order { none, least, most };

order order_of(CmpInst::Predicate how) {
  switch (how) {
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE:
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_OLE:
      return order::least;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE:
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_OGE:
      return order::most;
    default:
      return order::none;
  }
}

/// Whether all that a construct does with a total is to put values into it by the total's operator.
class use_check {
 public:
  use_check(const total& of, const construct& where) : total_(of), where_(where) {}

  bool only_adds() {
    SmallVector<StoreInst*> stores;
    unsigned loads = 0;
    for (User* user : total_.copy->users()) {
      auto* where = dyn_cast<Instruction>(user);
      if (where == nullptr || is_marker(*user) || !where_.blocks.contains(where->getParent())) continue;
      if (auto* store = dyn_cast<StoreInst>(where)) {
        stores.push_back(store);
      } else {
        ++loads;
      }
    }
    return std::all_of(stores.begin(), stores.end(), [&](StoreInst* store) { return adds(*store); }) &&
           used_.size() == loads;
  }

 private:
  /// A load of the total that goes nowhere else.
  bool take(Value* value) {
    auto* load = dyn_cast<LoadInst>(value);
    return load != nullptr && load->getPointerOperand() == total_.copy && load->hasOneUse() &&
           used_.insert(load).second;
  }

  bool adds(StoreInst& store) {
    if (isa<BinaryOperator>(total_.operation)) return adds_to(store.getValueOperand());
    if (auto* choice = dyn_cast<PHINode>(store.getValueOperand())) return chooses(*choice);
    if (auto* call = dyn_cast<IntrinsicInst>(store.getValueOperand())) {
      const order wanted = order_of(cast<CmpInst>(total_.operation)->getPredicate());
      return call->getIntrinsicID() == (wanted == order::most ? Intrinsic::maxnum : Intrinsic::minnum) &&
             call->hasOneUse() && (take(call->getArgOperand(0)) || take(call->getArgOperand(1)));
    }
    // if (x > total) total = x;
    return is_guarded(*store.getParent(), store.getValueOperand(), &store);
  }

  /// total + a + b, in any order that the language gives.
  bool adds_to(Value* value) {
    if (take(value)) return true;
    const unsigned wanted = cast<BinaryOperator>(total_.operation)->getOpcode();
    if (auto* call = dyn_cast<IntrinsicInst>(value)) {
      return wanted == Instruction::FAdd && call->getIntrinsicID() == Intrinsic::fmuladd && call->hasOneUse() &&
             adds_to(call->getArgOperand(2));
    }
    if (auto* cast = dyn_cast<CastInst>(value)) {
      // Wider in between: the bits that are stored depend on no others.
      const bool is_wider = isa<SExtInst>(cast) || isa<ZExtInst>(cast) || isa<TruncInst>(cast);
      Type* type = total_.copy->getAllocatedType();
      return is_wider && type->isIntegerTy() && cast->hasOneUse() &&
             cast->getType()->getIntegerBitWidth() >= type->getIntegerBitWidth() && adds_to(cast->getOperand(0));
    }
    auto* operation = dyn_cast<BinaryOperator>(value);
    if (operation == nullptr || !operation->hasOneUse()) return false;
    const unsigned opcode = operation->getOpcode();
    const bool subtracts = (wanted == Instruction::Add && opcode == Instruction::Sub) ||
                           (wanted == Instruction::FAdd && opcode == Instruction::FSub);
    if (opcode != wanted && !subtracts) return false;
    return adds_to(operation->getOperand(0)) || (!subtracts && adds_to(operation->getOperand(1)));
  }

  /// total = x > total ? x : total;
  bool chooses(PHINode& choice) {
    if (choice.getNumIncomingValues() != 2 || !choice.hasOneUse()) return false;
    for (unsigned kept : {0u, 1u}) {
      BasicBlock* of_other = choice.getIncomingBlock(1 - kept);
      BasicBlock* of_kept = choice.getIncomingBlock(kept);
      auto* load = dyn_cast<LoadInst>(choice.getIncomingValue(kept));
      if (load == nullptr || load->getPointerOperand() != total_.copy || load->getParent() != of_kept) continue;
      return of_kept->getSinglePredecessor() != nullptr &&
             of_kept->getSinglePredecessor() == of_other->getSinglePredecessor() && take(load) &&
             is_guarded(*of_other, choice.getIncomingValue(1 - kept), of_other->getTerminator());
    }
    return false;
  }

  /// Whether a block is reached if and only if `value` is beyond the total, and writes nothing before `end`.
  bool is_guarded(BasicBlock& block, Value* value, const Instruction* end) {
    BasicBlock* before = block.getSinglePredecessor();
    auto* branch = before == nullptr ? nullptr : dyn_cast<BranchInst>(before->getTerminator());
    auto* test = branch == nullptr || !branch->isConditional() ? nullptr : dyn_cast<CmpInst>(branch->getCondition());
    if (test == nullptr || test->getParent() != before || !test->hasOneUse()) return false;
    auto* known = cast<CmpInst>(total_.operation);
    CmpInst::Predicate how = test->getPredicate();
    Value* other = test->getOperand(0);
    if (take(test->getOperand(0))) {
      other = test->getOperand(1);
      how = CmpInst::getSwappedPredicate(how);
    } else if (!take(test->getOperand(1))) {
      return false;
    }
    if (branch->getSuccessor(0) != &block) {
      how = CmpInst::getInversePredicate(how);
      // What is not less may be no number; no order is kept among those.
      if (isa<FCmpInst>(test)) how = FCmpInst::getOrderedPredicate(how);
    }
    const bool same_kind = isa<FCmpInst>(test) || CmpInst::isSigned(how) == CmpInst::isSigned(known->getPredicate());
    if (!same_kind || order_of(how) == order::none || order_of(how) != order_of(known->getPredicate())) return false;
    for (Instruction& instruction : block) {
      if (&instruction == end) break;
      if (instruction.mayWriteToMemory() && !is_marker(instruction)) return false;
    }
    return is_same(value, other, *before);
  }

  /// Whether a value computed again is what it was when it was computed in `before`.
  static bool is_same(Value* again, Value* first, BasicBlock& before) {
    if (again == first) return true;
    auto* a = dyn_cast<Instruction>(again);
    auto* f = dyn_cast<Instruction>(first);
    if (a == nullptr || f == nullptr || !a->isSameOperationAs(f) || f->getParent() != &before) return false;
    if (!isa<LoadInst>(a) && !isa<GetElementPtrInst>(a) && !isa<CastInst>(a) && !isa<BinaryOperator>(a)) return false;
    if (isa<LoadInst>(a)) {
      if (!cast<LoadInst>(a)->isSimple()) return false;
      for (Instruction* i = f; i != nullptr; i = i->getNextNode()) {
        if (i->mayWriteToMemory() && !is_marker(*i)) return false;
      }
    }
    for (unsigned o = 0; o < a->getNumOperands(); ++o) {
      if (!is_same(a->getOperand(o), f->getOperand(o), before)) return false;
    }
    return true;
  }

  const total& total_;
  const construct& where_;
  SmallPtrSet<LoadInst*, 8> used_;
};

const construct* construct_of(const constructs& all, const Instruction& instruction) {
  for (const construct& c : all) {
    if (c.blocks.contains(instruction.getParent())) return &c;
  }
  return nullptr;
}

/// Whether what a critical section does is to add variables of its thread to others: `variable += share;`.
bool only_adds_shares(BasicBlock& block, SmallVectorImpl<std::pair<AllocaInst*, BinaryOperator*>>& shares) {
  effects_of_functions known(block.getParent());
  effects all;
  for (Instruction& instruction : block) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (store == nullptr) {
      const bool is_end = isa<CallBase>(instruction) && is_kmpc(cast<CallBase>(instruction));
      if (!is_end && instruction.mayWriteToMemory() && !is_marker(instruction)) return false;
      continue;
    }
    auto* sum = dyn_cast<BinaryOperator>(store->getValueOperand());
    if (sum == nullptr || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::FAdd)) return false;
    auto* old = dyn_cast<LoadInst>(sum->getOperand(0));
    auto* more = dyn_cast<LoadInst>(sum->getOperand(1));
    if (old == nullptr || more == nullptr || !sum->hasOneUse() || !old->hasOneUse() || !more->hasOneUse()) return false;
    if (old->getPointerOperand() != store->getPointerOperand()) std::swap(old, more);
    auto* share = dyn_cast<AllocaInst>(more->getPointerOperand());
    if (old->getPointerOperand() != store->getPointerOperand() || share == nullptr || !store->isSimple() ||
        old->getParent() != &block || more->getParent() != &block || share->getAllocatedType() != more->getType()) {
      return false;
    }
    known.add(*store, all);
    shares.emplace_back(share, sum);
  }
  // Not to one that is the thread's own.
  return all.writes_shared && !all.unknown && all.written_arguments == 0 &&
         std::none_of(shares.begin(), shares.end(), [&](auto& one) {
           auto* store = cast<StoreInst>(one.second->user_back());
           return isa_and_nonnull<AllocaInst>(root_of(store->getPointerOperand()));
         });
}

/// Whether each thread's share begins with nothing, and is otherwise only added to, in loops.
bool is_share(total& of, const constructs& all, const BasicBlock& adding, const DominatorTree& tree) {
  StoreInst* first = nullptr;
  SmallPtrSet<const construct*, 4> used_in;
  for (User* user : of.copy->users()) {
    auto* instruction = cast<Instruction>(user);
    if (is_marker(*user) || instruction->getParent() == &adding) continue;
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
  if (first == nullptr || !tree.dominates(first, &adding) || used_in.empty()) return false;
  of.identity = cast<Constant>(first->getValueOperand());
  return std::all_of(used_in.begin(), used_in.end(), [&](const construct* c) {
    of.added_in.insert(c);
    return c->is_loop() && tree.dominates(first, &c->begin->front()) && use_check(of, *c).only_adds();
  });
}

/// What the region, each construct and the combination do with one total.
std::string check_total(total& of, const constructs& all, const region_totals& found, const DominatorTree& tree) {
  StoreInst* first = nullptr;
  SmallPtrSet<const construct*, 4> used_in;
  for (User* user : of.copy->users()) {
    auto* instruction = cast<Instruction>(user);
    if (is_marker(*user) || found.combining.contains(instruction->getParent())) continue;
    auto* store = dyn_cast<StoreInst>(instruction);
    if (store != nullptr && store->getValueOperand() == of.copy) {
      if (store->getPointerOperand()->stripInBoundsConstantOffsets() == found.reduce->getArgOperand(4)) continue;
      return k_unknown;
    }
    auto* load = dyn_cast<LoadInst>(instruction);
    const construct* c = construct_of(all, *instruction);
    Type* type = store != nullptr ? store->getValueOperand()->getType() : load != nullptr ? load->getType() : nullptr;
    const bool is_simple = (store != nullptr && store->isSimple()) || (load != nullptr && load->isSimple());
    if (!is_simple || type != of.copy->getAllocatedType()) {
      return c == nullptr ? k_unknown : k_more;
    }
    if (c != nullptr) {
      used_in.insert(c);
    } else if (store != nullptr && first == nullptr && isa<Constant>(store->getValueOperand())) {
      first = store;
    } else {
      // Each thread would do that to its own.
      return "code beside its loops uses a variable reduced over the region";
    }
  }
  if (first == nullptr || !tree.dominates(first, found.reduce)) return k_unknown;
  of.identity = cast<Constant>(first->getValueOperand());
  for (const construct& c : all) {
    if (!tree.dominates(first, c.is_loop() ? &c.begin->front() : c.call)) return k_unknown;
    if (!used_in.contains(&c)) continue;
    if (!use_check(of, c).only_adds()) return k_more;
    if (c.is_loop()) of.added_in.insert(&c);
  }
  return {};
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

/// Complex numbers and their like.
void split_records(Function& outlined) {
  SmallVector<AllocaInst*> records;
  for (Instruction& instruction : outlined.getEntryBlock()) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    auto* type = variable == nullptr ? nullptr : dyn_cast<StructType>(variable->getAllocatedType());
    const bool is_simple = type != nullptr && type->getNumElements() != 0 && variable->isStaticAlloca() &&
                           all_of(type->elements(), [](Type* t) { return t->isIntegerTy() || t->isFloatingPointTy(); });
    if (is_simple) records.push_back(variable);
  }
  for (AllocaInst* record : records) {
    SmallVector<std::pair<Instruction*, unsigned>> pointers;
    if (!find_fields(*record, pointers)) continue;
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

/// A share that each thread adds to the program's variable in a critical section is reduced over the region, too: one
/// thread adds all of it.
void find_shares(Function& outlined, const constructs& all, region_totals& found) {
  SmallVector<CallInst*> sections;
  for (Instruction& instruction : instructions(outlined)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call != nullptr && name_of(*call).starts_with("__kmpc_critical") && construct_of(all, *call) == nullptr) {
      sections.push_back(call);
    }
  }
  if (!sections.empty()) split_records(outlined);
  for (CallInst* begin : sections) {
    Instruction* end = begin->getNextNode();
    while (end != nullptr && !(isa<CallInst>(end) && is_kmpc(cast<CallInst>(*end)))) end = end->getNextNode();
    if (end == nullptr || name_of(cast<CallInst>(*end)) != "__kmpc_end_critical") continue;
    BasicBlock* block = SplitBlock(begin->getParent(), begin->getNextNode());
    SplitBlock(block, end->getNextNode());
    SmallVector<std::pair<AllocaInst*, BinaryOperator*>> shares;
    if (!only_adds_shares(*block, shares)) continue;
    const DominatorTree tree(outlined);
    std::vector<total> added;
    for (auto& [share, sum] : shares) {
      total one;
      one.copy = share;
      one.operation = sum;
      const bool is_new = std::none_of(added.begin(), added.end(), [&](const total& t) { return t.copy == share; });
      if (!is_new || !share->isStaticAlloca() || !is_share(one, all, *block, tree)) break;
      added.push_back(std::move(one));
    }
    if (added.size() != shares.size()) continue;
    found.combining.insert(block);
    found.all.insert(found.all.end(), added.begin(), added.end());
  }
}

}  // namespace

std::string find_totals(Function& outlined, const constructs& loops, region_totals& found) {
  for (Instruction& instruction : instructions(outlined)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr || !name_of(*call).starts_with("__kmpc_reduce") || construct_of(loops, *call) != nullptr)
      continue;
    if (found.reduce != nullptr) return k_unknown;
    found.reduce = call;
  }
  if (found.reduce == nullptr) {
    find_shares(outlined, loops, found);
    return {};
  }
  const DominatorTree tree(outlined);
  for (User* user : found.reduce->users()) {
    auto* choice = dyn_cast<SwitchInst>(user);
    if (choice == nullptr) return k_unknown;
    for (auto& way : choice->cases()) {
      if (way.getCaseSuccessor()->getSinglePredecessor() == nullptr) return k_unknown;
      SmallVector<BasicBlock*> blocks;
      tree.getDescendants(way.getCaseSuccessor(), blocks);
      found.combining.insert(blocks.begin(), blocks.end());
    }
  }
  region parts;
  parts.outlined = &outlined;
  parts.reduce = found.reduce;
  if (!read_parts(parts, tree).empty()) return k_unknown;
  for (const reduction_part& part : parts.parts) {
    total one;
    one.copy = part.copy;
    one.operation = part.operation;
    Type* type = part.copy->getAllocatedType();
    if (part.length != nullptr || part.variable == nullptr || part.copy->isArrayAllocation() ||
        !part.copy->isStaticAlloca() || !(type->isIntegerTy() || type->isFloatingPointTy())) {
      return k_unknown;
    }
    if (auto* choice = dyn_cast<PHINode>(part.operation)) {
      BasicBlock* from = choice->getIncomingBlock(0)->getSinglePredecessor();
      auto* branch = cast<BranchInst>(from->getTerminator());
      if (branch->getSuccessor(0) != choice->getIncomingBlock(0)) return k_unknown;
      one.operation = cast<CmpInst>(branch->getCondition());
      if (order_of(cast<CmpInst>(one.operation)->getPredicate()) == order::none) return k_unknown;
    } else if (!isa<BinaryOperator>(part.operation)) {
      return k_unknown;
    }
    std::string why = check_total(one, loops, found, tree);
    if (!why.empty()) return why;
    found.all.push_back(std::move(one));
  }
  return {};
}

Value* combined(IRBuilder<>& b, const total& of, Value* variable, Value* copy) {
  if (auto* test = dyn_cast<CmpInst>(of.operation)) {
    return b.CreateSelect(b.CreateCmp(test->getPredicate(), variable, copy), variable, copy);
  }
  Instruction* operation = of.operation->clone();
  // It is in another function now.
  operation->setDebugLoc(DebugLoc());
  operation->setOperand(0, variable);
  operation->setOperand(1, copy);
  return b.Insert(operation);
}

}  // namespace takt_plugin
