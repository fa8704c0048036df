// Loops whose iterations may take any time: those are claimed one by one, in the loop itself.
#include "loops/looks.hpp"

#include "loops/indices.hpp"
#include "loops/rewriting.hpp"
#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>

namespace takt_plugin {

using namespace llvm;

namespace {

// So many turns at most, and the loop is straight code.
constexpr std::uint64_t k_few_turns = 64;

/// Whether the loop compares what it counts with a small constant.
bool is_short(const Loop& loop) {
  SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [](const BasicBlock* block) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    auto* test = branch == nullptr ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
    auto* most = test == nullptr ? nullptr : dyn_cast<ConstantInt>(test->getOperand(1));
    return most != nullptr && ICmpInst::isLT(test->getPredicate()) && most->getValue().ule(k_few_turns);
  });
}

class lengths {
 public:
  bool is_long(const Instruction& instruction) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || isa<IntrinsicInst>(call) || call->doesNotAccessMemory()) return false;
    Function* callee = call->getCalledFunction();
    if (callee == nullptr) return true;
    // A converted loop looks around by itself.
    if (callee->hasFnAttribute(k_entry) || is_kmpc(*call)) return false;
    return callee->isDeclaration() || is_long(*callee);
  }

  static bool is_long(const Loop& loop) { return !is_short(loop); }

 private:
  bool is_long(Function& function) {
    auto [known, is_new] = known_.emplace(&function, true);  // a recursion
    if (!is_new) return known->second;
    const DominatorTree tree(function);
    const LoopInfo loops(tree);
    bool any = any_of(loops.getLoopsInPreorder(), [](const Loop* loop) { return is_long(*loop); });
    for (const BasicBlock& block : function) {
      any = any || any_of(block, [&](const Instruction& instruction) { return is_long(instruction); });
    }
    known_[&function] = any;
    return any;
  }

  std::map<const Function*, bool> known_;
};

}  // namespace

StoreInst* find_step(const region& found) {
  StoreInst* begin = find_begin(found);
  if (begin == nullptr) return nullptr;
  Value* number = begin->getPointerOperand();
  StoreInst* step = nullptr;
  for (User* user : number->users()) {
    auto* store = dyn_cast<StoreInst>(user);
    if (store == nullptr || store == begin) continue;
    if (step != nullptr || store->getPointerOperand() != number) return nullptr;
    step = store;
  }
  return step;
}

bool may_be_long(const region& found) {
  const StoreInst* step = find_step(found);
  if (step == nullptr) return false;
  const DominatorTree tree(*found.outlined);
  const LoopInfo loops(tree);
  const Loop* own = loops.getLoopFor(step->getParent());
  if (own == nullptr) return false;
  if (any_of(own->getLoopsInPreorder(), [&](const Loop* inner) { return inner != own && lengths::is_long(*inner); }))
    return true;
  lengths known;
  return any_of(own->blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& instruction) { return known.is_long(instruction); });
  });
}

}  // namespace takt_plugin
