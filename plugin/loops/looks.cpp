// Loops whose iterations may take any time: those are claimed one by one, in the loop itself.
#include "loops/looks.hpp"

#include "loops/brevity.hpp"
#include "loops/indices.hpp"

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
  const LoopInfo loops{DominatorTree(*found.outlined)};
  const Loop* own = loops.getLoopFor(step->getParent());
  if (own == nullptr) return false;
  return !is_short(
      *found.outlined, true,
      [&](const BasicBlock& from, const BasicBlock& to) { return own->contains(&from) && &to != own->getHeader(); },
      [&](const CallBase& call) { return own->contains(&call); });
}

}  // namespace takt_plugin
