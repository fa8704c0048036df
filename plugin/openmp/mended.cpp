// What Clang makes wrong of a right program: see "What Clang gets wrong" in README.md beside this file.
#include "openmp/mended.hpp"

#include "openmp/calls.hpp"
#include "openmp/region.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <set>
#include <tuple>

namespace takt_plugin {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr const char* k_ragged = "takt.ragged";

/// A number of iterations (end - (begin - step + 1)) / step, where the middle is a constant that was computed in the
/// loop variable's width and has fallen below zero there.
struct wrapped_count {
  BinaryOperator* difference;
  AllocaInst* end;
  std::uint64_t middle;
  std::uint64_t step;
  auto key() const { return std::tuple(end, middle, step); }
};

std::optional<wrapped_count> wrapped_count_of(Instruction& instruction) {
  Value* end = nullptr;
  const APInt* middle = nullptr;
  const APInt* step = nullptr;
  auto* difference = instruction.getOpcode() == Instruction::UDiv ? dyn_cast<BinaryOperator>(instruction.getOperand(0))
                                                                  : nullptr;
  if (difference == nullptr || !instruction.getType()->isIntegerTy(64) ||
      !match(instruction.getOperand(1), m_APInt(step)) ||
      !match(difference, m_Sub(m_Load(m_Value(end)), m_APInt(middle)))) {
    return std::nullopt;
  }
  // begin + 1 - step of 32 bits without sign, if begin + 1 < step.
  constexpr std::uint64_t k_values = 1ull << 32;
  const std::uint64_t m = middle->getZExtValue(), s = step->getZExtValue();
  auto* variable = dyn_cast<AllocaInst>(end);
  if (variable == nullptr || s < 2 || s >= k_values || m >= k_values || m <= k_values - s) return std::nullopt;
  return wrapped_count{difference, variable, m, s};
}

/// Whether it is stored less one, alone or multiplied with those of other loops of a nest: that is the last iteration.
bool is_counted_by(const Value& count) {
  return any_of(count.users(), [&](const User* user) {
    if (isa<TruncInst>(user) || match(user, m_Mul(m_Value(), m_Value()))) return is_counted_by(*user);
    return match(user, m_Sub(m_Specific(&count), m_One())) &&
           any_of(user->users(), [](const User* store) { return isa<StoreInst>(store); });
  });
}

bool mend_counts(Function& function) {
  SmallVector<wrapped_count> all;
  std::set<std::tuple<AllocaInst*, std::uint64_t, std::uint64_t>> wrong;
  for (Instruction& instruction : instructions(function)) {
    const auto found = wrapped_count_of(instruction);
    if (!found) continue;
    all.push_back(*found);
    if (is_counted_by(instruction)) wrong.insert(found->key());
  }
  erase_if(all, [&](const wrapped_count& count) { return !wrong.contains(count.key()); });
  for (const wrapped_count& count : all) {
    const auto middle = static_cast<std::int64_t>(count.middle) - (1ll << 32);
    count.difference->setOperand(1, ConstantInt::getSigned(count.difference->getType(), middle));
  }
  return !all.empty();
}

/// Between the two loops of an inclusive or exclusive scan one thread combines, in log2(n) rounds, the first of which
/// Clang also runs for n = 1 and n = 0.
bool mend_rounds(BasicBlock& block) {
  auto* to_rounds = dyn_cast<BranchInst>(block.getTerminator());
  if (to_rounds == nullptr || to_rounds->isConditional()) return false;
  BasicBlock* const round = to_rounds->getSuccessor(0);
  if (!isa<PHINode>(round->front())) return false;
  for (Instruction& rounds : block) {
    Value* count = nullptr;
    const auto log2 = m_Intrinsic<Intrinsic::log2>(m_UIToFP(m_Value(count)));
    if (!match(&rounds, m_FPToUI(m_Intrinsic<Intrinsic::ceil>(log2))) || isa<LoadInst>(count)) continue;
    for (User* test : rounds.users()) {
      auto* again = isa<ICmpInst>(test) && test->hasOneUse() ? dyn_cast<BranchInst>(test->user_back()) : nullptr;
      if (again == nullptr || again->getSuccessor(0) != round) continue;
      if (isa<PHINode>(again->getSuccessor(1)->front())) continue;
      IRBuilder<> b(to_rounds);
      b.CreateCondBr(b.CreateICmpUGT(count, ConstantInt::get(count->getType(), 1)), round, again->getSuccessor(1));
      to_rounds->eraseFromParent();
      return true;
    }
  }
  return false;
}

/// A pointer for use at `where`, made anew there if it leads to a field of something that is known there.
Value* available(Value* pointer, Instruction& where, const DominatorTree& tree) {
  auto* made = dyn_cast<Instruction>(pointer);
  if (made == nullptr || tree.dominates(made, &where)) return pointer;
  auto* field = dyn_cast<GetElementPtrInst>(made);
  if (field == nullptr || !field->hasAllConstantIndices()) return nullptr;
  Value* base = available(field->getPointerOperand(), where, tree);
  if (base == nullptr) return nullptr;
  Instruction* copy = field->clone();
  copy->setOperand(0, base);
  copy->insertBefore(&where);
  return copy;
}

/// Behind a scan its total is copied from the last of n partial sums: there is none if n = 0. The variable is copied to
/// itself then.
bool mend_total(Instruction& last, Value& count, const DominatorTree& tree) {
  bool changed = false;
  const auto keep = [&](Use& from, Value* to) {
    auto* copy = cast<Instruction>(from.getUser());
    to = to == nullptr ? nullptr : available(to, *copy, tree);
    if (to == nullptr) return;
    IRBuilder<> b(copy);
    from.set(b.CreateSelect(b.CreateICmpEQ(&count, ConstantInt::get(count.getType(), 0)), to, from.get()));
    changed = true;
  };
  SmallVector<Value*> open;
  for (User* user : last.users()) {
    auto* element = dyn_cast<GetElementPtrInst>(user);
    auto* sums = element == nullptr ? nullptr : dyn_cast<AllocaInst>(element->getPointerOperand());
    if (sums != nullptr && sums->isArrayAllocation() && !isa<Constant>(sums->getArraySize())) open.push_back(element);
  }
  while (!open.empty()) {
    for (Use& use : make_early_inc_range(open.pop_back_val()->uses())) {
      if (auto* load = dyn_cast<LoadInst>(use.getUser())) {
        auto* store = load->hasOneUse() ? dyn_cast<StoreInst>(load->user_back()) : nullptr;
        keep(use, store == nullptr ? nullptr : store->getPointerOperand());
      } else if (auto* call = dyn_cast<CallBase>(use.getUser())) {
        if (call->isArgOperand(&use) && call->getArgOperandNo(&use) == 1) keep(use, call->getArgOperand(0));
      } else if (auto* field = dyn_cast<GetElementPtrInst>(use.getUser())) {
        if (field->hasAllConstantIndices()) open.push_back(field);
      }
    }
  }
  return changed;
}

bool mend_totals(Function& function) {
  SmallVector<std::pair<Instruction*, Value*>> found;
  for (Instruction& instruction : instructions(function)) {
    Value* count = nullptr;
    if (match(&instruction, m_NSWSub(m_Value(count), m_One()))) found.emplace_back(&instruction, count);
  }
  if (found.empty()) return false;
  const DominatorTree tree(function);
  bool changed = false;
  for (auto& [last, count] : found) changed |= mend_total(*last, *count, tree);
  return changed;
}

/// The larger or smaller of two bounds, by a comparison that was stored before: for a loop whose bounds depend on an
/// outer one's variable Clang takes it of the outer one's first and last iteration.
bool is_extreme_bound(const PHINode& merge) {
  if (merge.getNumIncomingValues() != 2 || !isa<IntegerType>(merge.getType())) return false;
  auto* one = dyn_cast<LoadInst>(merge.getIncomingValue(0));
  auto* other = dyn_cast<LoadInst>(merge.getIncomingValue(1));
  BasicBlock* from = merge.getIncomingBlock(0)->getSinglePredecessor();
  auto* branch = from == nullptr ? nullptr : dyn_cast<BranchInst>(from->getTerminator());
  Value* choice = nullptr;
  ICmpInst::Predicate not_zero;
  if (one == nullptr || other == nullptr || branch == nullptr || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(not_zero, m_Load(m_Value(choice)), m_Zero()))) {
    return false;
  }
  return any_of(choice->users(), [&](const User* user) {
    auto* store = dyn_cast<StoreInst>(user);
    Value *left = nullptr, *right = nullptr;
    ICmpInst::Predicate order;
    if (store == nullptr ||
        !match(store->getValueOperand(), m_ZExt(m_ICmp(order, m_Load(m_Value(left)), m_Load(m_Value(right)))))) {
      return false;
    }
    Value* a = one->getPointerOperand();
    Value* c = other->getPointerOperand();
    return (left == a && right == c) || (left == c && right == a);
  });
}

/// Whether there is one between this loop and the construct before it.
bool has_extreme_bound(CallInst& init) {
  SmallPtrSet<BasicBlock*, 16> seen;
  SmallVector<BasicBlock*> open{init.getParent()};
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (!seen.insert(block).second) continue;
    const bool is_other = any_of(calls_in(*block), [](CallBase* call) {
      return ends_loop(name_of(*call)) || name_of(*call) == kmpc::barrier;
    });
    if (is_other) continue;
    if (any_of(block->phis(), is_extreme_bound)) return true;
    open.append(pred_begin(block), pred_end(block));
  }
  return false;
}

}  // namespace

bool mend(Module& module) {
  bool changed = false;
  const bool has_openmp = any_of(module, [](const Function& f) { return f.getName().starts_with("__kmpc_"); });
  if (!has_openmp) return false;
  for (Function& function : module) {
    changed |= mend_counts(function);
    for (BasicBlock& block : function) changed |= mend_rounds(block);
    changed |= mend_totals(function);
  }
  return changed;
}

void mark_ragged(Module& module) {
  for (Function& function : module) {
    for (auto* call : calls_in<CallInst>(instructions(function))) {
      if (starts_loop(name_of(*call)) && has_extreme_bound(*call)) {
        call->setMetadata(k_ragged, MDNode::get(module.getContext(), {}));
      }
    }
  }
}

bool is_ragged(const CallInst& init) { return init.getMetadata(k_ragged) != nullptr; }

bool is_ragged_taskloop(Function& function) {
  // Whether it has the last iteration is the ninth thing that a task of a taskloop is told; asked for lastprivate alone.
  constexpr unsigned k_arguments = 11, k_last = 8;
  if (!function.getName().starts_with(".omp_outlined.") || function.arg_size() != k_arguments) return false;
  const bool has_last = any_of(function.getArg(k_last)->users(), [](const User* user) {
    auto* store = dyn_cast<StoreInst>(user);
    return store != nullptr &&
           any_of(store->getPointerOperand()->users(), [](const User* use) { return isa<LoadInst>(use); });
  });
  return has_last && any_of(function, [](BasicBlock& block) { return any_of(block.phis(), is_extreme_bound); });
}

}  // namespace takt_plugin
