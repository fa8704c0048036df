// Where code holds a lock: see "Locks" in README.md beside this file.
#include "reach/holding.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <memory>

namespace takt_plugin {

using namespace llvm;

namespace {

bool tests_lock(StringRef callee) { return callee == "omp_test_lock" || callee == "omp_test_nest_lock"; }

/// What a call of the OpenMP runtime changes.
held change_by(StringRef callee) {
  if (callee == "__kmpc_critical" || callee == "__kmpc_critical_with_hint") return {1, 0};
  if (callee == "__kmpc_end_critical") return {-1, 0};
  if (callee == "omp_set_lock" || callee == "omp_set_nest_lock") return {0, 1};
  if (callee == "omp_unset_lock" || callee == "omp_unset_nest_lock") return {0, -1};
  return {};
}

held operator+(held a, held b) { return {a.criticals + b.criticals, a.locks + b.locks}; }

/// The way on from a test of a lock if it is held then; nulls: not known.
std::pair<BasicBlock*, BasicBlock*> way_if_held(CallBase& test) {
  auto* invoke = dyn_cast<InvokeInst>(&test);
  BasicBlock* const block = invoke == nullptr ? test.getParent() : invoke->getNormalDest();
  if (invoke != nullptr && block->getSinglePredecessor() == nullptr) return {};
  auto* branch = dyn_cast<BranchInst>(block->getTerminator());
  if (branch == nullptr || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return {};
  Value* condition = branch->getCondition();
  Value* inner = nullptr;
  unsigned way = 0;
  for (; PatternMatch::match(condition, PatternMatch::m_Not(PatternMatch::m_Value(inner))); condition = inner) way ^= 1;
  auto* compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || !compare->isEquality() || compare->getOperand(0) != &test ||
      !PatternMatch::match(compare->getOperand(1), PatternMatch::m_Zero())) {
    return {};
  }
  if (compare->getPredicate() == CmpInst::ICMP_EQ) way ^= 1;
  for (Instruction* at = invoke == nullptr ? test.getNextNode() : &block->front(); at != nullptr;
       at = at->getNextNode()) {
    if (isa<CallBase>(at) && !is_marker(*at)) return {};
  }
  return {block, branch->getSuccessor(way)};
}

}  // namespace

bool is_omp_lock(StringRef callee) { return change_by(callee).locks != 0 || tests_lock(callee); }

const holding& holdings::of(Function& function) {
  auto [found, is_new] = known_.try_emplace(&function);
  if (is_new) {
    // One that calls itself is taken to end as it began, which has to be what it then does.
    found->second = std::make_unique<holding>();
    found->second->unwinds = true;
    begun_.insert(&function);
    holding made = walk(function);
    if (!begun_.erase(&function) && made.at_end != held{}) made.known = false;
    *known_[&function] = std::move(made);
  } else {
    begun_.erase(&function);
  }
  return *known_[&function];
}

holding holdings::walk(Function& function) {
  holding result;
  DenseMap<BasicBlock*, held> before;
  SmallVector<BasicBlock*> open;
  DenseMap<BasicBlock*, BasicBlock*> taken;  // ways on which a lock that was tested is held
  bool returns = false;
  const auto go = [&](BasicBlock& block, held now) {
    auto [found, is_new] = before.try_emplace(&block, now);
    if (is_new) open.push_back(&block);
    // Where the program ends, as in a handler for all that is thrown, it does not matter.
    if (found->second != now && !isa<UnreachableInst>(block.getTerminator())) result.known = false;
  };
  go(function.getEntryBlock(), {});
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    held now = before.lookup(block);
    held thrown = now;
    bool throws = true;
    for (Instruction& instruction : *block) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr || isa<IntrinsicInst>(call)) continue;
      const StringRef name = name_of(*call);
      thrown = now;
      throws = false;
      if (tests_lock(name)) {
        const auto [from, to] = way_if_held(*call);
        if (from == nullptr) {
          result.known = false;
        } else {
          taken[from] = to;
        }
        continue;
      }
      if (const held change = change_by(name); change != held{}) {
        now = now + change;
        continue;
      }
      if (now.any()) result.holders.insert({call, now});
      throws = !call->doesNotThrow() && !is_kmpc(*call);
      if (auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
          callee != nullptr && !callee->isDeclaration()) {
        const holding& inner = of(*callee);
        now = now + inner.at_end;
        result.known &= inner.known;
        throws &= inner.unwinds;
      }
      result.unwinds |= throws && !isa<InvokeInst>(call);
    }
    if (isa<ReturnInst>(block->getTerminator())) {
      if (returns && now != result.at_end) result.known = false;
      returns = true;
      result.at_end = now;
    } else if (isa<ResumeInst>(block->getTerminator())) {
      result.unwinds = true;
      if (now != held{}) result.known = false;
    }
    auto* invoke = dyn_cast<InvokeInst>(block->getTerminator());
    for (BasicBlock* next : successors(block)) {
      if (invoke != nullptr && next == invoke->getUnwindDest()) {
        if (throws) go(*next, thrown);
      } else {
        go(*next, next == taken.lookup(block) ? now + held{0, 1} : now);
      }
    }
  }
  return result;
}

}  // namespace takt_plugin
