// What entries and slices have in common, and the calls of an entry.
#include "loops/converter.hpp"

#include "forks/frames.hpp"
#include "loops/arrays.hpp"
#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "tuning.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

#include <takt/omp.hpp>

namespace takt_plugin {

using namespace llvm;

namespace {

/// The same instruction in a copy of the function.
template <class T>
T* in_copy(const ValueToValueMapTy& copies, T* original) {
  return original == nullptr ? nullptr : cast<T>(copies.lookup(original));
}

/// The temporaries through which the serial call got the thread's numbers.
void drop_if_only_written(Value& temporary) {
  auto* variable = dyn_cast<AllocaInst>(&temporary);
  if (variable == nullptr) return;
  for (User* user : variable->users()) {
    auto* store = dyn_cast<StoreInst>(user);
    if (store == nullptr || store->getPointerOperand() != variable) return;
  }
  for (User* user : make_early_inc_range(variable->users())) cast<Instruction>(user)->eraseFromParent();
  variable->eraseFromParent();
}

}  // namespace

converter::converter(const site& where, const region& found, const conversion& how)
    : where_(where),
      found_(found),
      how_(how),
      module_(*found.outlined->getParent()),
      context_(module_.getContext()),
      word_(Type::getInt64Ty(context_)),
      pointer_(PointerType::getUnqual(context_)),
      captures_(how.optimise ? classify_captures(where, *how.ignored)
                             : std::vector<captured>(found.outlined->arg_size())),
      may_be_cancelled_(
          any_of(calls_in(instructions(*found.outlined)), [](CallBase* call) { return cancels_loop(*call); })) {}

void converter::run() {
  if (how_.optimise) tell_arrays_apart(where_, captures_, *how_.ignored);
  SmallVector<Type*> members;
  for (unsigned p = 2; p < captures_.size(); ++p) {
    const captured& c = captures_[p];
    const bool held = c.how == capture::value || c.how == capture::in_record;
    members.push_back(held ? c.type : found_.outlined->getArg(p)->getType());
  }
  environment_ = StructType::get(context_, members);
  // A team of one runs its iterations in order, and a program may count on that.
  Function* serial = how_.plain || may_be_team_of_one() ? make_entry(true) : nullptr;
  Function* entry = serial;
  if (!how_.plain) {
    make_site();
    make_slice();
    entry = how_.pooled ? make_entry_of_pooled() : make_entry(false);
  }
  call_entry(*entry, serial);
  if (where_.serial != nullptr) {
    call(*where_.serial, 0, *serial);
    Value* numbers[] = {where_.serial->getArgOperand(0), where_.serial->getArgOperand(1)};
    where_.serial->eraseFromParent();
    where_.serial_begin->eraseFromParent();
    where_.serial_end->eraseFromParent();
    for (Value* number : numbers) drop_if_only_written(*number);
  }
  if (where_.push_threads != nullptr) where_.push_threads->eraseFromParent();
}

region converter::in_copy(const ValueToValueMapTy& copies, const region& original) {
  region copy = original;
  copy.init = takt_plugin::in_copy(copies, original.init);
  copy.fini = takt_plugin::in_copy(copies, original.fini);
  copy.next = takt_plugin::in_copy(copies, original.next);
  copy.reduce = takt_plugin::in_copy(copies, original.reduce);
  for (CallInst*& call : copy.dropped) call = takt_plugin::in_copy(copies, call);
  copy.last = takt_plugin::in_copy(copies, original.last);
  copy.lower = takt_plugin::in_copy(copies, original.lower);
  copy.upper = takt_plugin::in_copy(copies, original.upper);
  copy.stride = takt_plugin::in_copy(copies, original.stride);
  for (Instruction*& number : copy.numbers) number = takt_plugin::in_copy(copies, number);
  for (reduction_part& part : copy.parts) {
    part.copy = takt_plugin::in_copy(copies, part.copy);
    if (Value* length = copies.lookup(part.length)) part.length = length;
    // Globals are not in the table.
    if (Value* variable = copies.lookup(part.variable)) part.variable = variable;
  }
  return copy;
}

FunctionCallee converter::runtime(StringRef name, Type* result, ArrayRef<Type*> parameters) {
  return runtime_function(module_, name, result, parameters);
}

/// A copy with other parameters. The thread's numbers become 0: nothing is left that looks at them.
Function* converter::copy_outlined(Twine suffix, ArrayRef<Type*> parameters, ValueToValueMapTy& copies,
                                   bool from_environment) {
  Function& original = *found_.outlined;
  auto* type = FunctionType::get(Type::getVoidTy(context_), parameters, false);
  Function* copy = Function::Create(type, GlobalValue::InternalLinkage, original.getName() + suffix, module_);
  BasicBlock* prologue = BasicBlock::Create(context_, "", copy);
  IRBuilder<> b(prologue);
  Value* zero = b.CreateAlloca(b.getInt32Ty());
  b.CreateStore(b.getInt32(0), zero);
  copies[original.getArg(0)] = zero;
  copies[original.getArg(1)] = zero;
  for (unsigned p = 2; p < original.arg_size(); ++p) {
    Value* given = copy->arg_empty() ? nullptr : copy->getArg(from_environment ? 0 : p - 2);
    if (from_environment) {
      given = b.CreateStructGEP(environment_, given, p - 2);
      if (captures_[p].how != capture::in_record) given = b.CreateLoad(environment_->getElementType(p - 2), given);
    }
    if (captures_[p].how == capture::value) {
      Value* variable = b.CreateAlloca(captures_[p].type);
      b.CreateStore(given, variable);
      given = variable;
    }
    copies[original.getArg(p)] = given;
  }
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(copy, &original, copies, CloneFunctionChangeType::LocalChangesOnly, returns);
  // Variables are found in the first block only.
  auto* entry = cast<BasicBlock>(copies[&original.getEntryBlock()]);
  entry->splice(entry->begin(), prologue);
  prologue->eraseFromParent();
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->removeFnAttr(Attribute::AlwaysInline);
  if (!copy->hasOptNone()) copy->removeFnAttr(Attribute::NoInline);
  // A slice may run on another thread than its loop was started on, and may start other loops.
  copy->removeFnAttr(Attribute::NoRecurse);
  keep_frame_pointer(*copy);
  return copy;
}

void converter::make_site() { site_ = new_site(module_, found_.outlined->getName() + ".takt_site"); }

/// The iterations get the slice's number; `frame` is null where one thread runs all of them.
void converter::give_number(const region& copy, Value* frame) {
  for (Instruction* asked : copy.numbers) {
    if (auto* call = dyn_cast<InvokeInst>(asked)) asked = changeToCall(call);
    IRBuilder<> b(asked);
    Value* number = frame == nullptr ? static_cast<Value*>(b.getInt32(0))
                                     : b.CreateLoad(b.getInt32Ty(), field(b, frame, offsetof(takt::abi::omp_frame, number)));
    asked->replaceAllUsesWith(number);
    asked->eraseFromParent();
  }
}

/// Takes out calls that mean nothing to a slice, and the atomic way of combining a reduction. `frame`: of a slice;
/// null: all iterations run here, and nobody else cancels them.
void converter::drop_calls(const region& copy, Value* frame) {
  if (may_be_cancelled_) {
    for (Instruction& instruction : make_early_inc_range(instructions(*copy.init->getFunction()))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call != nullptr && cancels_loop(*call)) lower_cancel(*call, frame);
    }
  }
  if (copy.reduce != nullptr) {
    for (User* user : copy.reduce->users()) {
      auto* choice = dyn_cast<SwitchInst>(user);
      if (choice == nullptr) continue;
      auto atomic = choice->findCaseValue(ConstantInt::get(cast<IntegerType>(copy.reduce->getType()), 2));
      if (atomic == choice->case_default()) continue;
      atomic->getCaseSuccessor()->removePredecessor(choice->getParent());
      choice->removeCase(atomic);
    }
  }
  for (CallInst* call : copy.dropped) {
    // Nobody cancels a region with one loop.
    if (!call->use_empty()) call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
    call->eraseFromParent();
  }
  if (copy.is_chunked) {
    // With the whole loop as one chunk, the bounds of the next one may wrap around.
    for (User* user : copy.stride->users()) {
      if (!isa<LoadInst>(user)) continue;
      for (User* sum : user->users()) {
        if (auto* instruction = dyn_cast<Instruction>(sum)) instruction->dropPoisonGeneratingFlags();
      }
    }
  }
}

/// Copies a variable of `bytes` bytes; `type` is its type, or that of its elements.
void converter::copy_variable(IRBuilder<>& b, Type* type, std::uint64_t bytes, Value* to, Align to_align, Value* from,
                              Align from_align) {
  if (type->isAggregateType() || module_.getDataLayout().getTypeAllocSize(type).getFixedValue() != bytes) {
    b.CreateMemCpy(to, to_align, from, from_align, bytes);
  } else {
    b.CreateAlignedStore(b.CreateAlignedLoad(type, from, from_align), to, to_align);
  }
}

/// Copies a variable of the type that `like` has.
void converter::copy_variable(IRBuilder<>& b, const AllocaInst& like, Value* to, Align to_align, Value* from,
                              Align from_align) {
  const std::uint64_t bytes = like.getAllocationSize(module_.getDataLayout())->getFixedValue();
  copy_variable(b, like.getAllocatedType(), bytes, to, to_align, from, from_align);
}

/// num_threads; 0: there is none.
Value* converter::threads_wanted(IRBuilder<>& b) const {
  if (where_.push_threads == nullptr) return b.getInt64(0);
  Value* threads = where_.push_threads->getArgOperand(2);
  return b.CreateZExt(b.CreateBinaryIntrinsic(Intrinsic::smax, threads, b.getInt32(0)), word_);
}

/// Calls a copy with what the call at `before` passes on, from operand 2 + shift on.
void converter::call(CallInst& before, unsigned shift, Function& entry) {
  IRBuilder<> b(&before);
  SmallVector<Value*> arguments;
  for (unsigned p = 2; p < captures_.size(); ++p) {
    Value* given = before.getArgOperand(p + shift);
    if (captures_[p].how == capture::value) given = b.CreateLoad(captures_[p].type, given);
    arguments.push_back(given);
  }
  if (arguments.size() < entry.arg_size()) arguments.push_back(threads_wanted(b));
  b.CreateCall(&entry, arguments)->setDoesNotThrow();
}

void converter::call_entry(Function& entry, Function* serial) {
  CallInst& fork = *where_.fork;
  Value* threads = threads_asked_for(where_);
  if (threads == nullptr) {
    call(fork, 1, entry);
  } else {
    const auto [one, more] = split_by_threads(*threads, fork);
    fork.moveBefore(one);
    call(fork, 1, *serial);
    fork.moveBefore(more);
    call(fork, 1, entry);
  }
  fork.eraseFromParent();
}

void convert(const site& where, const region& found, const conversion& how) { converter(where, found, how).run(); }

}  // namespace takt_plugin
