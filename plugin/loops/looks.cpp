// Loops whose iterations may take any time: those are claimed one by one, in the loop itself.
#include "loops/looks.hpp"

#include "loops/brevity.hpp"
#include "loops/indices.hpp"
#include "openmp/calls.hpp"

#include <llvm/Analysis/LoopInfo.h>

namespace takt_plugin {

using namespace llvm;

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
  for (auto [from, to] : long_loops(*found.outlined)) {
    if (own->contains(from) && to != own->getHeader()) return true;
  }
  brevity known(true);
  return any_of(own->blocks(), [&](const BasicBlock* block) {
    return any_of(calls_in(*block), [&](const CallBase* call) { return !known.is_short(*call); });
  });
}

}  // namespace takt_plugin
