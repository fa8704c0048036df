#include "openmp/lengths.hpp"

#include "openmp/pointers.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

using namespace llvm;

const GlobalVariable* length_at(const Value* address) {
  if (auto* call = dyn_cast<IntrinsicInst>(address); call != nullptr && !call->arg_empty()) {
    address = call->getIntrinsicID() == Intrinsic::threadlocal_address ? call->getArgOperand(0) : nullptr;
  }
  auto* variable = dyn_cast_or_null<GlobalVariable>(address);
  return variable != nullptr && variable->isThreadLocal() && variable->getName().starts_with("reduction_size.")
             ? variable
             : nullptr;
}

unsigned copy_argument(const Function& function) { return function.getName().starts_with(".red_comb.") ? 1 : 0; }

Type* element_of(const LoadInst& length) {
  const Function& function = *length.getFunction();
  if (!function.getName().starts_with(".red_") || function.arg_size() <= copy_argument(function)) return nullptr;
  Type* element = nullptr;
  for (const User* user : length.users()) {
    auto* end = dyn_cast<GetElementPtrInst>(user);
    if (end == nullptr) continue;
    Type* const type = end->getSourceElementType();
    if (end->getNumIndices() != 1 || (element != nullptr && element != type)) return nullptr;
    element = type;
  }
  // Of elements without size, none can be counted.
  const bool has_size = element != nullptr && !function.getParent()->getDataLayout().getTypeAllocSize(element).isZero();
  return has_size ? element : nullptr;
}

bool is_told_length(const Instruction& instruction) {
  auto* store = dyn_cast<StoreInst>(&instruction);
  return store != nullptr && length_at(store->getPointerOperand()) != nullptr;
}

bool has_known_length(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return element_of(*load) != nullptr;
  if (length_at(&instruction) == nullptr) return is_told_length(instruction);
  return all_of(instruction.users(), [](const User* user) {
    return is_marker(*user) || (isa<LoadInst>(user) && has_known_length(*cast<LoadInst>(user))) ||
           (isa<StoreInst>(user) && is_told_length(*cast<StoreInst>(user)));
  });
}

}  // namespace takt_plugin
