// Captured variables: Clang passes the address of each; a loop runs better with the value.
#include "loops/captures.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "reach/uses.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// Whether `pointer` is the address of the variable itself, looking through the slots in which Clang keeps arguments.
bool is_address_of(const Value* pointer, const AllocaInst& variable) {
  for (int depth = 0; depth < 16; ++depth) {
    pointer = pointer->stripPointerCasts();
    if (pointer == &variable) return true;
    auto* load = dyn_cast<LoadInst>(pointer);
    auto* slot = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
    const StoreInst* only = slot == nullptr ? nullptr : only_store(const_cast<AllocaInst&>(*slot));
    if (only == nullptr) return false;
    pointer = only->getValueOperand();
  }
  return false;
}

/// Whether nobody but the code that `uses_of` sees knows the address of the variable behind `pointer`.
/// `written_around`: whether a loop around this one writes it, so that other slices of that loop may do so meanwhile.
bool is_unshared(Value& pointer, const block_set& ignored, bool& written_around, int depth) {
  if (depth > 16) return false;
  Value* root = root_of(&pointer);
  if (root == nullptr) return false;
  if (auto* variable = dyn_cast<AllocaInst>(root)) {
    return is_address_of(&pointer, *variable) && uses_of(*variable, ignored).simple;
  }
  auto* argument = cast<Argument>(root);
  Function* function = argument->getParent();
  // Only what an outlined function gets can be followed to where it comes from.
  if (!function->hasLocalLinkage() || function->use_empty()) return false;
  written_around |= uses_of(*argument, ignored).written;
  for (User* user : function->users()) {
    auto* call = dyn_cast<CallBase>(user);
    if (call == nullptr) return false;
    unsigned operand = argument->getArgNo();
    if (call->getCalledOperand() != function) {
      if (name_of(*call) != kmpc::fork_call || operand < 2) return false;
      ++operand;
    }
    if (operand >= call->arg_size() || !is_unshared(*call->getArgOperand(operand), ignored, written_around, depth + 1))
      return false;
  }
  return true;
}

}  // namespace

bool is_small(const AllocaInst& variable) {
  constexpr std::uint64_t k_most_bytes = 256;
  const auto bytes = variable.getAllocationSize(variable.getModule()->getDataLayout());
  return bytes && !bytes->isScalable() && bytes->getFixedValue() <= k_most_bytes && !variable.isArrayAllocation();
}

std::vector<captured> classify_captures(const site& where, const block_set& ignored) {
  std::vector<captured> all(where.outlined->arg_size());
  for (unsigned p = 2; p < all.size(); ++p) {
    Argument& parameter = *where.outlined->getArg(p);
    if (!parameter.getType()->isPointerTy() || !parameter.hasNonNullAttr()) continue;
    const uses inside = uses_of(parameter, ignored);
    if (!inside.simple || inside.type == nullptr) continue;
    Value* given = where.fork->getArgOperand(p + 1);
    bool written_around = false;
    if (!is_unshared(*given, ignored, written_around, 0) || written_around) continue;
    // A copy of what other slices of a loop around this one see as well would hide what they write.
    auto* variable = dyn_cast<AllocaInst>(root_of(given));
    if ((inside.written || !inside.whole) && variable == nullptr) continue;
    if (inside.whole && !inside.written) {
      all[p] = {capture::value, inside.type, {}};
    } else if (inside.whole || is_small(*variable)) {
      Type* type = inside.whole ? inside.type : variable->getAllocatedType();
      const DataLayout& layout = variable->getModule()->getDataLayout();
      const bool fits = variable->getAlign() <= layout.getABITypeAlign(type);
      all[p] = {fits ? capture::in_record : capture::copied, type, variable->getAlign()};
    }
  }
  return all;
}

}  // namespace takt_plugin
