// See include/takt/detail/hot.hpp: each access is one instruction, and carries no address of anything of a thread.
#include "forks/frames.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ModRef.h>
#include <llvm/TargetParser/Triple.h>

#include <takt/abi.hpp>

namespace takt_plugin {

using namespace llvm;

namespace {

static_assert(offsetof(takt::abi::hot_state, head) == 0 && offsetof(takt::abi::hot_state, split) == 8 &&
              offsetof(takt::abi::hot_state, credit) == 16 && offsetof(takt::abi::hot_state, free_top) == 48);
static_assert(takt::abi::k_fork_units == 512);

Value* run_assembly(IRBuilder<>& b, Type* result, ArrayRef<Value*> inputs, StringRef text, StringRef constraints,
                    bool moves_memory = false) {
  SmallVector<Type*> types;
  for (Value* input : inputs) types.push_back(input->getType());
  const std::string all = constraints.str() + ",~{dirflag},~{fpsr},~{flags}" + (moves_memory ? ",~{memory}" : "");
  CallInst* call = b.CreateCall(InlineAsm::get(FunctionType::get(result, types, false), text, all, true), inputs);
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  if (!moves_memory) call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return call;
}

/// Where takt_hot is from %fs, which is the same on every thread.
Value* hot_base(IRBuilder<>& b) {
  auto* at =
      InlineAsm::get(FunctionType::get(b.getInt64Ty(), {}, false), "movq " TAKT_ABI_SYMBOL(hot) "@gottpoff(%rip), $0",
                     "=r,~{dirflag},~{fpsr},~{flags}", false);
  CallInst* base = b.CreateCall(at);
  base->setDoesNotThrow();
  base->addFnAttr(Attribute::WillReturn);
  base->setDoesNotAccessMemory();
  return base;
}

}  // namespace

FunctionCallee runtime_function(Module& module, StringRef name, Type* result, ArrayRef<Type*> parameters) {
  FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
  if (auto* function = dyn_cast<Function>(callee.getCallee())) function->setDoesNotThrow();
  return callee;
}

GlobalVariable* new_site(Module& module, const Twine& name) {
  LLVMContext& context = module.getContext();
  auto* half = Type::getInt32Ty(context);
  auto* word = Type::getInt64Ty(context);
  auto* type = StructType::get(context, {half, half, word, word, word});
  constexpr takt::abi::site fresh{};
  auto* made = new GlobalVariable(
      module, type, false, GlobalValue::InternalLinkage,
      ConstantStruct::get(type, {ConstantInt::get(half, fresh.unit_cost), ConstantInt::get(half, fresh.nested),
                                 ConstantInt::get(word, fresh.free_below), ConstantInt::get(word, fresh.span_ticks),
                                 ConstantInt::get(word, fresh.free_band)}),
      name);
  static_assert(offsetof(takt::abi::site, unit_cost) == 0 && offsetof(takt::abi::site, nested) == 4 &&
                offsetof(takt::abi::site, free_below) == 8 && offsetof(takt::abi::site, span_ticks) == 16 &&
                offsetof(takt::abi::site, free_past) == 16 && offsetof(takt::abi::site, free_band) == 24 &&
                sizeof(takt::abi::site) == 32);
  made->setAlignment(Align(16));
  return made;
}

Value* at_offset(IRBuilder<>& b, Value* of, std::uint64_t offset) {
  return offset == 0 ? of : b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), of, offset);
}

bool has_latent_frames(const Module& module) {
  const Triple machine(module.getTargetTriple());
  return machine.getArch() == Triple::x86_64 && !machine.isX32();
}

Value* head_of_frames(IRBuilder<>& b) {
  return run_assembly(b, b.getPtrTy(), {hot_base(b)}, "movq %fs:0($1), $0", "=r,r");
}

void set_head_of_frames(IRBuilder<>& b, Value* slot) {
  run_assembly(b, b.getVoidTy(), {slot, hot_base(b)}, "movq $0, %fs:0($1)", "r,r", true);
}

Value* is_promoted(IRBuilder<>& b, Value* slot) {
  Value* below = run_assembly(b, b.getInt8Ty(), {slot, hot_base(b)}, "cmpq %fs:8($2), $1", "={@ccb},r,r", true);
  return b.CreateICmpNE(below, b.getInt8(0));
}

Value* charge(IRBuilder<>& b, Value* units) {
  Value* negative = run_assembly(b, b.getInt8Ty(), {units, hot_base(b)}, "subq $1, %fs:16($2)", "={@ccs},r,r");
  return b.CreateICmpNE(negative, b.getInt8(0));
}

Value* charge_fork(IRBuilder<>& b) {
  Value* negative = run_assembly(b, b.getInt8Ty(), {hot_base(b)}, "subq $$512, %fs:16($1)", "={@ccs},r");
  return b.CreateICmpNE(negative, b.getInt8(0));
}

Value* is_overdrawn(IRBuilder<>& b) {
  Value* negative = run_assembly(b, b.getInt8Ty(), {hot_base(b)}, "cmpq $$0, %fs:16($1)", "={@ccs},r");
  return b.CreateICmpNE(negative, b.getInt8(0));
}

Value* stack_pointer(IRBuilder<>& b) { return run_assembly(b, b.getInt64Ty(), {}, "movq %rsp, $0", "=r"); }

// All of it in one piece: the address of takt_hot would otherwise be kept across the calls of a recursion, in a
// register that each of them saves.
static constexpr const char* k_question = "movq " TAKT_ABI_SYMBOL(hot) "@gottpoff(%rip), $1\n\tmovq %fs:48($1), $1\n\t"
                                           "subq %rsp, $1\n\tcmpq $2, $1";

Value* is_in_free_band(IRBuilder<>& b, Value* band) {
  auto* type = FunctionType::get(StructType::get(b.getInt8Ty(), b.getInt64Ty()), {band->getType()}, false);
  CallInst* call =
      b.CreateCall(InlineAsm::get(type, k_question, "={@ccb},=&r,*m,~{dirflag},~{fpsr},~{flags}", true), {band});
  call->addParamAttr(0, Attribute::get(b.getContext(), Attribute::ElementType, b.getInt64Ty()));
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  call->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  return b.CreateICmpNE(b.CreateExtractValue(call, 0), b.getInt8(0));
}

bool is_band_question(const Value& value) {
  auto* call = dyn_cast<CallInst>(&value);
  auto* assembly = call == nullptr ? nullptr : dyn_cast<InlineAsm>(call->getCalledOperand());
  return assembly != nullptr && assembly->getAsmString().find(k_question) == 0;
}

}  // namespace takt_plugin
