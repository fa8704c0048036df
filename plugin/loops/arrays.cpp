#include "loops/arrays.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "reach/uses.hpp"

#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/TargetParser/Triple.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// The variable whose address an outlined function gets as `given`, maybe by way of others around it.
AllocaInst* variable_behind(Value* given) {
  for (int depth = 0; depth < 16; ++depth) {
    Value* root = root_of(given);
    auto* argument = dyn_cast_or_null<Argument>(root);
    if (argument == nullptr) return dyn_cast_or_null<AllocaInst>(root);
    Function* function = argument->getParent();
    auto* start = function->hasOneUse() ? dyn_cast<CallInst>(function->user_back()) : nullptr;
    if (start == nullptr || name_of(*start) != kmpc::fork_call || argument->getArgNo() < 2) return nullptr;
    given = start->getArgOperand(argument->getArgNo() + 1);
  }
  return nullptr;
}

/// Whether the library has just allocated what is stored, and this variable alone gets it.
bool is_new(const StoreInst& store, const TargetLibraryInfoImpl& known) {
  auto* call = dyn_cast<CallBase>(store.getValueOperand());
  const Function* called = call == nullptr ? nullptr : call->getCalledFunction();
  // An allocator of the program's own may hand memory out again with no call between, once it is inlined.
  if (called == nullptr || !called->isDeclaration() || !call->hasOneUse()) return false;
  const TargetLibraryInfo libraries(known, store.getFunction());
  LibFunc function;
  if (isAllocLikeFn(call, &libraries)) return true;
  // LLVM knows these by attributes that it has not given them yet.
  return libraries.getLibFunc(*call, function) && libraries.has(function) &&
         is_contained({LibFunc_malloc, LibFunc_calloc, LibFunc_aligned_alloc, LibFunc_memalign}, function);
}

bool holds_own_memory(AllocaInst& variable, const block_set& ignored) {
  const uses all = uses_of(variable, ignored);
  const TargetLibraryInfoImpl known(Triple(variable.getModule()->getTargetTriple()));
  return all.simple && all.whole && all_of(all.stores, [&](const StoreInst* store) {
           return isa<ConstantPointerNull>(store->getValueOperand()) || is_new(*store, known);
         });
}

/// The parameter in which the address of a variable came that holds `pointer`, or where it points into; null: neither.
Argument* holder_of(Value* pointer) {
  pointer = pointer->stripPointerCasts();
  while (auto* element = dyn_cast<GEPOperator>(pointer)) pointer = element->getPointerOperand()->stripPointerCasts();
  auto* load = dyn_cast<LoadInst>(pointer);
  return load == nullptr ? nullptr : dyn_cast_or_null<Argument>(root_of(load->getPointerOperand()));
}

}  // namespace

void tell_arrays_apart(const site& where, ArrayRef<captured> captures, const block_set& ignored) {
  Function& outlined = *where.outlined;
  SmallPtrSet<const AllocaInst*, 8> variables;
  SmallVector<unsigned> own;
  for (unsigned p = 2; p < captures.size(); ++p) {
    if (captures[p].how != capture::value || !captures[p].type->isPointerTy()) continue;
    AllocaInst* variable = variable_behind(where.fork->getArgOperand(p + 1));
    if (variable == nullptr || !holds_own_memory(*variable, ignored)) continue;
    // A variable that is captured twice is one array.
    if (variables.insert(variable).second) own.push_back(p);
  }
  if (own.size() < 2) return;
  LLVMContext& context = outlined.getContext();
  MDBuilder metadata(context);
  MDNode* domain = metadata.createAnonymousAliasScopeDomain(outlined.getName());
  SmallVector<Metadata*> scopes;
  for (unsigned p : own) scopes.push_back(metadata.createAnonymousAliasScope(domain, outlined.getArg(p)->getName()));
  const auto add = [&](Instruction& access, unsigned kind, ArrayRef<Metadata*> more) {
    access.setMetadata(kind, MDNode::concatenate(access.getMetadata(kind), MDNode::get(context, more)));
  };
  for (Instruction& access : instructions(outlined)) {
    Value* pointer = getLoadStorePointerOperand(&access);
    Argument* holder = pointer == nullptr ? nullptr : holder_of(pointer);
    const auto* found = holder == nullptr ? own.end() : find(own, holder->getArgNo());
    if (found == own.end()) continue;
    const auto array = found - own.begin();
    SmallVector<Metadata*> others(scopes);
    others.erase(others.begin() + array);
    add(access, LLVMContext::MD_alias_scope, scopes[array]);
    add(access, LLVMContext::MD_noalias, others);
  }
}

}  // namespace takt_plugin
