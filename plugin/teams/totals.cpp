// Which loops add to the region's totals, and nothing else. See "Regions that are more than a loop" in README.md beside
// this file.
#include "teams/totals.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "teams/shares.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

enum class order { none, least, most };

order order_of(CmpInst::Predicate how) {
  if (ICmpInst::isLT(how) || ICmpInst::isLE(how) || how == CmpInst::FCMP_OLT || how == CmpInst::FCMP_OLE)
    return order::least;
  if (ICmpInst::isGT(how) || ICmpInst::isGE(how) || how == CmpInst::FCMP_OGT || how == CmpInst::FCMP_OGE)
    return order::most;
  return order::none;
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
      if (where == nullptr || is_marker(*user) || !where_.contains(*where)) continue;
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

/// What the region, each construct and the combination do with one total.
refusal check_total(total& of, const constructs& all, const region_totals& found, const DominatorTree& tree) {
  StoreInst* first = nullptr;
  SmallPtrSet<const construct*, 4> used_in;
  for (User* user : of.copy->users()) {
    auto* instruction = cast<Instruction>(user);
    if (is_marker(*user) || combines(found, *instruction)) continue;
    auto* store = dyn_cast<StoreInst>(instruction);
    if (store != nullptr && store->getValueOperand() == of.copy) {
      if (store->getPointerOperand()->stripInBoundsConstantOffsets() == found.reduce->getArgOperand(4)) continue;
      return reason::total_shape;
    }
    auto* load = dyn_cast<LoadInst>(instruction);
    const construct* c = construct_of(all, *instruction);
    Type* type = store != nullptr ? store->getValueOperand()->getType() : load != nullptr ? load->getType() : nullptr;
    const bool is_simple = (store != nullptr && store->isSimple()) || (load != nullptr && load->isSimple());
    if (!is_simple || type != of.copy->getAllocatedType()) {
      return c == nullptr ? reason::total_shape : reason::total_more;
    }
    if (c != nullptr) {
      used_in.insert(c);
    } else if (store != nullptr && first == nullptr && isa<Constant>(store->getValueOperand())) {
      first = store;
    } else {
      // Each thread would do that to its own.
      return reason::total_beside_loops;
    }
  }
  if (first == nullptr || !tree.dominates(first, found.reduce)) return reason::total_shape;
  of.identity = cast<Constant>(first->getValueOperand());
  for (const construct& c : all) {
    if (!tree.dominates(first, c.is_loop() ? c.begin : c.call)) return reason::total_shape;
    if (!used_in.contains(&c)) continue;
    if (!use_check(of, c).only_adds()) return reason::total_more;
    if (c.is_loop()) of.added_in.insert(&c);
  }
  return {};
}

}  // namespace

refusal find_totals(Function& outlined, const constructs& loops, region_totals& found, bool splits_records) {
  for (auto* call : calls_in<CallInst>(instructions(outlined))) {
    if (!asks_to_combine(name_of(*call)) || construct_of(loops, *call) != nullptr) continue;
    if (found.reduce != nullptr) return reason::total_shape;
    found.reduce = call;
  }
  if (found.reduce == nullptr) {
    find_shares(outlined, loops, found, splits_records);
    return {};
  }
  const DominatorTree tree(outlined);
  for (User* user : found.reduce->users()) {
    auto* choice = dyn_cast<SwitchInst>(user);
    if (choice == nullptr) return reason::total_shape;
    for (auto& way : choice->cases()) {
      if (way.getCaseSuccessor()->getSinglePredecessor() == nullptr) return reason::total_shape;
      add_dominated(*way.getCaseSuccessor(), tree, found.combining.emplace_back().blocks);
    }
  }
  region parts;
  parts.outlined = &outlined;
  parts.reduce = found.reduce;
  if (read_parts(parts, tree)) return reason::total_shape;
  for (const reduction_part& part : parts.parts) {
    total one;
    one.copy = part.copy;
    one.operation = part.operation;
    Type* type = part.copy->getAllocatedType();
    if (part.length != nullptr || part.variable == nullptr || part.copy->isArrayAllocation() ||
        !part.copy->isStaticAlloca() || !(type->isIntegerTy() || type->isFloatingPointTy())) {
      return reason::total_shape;
    }
    if (auto* choice = dyn_cast<PHINode>(part.operation)) {
      BasicBlock* from = choice->getIncomingBlock(0)->getSinglePredecessor();
      auto* branch = cast<BranchInst>(from->getTerminator());
      if (branch->getSuccessor(0) != choice->getIncomingBlock(0)) return reason::total_shape;
      one.operation = cast<CmpInst>(branch->getCondition());
      if (order_of(cast<CmpInst>(one.operation)->getPredicate()) == order::none) return reason::total_shape;
    } else if (!isa<BinaryOperator>(part.operation)) {
      return reason::total_shape;
    }
    refusal why = check_total(one, loops, found, tree);
    if (why) return why;
    found.all.push_back(std::move(one));
  }
  return {};
}

bool combines(const region_totals& totals, const Instruction& instruction) {
  return any_of(totals.combining, [&](const stretch& way) { return way.contains(instruction); });
}

const construct* construct_of(const constructs& all, const Instruction& instruction) {
  for (const construct& c : all) {
    if (c.contains(instruction)) return &c;
  }
  return nullptr;
}

bool only_adds(const total& of, const construct& where) { return use_check(of, where).only_adds(); }

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

Function& combination_of_arrays(const total& of, const Function& outlined) {
  LLVMContext& context = outlined.getContext();
  Module& module = *const_cast<Module*>(outlined.getParent());
  const DataLayout& layout = module.getDataLayout();
  IRBuilder<> b(context);
  Function* made = Function::Create(FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, false),
                                    GlobalValue::InternalLinkage, outlined.getName() + ".combine_array", module);
  made->setDoesNotThrow();
  BasicBlock* before = BasicBlock::Create(context, "", made);
  BasicBlock* each = BasicBlock::Create(context, "", made);
  BasicBlock* after = BasicBlock::Create(context, "", made);
  const std::uint64_t length =
      layout.getTypeAllocSize(of.copy->getAllocatedType()) / layout.getTypeAllocSize(of.element);
  b.SetInsertPoint(before);
  b.CreateBr(each);
  b.SetInsertPoint(each);
  PHINode* at = b.CreatePHI(b.getInt64Ty(), 2);
  Value* variable = b.CreateInBoundsGEP(of.element, made->getArg(0), at);
  Value* copy = b.CreateInBoundsGEP(of.element, made->getArg(1), at);
  Value* old = b.CreateLoad(of.element, variable);
  Value* more = b.CreateLoad(of.element, copy);
  b.CreateStore(combined(b, of, old, more), variable);
  Value* next = b.CreateNUWAdd(at, b.getInt64(1));
  at->addIncoming(b.getInt64(0), before);
  at->addIncoming(next, each);
  b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(length)), each, after);
  b.SetInsertPoint(after);
  b.CreateRetVoid();
  return *made;
}

}  // namespace takt_plugin
