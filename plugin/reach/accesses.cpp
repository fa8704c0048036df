// What is done with a variable. Regions that are more than a loop want to know it: teams/README.md.
#include "reach/accesses.hpp"

#include "openmp/calls.hpp"
#include "openmp/constructs.hpp"
#include "openmp/pointers.hpp"
#include "reach/uses.hpp"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

using namespace llvm;

namespace {

void add_call(CallBase& call, Value& pointer, effects_of_functions& known, accesses& all,
              SmallVectorImpl<Value*>& open) {
  access& a = all[&call];
  a.reads = true;
  a.by.push_back(&pointer);
  for (unsigned operand = 0; operand < call.arg_size(); ++operand) {
    if (call.getArgOperand(operand) != &pointer) continue;
    Function* started = started_by(call);
    if (started != nullptr && operand >= 3 && operand - 1 < started->arg_size()) {
      const uses inside = uses_of(*started->getArg(operand - 1));
      a.writes |= inside.written || !inside.simple;
      a.escapes |= !inside.simple;
      continue;
    }
    auto* callee = call.getCalledFunction();
    const effects does = callee == nullptr ? effects{true, true} : known.of(*callee);
    a.writes |= does.unknown || operand >= 64 || (does.written_arguments >> operand & 1) != 0;
    a.escapes |= does.unknown || does.keeps_pointer;
    // What it returns may point into the variable.
    if (!call.getType()->isVoidTy() && !call.getType()->isIntOrIntVectorTy() && !call.getType()->isFPOrFPVectorTy()) {
      if (call.getType()->isPointerTy()) {
        open.push_back(&call);
      } else {
        a.escapes = true;
      }
    }
  }
  if (call.getCalledOperand() == &pointer) a.escapes = true;
}

}  // namespace

accesses accesses_of(Value& root, effects_of_functions& known) {
  accesses all;
  auto* variable = dyn_cast<AllocaInst>(&root);
  const auto is_whole = [&](Value* pointer, Type* type) {
    if (pointer != variable) return false;
    const DataLayout& layout = variable->getModule()->getDataLayout();
    const auto bytes = variable->getAllocationSize(layout);
    return bytes && *bytes == layout.getTypeStoreSize(type);
  };
  SmallPtrSet<Value*, 16> seen;
  SmallVector<Value*> open{&root};
  while (!open.empty()) {
    Value* pointer = open.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (User* user : pointer->users()) {
      auto* instruction = dyn_cast<Instruction>(user);
      if (instruction == nullptr || is_marker(*user)) continue;
      const auto use = [&](Instruction* at) -> access& {
        access& a = all[at];
        a.by.push_back(pointer);
        return a;
      };
      if (auto* load = dyn_cast<LoadInst>(user)) {
        access& a = use(load);
        a.reads = true;
        a.whole = is_whole(pointer, load->getType());
      } else if (auto* store = dyn_cast<StoreInst>(user)) {
        if (store->getPointerOperand() == pointer) {
          access& a = use(store);
          a.writes = true;
          a.whole = is_whole(pointer, store->getValueOperand()->getType());
        }
        if (store->getValueOperand() != pointer) continue;
        auto* slot = dyn_cast<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets());
        if (slot != nullptr && is_only_sent(*slot)) continue;
        if (slot == nullptr || only_store(*slot) != store) {
          use(store).escapes = true;
          continue;
        }
        for (User* of_slot : slot->users()) {
          if (isa<LoadInst>(of_slot)) open.push_back(of_slot);
        }
      } else if (isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user) || isa<PHINode>(user) ||
                 isa<SelectInst>(user)) {
        open.push_back(user);
      } else if (auto* transfer = dyn_cast<MemIntrinsic>(user)) {
        access& a = use(transfer);
        a.writes |= transfer->getRawDest() == pointer;
        a.reads |= transfer->getRawDest() != pointer || isa<MemTransferInst>(transfer);
      } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(user); intrinsic != nullptr && is_silent(*intrinsic)) {
        use(intrinsic).reads = true;
      } else if (auto* call = dyn_cast<CallBase>(user)) {
        if (!is_kmpc(*call) || started_by(*call) != nullptr) {
          add_call(*call, *pointer, known, all, open);
        } else if (name_of(*call) != kmpc::copyprivate) {
          access& a = use(call);
          a.reads = a.writes = true;
        }
      } else if (!isa<ICmpInst>(user)) {
        access& a = use(instruction);
        a.reads = a.writes = a.escapes = true;
      }
    }
  }
  return all;
}

}  // namespace takt_plugin
