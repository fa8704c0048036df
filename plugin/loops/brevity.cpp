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

struct reader {
  bool asks;
  DenseMap<const Function*, bool> known{};  ///< of functions that have been looked at, or are being

  bool is_short(Function& function, which_loops loops, which_calls calls) {
    const LoopInfo all{DominatorTree(function)};
    SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> back;
    FindFunctionBackedges(function, back);
    const auto is_long = [&](const auto& edge) {
      const Loop* loop = all.getLoopFor(edge.second);
      const bool is_few = loop != nullptr && loop->getHeader() == edge.second && comes_few_times(*loop);
      return !is_few && loops(*edge.first, *edge.second);
    };
    return none_of(back, is_long) && all_of(calls_in(instructions(function)), [&](const CallBase* call) {
             return !calls(*call) || is_short(*call);
           });
  }

  bool is_short(const CallBase& call) {
    if (auto* fill = dyn_cast<MemIntrinsic>(&call)) {
      auto* length = dyn_cast<ConstantInt>(fill->getLength());
      return length != nullptr && length->getZExtValue() < k_small_fill;
    }
    if (isa<IntrinsicInst>(call) || call.doesNotAccessMemory()) return true;
    Function* callee = call.getCalledFunction();
    if (callee == nullptr) return false;
    if (asks && (callee->hasFnAttribute(k_entry) || is_kmpc(call))) return true;
    // What was not allocated takes no time to be given back; what was, has been found by that.
    if (callee->doesNotReturn() || gives_memory_back(*callee)) return true;
    if (callee->isDeclaration() || callee->isInterposable()) return false;
    if (const auto [at, is_new] = known.try_emplace(callee, false); !is_new) return at->second;
    const auto all = [](const auto&...) { return true; };
    return known[callee] = is_short(*callee, all, all);
  }
};

}  // namespace

bool is_short(Function& function, bool asks, which_loops loops, which_calls calls) {
  return reader{asks}.is_short(function, loops, calls);
}

}  // namespace takt_plugin
