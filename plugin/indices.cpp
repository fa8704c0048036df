// Indices of loops that Clang counts in an unsigned 32-bit variable. See "Indices" in README.md beside this file.
#include "indices.hpp"

#include "surroundings.hpp"

#include <llvm/IR/IRBuilder.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// Replaces the extensions of what is computed from a load of the loop's variable without overflow.
void widen_uses(LoadInst& load, AllocaInst& wide, bool is_signed) {
  Type* const word = wide.getAllocatedType();
  const auto widened = [&](auto& self, Value* value, IRBuilder<>& b) -> Value* {
    if (value == &load) return b.CreateLoad(word, &wide);
    if (auto* constant = dyn_cast<ConstantInt>(value)) return b.getInt64(constant->getSExtValue());
    auto* operation = dyn_cast<BinaryOperator>(value);
    if (operation == nullptr) return b.CreateSExt(value, word);
    const bool keeps = operation->getOpcode() == Instruction::Add || operation->getOpcode() == Instruction::Sub ||
                       operation->getOpcode() == Instruction::Mul;
    if (!keeps || !operation->hasNoSignedWrap()) return b.CreateSExt(value, word);
    Value* left = self(self, operation->getOperand(0), b);
    Value* right = self(self, operation->getOperand(1), b);
    Value* whole = b.CreateBinOp(operation->getOpcode(), left, right);
    if (auto* made = dyn_cast<BinaryOperator>(whole)) made->setHasNoSignedWrap();
    return whole;
  };
  SmallVector<Instruction*> open{&load};
  SmallVector<CastInst*> extensions;
  while (!open.empty()) {
    Instruction* from = open.pop_back_val();
    for (User* user : from->users()) {
      auto* extension = dyn_cast<CastInst>(user);
      if (extension != nullptr && extension->getType() == word &&
          (is_signed ? isa<SExtInst>(extension) : isa<ZExtInst>(extension))) {
        extensions.push_back(extension);
      } else if (auto* operation = dyn_cast<BinaryOperator>(user);
                 operation != nullptr && is_signed && operation->getParent() == load.getParent() &&
                 isa<OverflowingBinaryOperator>(operation) && operation->hasNoSignedWrap() && operation->hasOneUse()) {
        open.push_back(operation);
      }
    }
  }
  for (CastInst* extension : extensions) {
    IRBuilder<> b(extension);
    if (extension->getParent() != load.getParent()) continue;
    Value* value = extension->getOperand(0);
    Value* whole = is_signed ? widened(widened, value, b) : b.CreateLoad(word, &wide);
    extension->replaceAllUsesWith(whole);
    extension->eraseFromParent();
  }
}

/// `start + iteration` or `start - iteration`, the loop's variable, is kept in 64 bits beside its own width, and taken
/// from there wherever it is extended to be an index.
void widen_index(Instruction& sum, Instruction& iteration, bool is_signed, const block_set& iterations) {
  const bool up = sum.getOpcode() == Instruction::Add;
  if ((!up && sum.getOpcode() != Instruction::Sub) || sum.getOperand(1) != &iteration || !sum.hasOneUse()) return;
  auto* store = dyn_cast<StoreInst>(*sum.user_begin());
  auto* variable = store == nullptr ? nullptr : dyn_cast<AllocaInst>(store->getPointerOperand());
  if (variable == nullptr) return;
  SmallVector<LoadInst*> loads;
  for (User* user : variable->users()) {
    auto* instruction = cast<Instruction>(user);
    if (!iterations.contains(instruction->getParent()) || instruction == store) continue;
    if (auto* load = dyn_cast<LoadInst>(instruction)) {
      loads.push_back(load);
    } else if (isa<StoreInst>(instruction)) {
      return;
    }
  }
  IRBuilder<> b(&sum);
  Type* const word = b.getInt64Ty();
  const auto extended = [&](Value* v) { return is_signed ? b.CreateSExt(v, word) : b.CreateZExt(v, word); };
  Value* start = extended(sum.getOperand(0));
  Value* distance = b.CreateZExt(&iteration, word);
  Value* value = up ? b.CreateAdd(start, distance, "", !is_signed, is_signed)
                    : b.CreateSub(start, distance, "", !is_signed, is_signed);
  IRBuilder<> variables(&*variable->getFunction()->getEntryBlock().begin());
  AllocaInst* wide = variables.CreateAlloca(word);
  b.CreateStore(value, wide);
  for (LoadInst* load : loads) widen_uses(*load, *wide, is_signed);
}

}  // namespace

void mark_indices(const region& copy) {
  if (!counts_unsigned_words(copy)) return;
  block_set iterations;
  collect_iterations(copy, iterations);
  // The test that guards the loop tells whether the program's variable is signed.
  const ICmpInst* guard = nullptr;
  for (BasicBlock* block = copy.init->getParent()->getSinglePredecessor(); block != nullptr && guard == nullptr;
       block = block->getSinglePredecessor()) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch != nullptr && branch->isConditional()) guard = dyn_cast<ICmpInst>(branch->getCondition());
  }
  if (guard == nullptr || guard->isEquality() || guard->getOperand(0)->getType() != copy.index()) return;
  const bool is_signed = guard->isSigned();
  for (User* bound : copy.upper->users()) {
    for (User* past : bound->users()) {
      auto* sum = dyn_cast<BinaryOperator>(past);
      if (sum != nullptr && sum->getOpcode() == Instruction::Add && isa<ConstantInt>(sum->getOperand(1))) {
        sum->setHasNoUnsignedWrap();
        sum->setHasNoSignedWrap();
      }
    }
  }
  // The iteration's number: the variable that starts as the lower bound.
  for (User* bound : copy.lower->users()) {
    if (!isa<LoadInst>(bound)) continue;
    for (User* start : bound->users()) {
      auto* store = dyn_cast<StoreInst>(start);
      auto* number = store == nullptr ? nullptr : dyn_cast<AllocaInst>(store->getPointerOperand());
      if (number == nullptr || number == copy.lower) continue;
      for (User* read : number->users()) {
        if (!isa<LoadInst>(read)) continue;
        for (User* product : read->users()) {
          auto* scaled = dyn_cast<BinaryOperator>(product);
          if (scaled == nullptr) continue;
          if (scaled->getOpcode() == Instruction::Add && isa<ConstantInt>(scaled->getOperand(1))) {
            scaled->setHasNoUnsignedWrap();
            scaled->setHasNoSignedWrap();
            continue;
          }
          auto* step = dyn_cast<ConstantInt>(scaled->getOperand(1));
          if (scaled->getOpcode() != Instruction::Mul || step == nullptr || !step->isOne()) continue;
          for (User* sum : make_early_inc_range(scaled->users())) {
            widen_index(cast<Instruction>(*sum), *scaled, is_signed, iterations);
          }
        }
      }
    }
  }
}

}  // namespace takt_plugin
