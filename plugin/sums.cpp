// The clause says that the order is open. See "Sums" in README.md beside this file.
#include "sums.hpp"

#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

bool is_load_of(const Value* value, const AllocaInst& variable) {
  auto* load = dyn_cast<LoadInst>(value);
  return load != nullptr && load->getPointerOperand() == &variable && !load->isVolatile();
}

/// Whether `value` is the variable with a term added or taken away, or with a factor.
bool continues(const Instruction& value, const AllocaInst& variable) {
  const auto is_variable = [&](const Value* operand) { return is_load_of(operand, variable); };
  switch (value.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FMul:
      return std::count_if(value.op_begin(), value.op_end(), is_variable) == 1;
    case Instruction::FSub:
      return is_variable(value.getOperand(0)) && !is_variable(value.getOperand(1));
    case Instruction::Call: {
      auto* intrinsic = dyn_cast<IntrinsicInst>(&value);
      return intrinsic != nullptr && intrinsic->getIntrinsicID() == Intrinsic::fmuladd &&
             is_variable(intrinsic->getArgOperand(2)) && !is_variable(intrinsic->getArgOperand(0)) &&
             !is_variable(intrinsic->getArgOperand(1));
    }
    default:
      return false;
  }
}

}  // namespace

void add_in_any_order(const region& copy) {
  for (const reduction_part& part : copy.parts) {
    for (User* user : part.copy->users()) {
      auto* store = dyn_cast<StoreInst>(user);
      if (store == nullptr || store->getPointerOperand() != part.copy || store->isVolatile()) continue;
      auto* value = dyn_cast<Instruction>(store->getValueOperand());
      // Used once more, it is a value that the program looks at.
      if (value != nullptr && value->hasOneUse() && continues(*value, *part.copy)) value->setHasAllowReassoc(true);
    }
  }
}

}  // namespace takt_plugin
