// Clang counts iterations from 0. See "Indices" in README.md beside this file.
#include "loops/indices.hpp"

#include "openmp/pointers.hpp"

#include <llvm/IR/IRBuilder.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// All that is done with the number of an iteration.
struct counter {
  AllocaInst* number = nullptr;
  StoreInst* begin = nullptr;  ///< of the lower bound
  ICmpInst* test = nullptr;
  BinaryOperator* increment = nullptr;
  SmallVector<BinaryOperator*> values;  ///< first + number, or first - number: the program's variable
  LoadInst* first = nullptr;            ///< of a variable that is not written in the loop
};

bool is_one(const Value* value) {
  auto* constant = dyn_cast<ConstantInt>(value);
  return constant != nullptr && constant->isOne();
}

/// Whether `bound` is what the number is compared with: the upper bound, or one more.
bool is_test(const ICmpInst& test, const LoadInst& number, const AllocaInst& upper) {
  if (test.getOperand(0) != &number) return false;
  const Value* bound = test.getOperand(1);
  bool is_past = false;
  if (auto* sum = dyn_cast<BinaryOperator>(bound)) {
    if (sum->getOpcode() != Instruction::Add || !is_one(sum->getOperand(1))) return false;
    bound = sum->getOperand(0);
    is_past = true;
  }
  auto* load = dyn_cast<LoadInst>(bound);
  if (load == nullptr || load->getPointerOperand() != &upper) return false;
  const CmpInst::Predicate how = test.getPredicate();
  return is_past ? how == CmpInst::ICMP_SLT || how == CmpInst::ICMP_ULT
                 : how == CmpInst::ICMP_SLE || how == CmpInst::ICMP_ULE;
}

bool read_use(LoadInst& load, const region& copy, counter& found) {
  if (!load.hasOneUse()) return false;
  User* use = *load.user_begin();
  if (auto* test = dyn_cast<ICmpInst>(use)) {
    if (found.test != nullptr || !is_test(*test, load, *copy.upper)) return false;
    found.test = test;
    return true;
  }
  auto* operation = dyn_cast<BinaryOperator>(use);
  if (operation == nullptr || operation->getOperand(0) != &load || !is_one(operation->getOperand(1)) ||
      !operation->hasOneUse()) {
    return false;
  }
  User* result = *operation->user_begin();
  if (operation->getOpcode() == Instruction::Add) {
    auto* store = dyn_cast<StoreInst>(result);
    if (found.increment != nullptr || store == nullptr || store->getPointerOperand() != found.number) return false;
    found.increment = operation;
    return true;
  }
  auto* value = dyn_cast<BinaryOperator>(result);
  if (operation->getOpcode() != Instruction::Mul || value == nullptr || value->getOperand(1) != operation) return false;
  if (value->getOpcode() != Instruction::Add && value->getOpcode() != Instruction::Sub) return false;
  auto* first = dyn_cast<LoadInst>(value->getOperand(0));
  auto* variable = first == nullptr ? nullptr : dyn_cast<AllocaInst>(first->getPointerOperand());
  if (variable == nullptr || only_store(*variable) == nullptr) return false;
  if (found.first != nullptr &&
      (found.first->getPointerOperand() != variable || found.values.front()->getOpcode() != value->getOpcode())) {
    return false;
  }
  found.first = first;
  found.values.push_back(value);
  return true;
}

bool read_counter(const region& copy, counter& found) {
  found.begin = find_begin(copy);
  if (found.begin == nullptr) return false;
  found.number = cast<AllocaInst>(found.begin->getPointerOperand());
  for (User* user : found.number->users()) {
    if (auto* load = dyn_cast<LoadInst>(user)) {
      if (!read_use(*load, copy, found)) return false;
    } else if (auto* store = dyn_cast<StoreInst>(user)) {
      auto* sum = dyn_cast<BinaryOperator>(store->getValueOperand());
      if (store != found.begin && (sum == nullptr || !is_one(sum->getOperand(1)))) return false;
    } else if (!is_marker(*user)) {
      return false;
    }
  }
  return found.test != nullptr && found.increment != nullptr && found.first != nullptr;
}

/// The test that guards the loop tells whether the program's variable is signed.
const ICmpInst* find_guard(const region& copy) {
  for (BasicBlock* block = copy.init->getParent()->getSinglePredecessor(); block != nullptr;
       block = block->getSinglePredecessor()) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch != nullptr && branch->isConditional()) return dyn_cast<ICmpInst>(branch->getCondition());
  }
  return nullptr;
}

/// The variable whose value `stored` is: one that is written once, and read here.
AllocaInst* variable_of(Value* stored) {
  auto* load = dyn_cast<LoadInst>(stored);
  auto* variable = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
  return variable != nullptr && only_store(*variable) != nullptr ? variable : nullptr;
}

}  // namespace

StoreInst* find_begin(const region& copy) {
  StoreInst* begin = nullptr;
  for (User* bound : copy.lower->users()) {
    if (!isa<LoadInst>(bound)) continue;
    for (User* user : bound->users()) {
      auto* store = dyn_cast<StoreInst>(user);
      auto* number = store == nullptr ? nullptr : dyn_cast<AllocaInst>(store->getPointerOperand());
      if (number == nullptr || number == copy.lower) continue;
      if (begin != nullptr) return nullptr;
      begin = store;
    }
  }
  return begin;
}

void trust_bounds(const region& copy) {
  if (copy.next != nullptr || copy.is_chunked) return;
  const BasicBlock& block = *copy.init->getParent();
  // The upper bound begins as the number of the last iteration.
  const AllocaInst* last = nullptr;
  for (User* user : copy.upper->users()) {
    auto* store = dyn_cast<StoreInst>(user);
    if (store != nullptr && store->getParent() == &block && store->comesBefore(copy.init)) {
      last = variable_of(store->getValueOperand());
    }
  }
  if (last == nullptr) return;
  for (Instruction* i = copy.init->getNextNode(); i != nullptr; i = i->getNextNode()) {
    auto* test = dyn_cast<ICmpInst>(i);
    if (test == nullptr) continue;
    auto* upper = dyn_cast<LoadInst>(test->getOperand(0));
    const CmpInst::Predicate how = test->getPredicate();
    if ((how != CmpInst::ICMP_SGT && how != CmpInst::ICMP_UGT) || upper == nullptr ||
        upper->getPointerOperand() != copy.upper || variable_of(test->getOperand(1)) != last) {
      return;
    }
    test->replaceAllUsesWith(ConstantInt::getFalse(test->getType()));
    test->eraseFromParent();
    return;
  }
}

void count_as_written(const region& copy) {
  counter found;
  const ICmpInst* guard = find_guard(copy);
  if (guard == nullptr || guard->isEquality() || guard->getOperand(0)->getType() != copy.index()) return;
  if (!read_counter(copy, found)) return;
  const bool is_signed = guard->isSigned();
  const bool up = found.values.front()->getOpcode() == Instruction::Add;

  IRBuilder<> b(found.begin);
  Type* const type = copy.index();
  const auto value_of = [&](Value* first, Value* number) {
    return up ? b.CreateAdd(first, number) : b.CreateSub(first, number);
  };
  Value* first = b.CreateLoad(type, found.first->getPointerOperand());
  Value* past = b.CreateAdd(b.CreateLoad(type, copy.upper), ConstantInt::get(type, 1));
  AllocaInst* end = IRBuilder<>(copy.lower).CreateAlloca(type);
  b.CreateStore(value_of(first, past), end);
  found.begin->setOperand(0, value_of(first, found.begin->getValueOperand()));

  b.SetInsertPoint(found.test);
  const CmpInst::Predicate before_end =
      is_signed ? (up ? CmpInst::ICMP_SLT : CmpInst::ICMP_SGT) : (up ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGT);
  Value* test = b.CreateICmp(before_end, found.test->getOperand(0), b.CreateLoad(type, end));
  found.test->replaceAllUsesWith(test);
  found.test->eraseFromParent();

  // The variable goes from its first value to the first one past the last: the program says that this does not
  // overflow.
  b.SetInsertPoint(found.increment);
  Value* step = up ? ConstantInt::get(type, 1) : ConstantInt::getAllOnesValue(type);
  Value* next = b.CreateAdd(found.increment->getOperand(0), step, "", up && !is_signed, is_signed);
  found.increment->replaceAllUsesWith(next);
  found.increment->eraseFromParent();

  for (BinaryOperator* value : found.values) {
    auto* product = cast<BinaryOperator>(value->getOperand(1));
    value->replaceAllUsesWith(product->getOperand(0));
    value->eraseFromParent();
    product->eraseFromParent();
  }
}

}  // namespace takt_plugin
