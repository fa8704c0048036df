#include "loops/brevity.hpp"

#include "loops/rewriting.hpp"
#include "openmp/calls.hpp"
#include "reach/effects.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace takt_plugin {

using namespace llvm;

namespace {

constexpr std::uint64_t k_few = 64;

/// Whether the loop goes on while what it counts is less than a small constant.
bool comes_few_times(const Loop& loop) {
  SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [](const BasicBlock* block) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    auto* test = branch == nullptr ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
    auto* bound = test == nullptr ? nullptr : dyn_cast<ConstantInt>(test->getOperand(1));
    return bound != nullptr && (ICmpInst::isLT(test->getPredicate()) || ICmpInst::isLE(test->getPredicate())) &&
           bound->getValue().ule(k_few) && !bound->isZero();
  });
}

bool is_large_fill(const CallBase& call) {
  auto* fill = dyn_cast<MemIntrinsic>(&call);
  auto* length = fill == nullptr ? nullptr : dyn_cast<ConstantInt>(fill->getLength());
  return fill != nullptr && (length == nullptr || length->getZExtValue() >= k_small_fill);
}

}  // namespace

SmallVector<back_edge> long_loops(Function& function) {
  const DominatorTree tree(function);
  const LoopInfo loops(tree);
  SmallVector<back_edge> all;
  FindFunctionBackedges(function, all);
  erase_if(all, [&](const back_edge& edge) {
    const Loop* loop = loops.getLoopFor(edge.second);
    return loop != nullptr && loop->getHeader() == edge.second && comes_few_times(*loop);
  });
  return all;
}

bool brevity::is_short(const CallBase& call) {
  if (isa<IntrinsicInst>(call) || call.doesNotAccessMemory()) return !is_large_fill(call);
  Function* callee = call.getCalledFunction();
  if (callee == nullptr) return false;
  if (asks_ && (callee->hasFnAttribute(k_entry) || is_kmpc(call))) return true;
  // What was not allocated takes no time to be given back; what was, has been found by that.
  if (callee->doesNotReturn() || gives_memory_back(*callee)) return true;
  return !callee->isDeclaration() && !callee->isInterposable() && is_short(*callee);
}

bool brevity::is_short(Function& function) {
  if (const auto [at, is_new] = known_.try_emplace(&function, false); !is_new) return at->second;
  const auto is_brief = [&](const CallBase* call) { return is_short(*call); };
  const bool is_short_too = long_loops(function).empty() && all_of(calls_in(instructions(function)), is_brief);
  return known_[&function] = is_short_too;
}

}  // namespace takt_plugin
