// The entry: the copy of an outlined function that the program calls, and that runs a short loop in place.
#include "loops/converter.hpp"

#include "forks/frames.hpp"
#include "loops/indices.hpp"
#include "openmp/calls.hpp"
#include "tuning.hpp"
#include "reach/effects.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/ModRef.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <takt/omp.hpp>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

/// Says of a call of the runtime, with a loop as its first argument, that it writes nothing but the runtime's memory
/// and what other arguments point to. What the runtime shares with converted code, sites and the bounds of loops, that
/// reads by atomic or volatile loads.
static void touches_own_memory(CallInst& call) {
  call.addParamAttr(0, Attribute::ReadOnly);
  call.addParamAttr(0, Attribute::NoCapture);
  call.setMemoryEffects(MemoryEffects::readOnly() | MemoryEffects::inaccessibleOrArgMemOnly());
}

/// Says of a piece of assembly that what follows it is reached.
static void goes_on(CallInst& assembly) {
  assembly.setDoesNotThrow();
  assembly.addFnAttr(Attribute::WillReturn);
}

Value* converter::count_of(IRBuilder<>& b, const region& copy, Value* lower, Value* upper) {
  Value* distance = b.CreateSub(upper, lower);
  // A loop of no iterations is passed on as -1 by some.
  Value* count = copy.is_unsigned ? b.CreateZExt(distance, word_) : b.CreateSExt(distance, word_);
  return b.CreateAdd(count, b.getInt64(1));
}

/// Charges `units`: true when the credit is used up.
Value* converter::spend(IRBuilder<>& b, Value* units) {
  // Elsewhere every loop asks the runtime.
  return has_latent_frames(module_) ? takt_plugin::charge(b, units) : b.getTrue();
}

/// The same value, which LLVM does not recognise.
static Value* hide(IRBuilder<>& b, Value* value) {
  auto* nothing = InlineAsm::get(FunctionType::get(value->getType(), {value->getType()}, false), "", "=r,0", false);
  CallInst* same = b.CreateCall(nothing, {value});
  goes_on(*same);
  same->setDoesNotAccessMemory();
  return same;
}

/// @returns where to ask what to do with a loop that does not fit the credit, or nests; `units` are what it was
/// charged. Loops with fewer iterations than the site grants are not charged. `count` becomes what is known there.
Instruction* converter::charge(IRBuilder<>& b, const region& copy, Instruction& loop, Value*& count, Value*& units) {
  const auto field_of_site = [&](Type* type, std::uint64_t offset) {
    LoadInst* load = b.CreateLoad(type, field(b, site_, offset));
    load->setAtomic(AtomicOrdering::Monotonic);
    load->setAlignment(Align(type->getPrimitiveSizeInBits() / 8));
    return load;
  };
  MDNode* const rarely = MDBuilder(context_).createBranchWeights(1, 2000);
  const bool may_be_free = how_.optimise;
  if (may_be_free) {
    // Where bounds are words, the loop has begin - end at hand: LLVM compares with that what it unrolls.
    Value* negative = copy.index() == word_ ? b.CreateNeg(count) : nullptr;
    LoadInst* bound = field_of_site(
        word_, negative != nullptr ? offsetof(takt::abi::site, free_past) : offsetof(takt::abi::site, free_below));
    if (!runs_in_slice()) mark_free_bound(*bound, negative != nullptr);
    Value* is_charged = negative != nullptr ? b.CreateICmpULE(negative, bound) : b.CreateICmpUGE(count, bound);
    b.SetInsertPoint(SplitBlockAndInsertIfThen(is_charged, &loop, false, rarely));
    b.SetCurrentDebugLocation(copy.init->getDebugLoc());
    // And end - begin is not: it would be computed for each loop that is free, if LLVM knew that it is the same.
    if (negative != nullptr) count = b.CreateNeg(hide(b, negative));
  }
  if (how_.nests) return &*b.GetInsertPoint();
  Value* cost = b.CreateZExt(field_of_site(b.getInt32Ty(), offsetof(takt::abi::site, unit_cost)), word_);
  Value* is_slow = nullptr;
  if (copy.index()->getBitWidth() <= 32) {
    // Below 2^62, as no cost is above 2^30.
    units = b.CreateMul(count, cost, "", true, true);
    is_slow = spend(b, units);
  } else {
    // What overflows takes long whatever it costs.
    Value* product = b.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, count, cost);
    Value* overflow = b.CreateExtractValue(product, 1);
    units = b.CreateSelect(overflow, b.getInt64(0), b.CreateExtractValue(product, 0));
    is_slow = b.CreateOr(spend(b, units), overflow);
  }
  return SplitBlockAndInsertIfThen(is_slow, &*b.GetInsertPoint(), false, rarely);
}

/// Whether the entry has no copy of the loop: if it may run in place, the slice does that, in one piece.
bool converter::runs_in_slice() const { return how_.shared || always_asks(); }

/// How to run a loop of which the entry has no copy.
Value* converter::find_way(IRBuilder<>& b, const region& copy, Value* count) {
  if (always_asks()) return ask(b, count, b.getInt64(0));
  Instruction* known = &*b.GetInsertPoint();
  AllocaInst* way = IRBuilder<>(&*known->getFunction()->getEntryBlock().begin()).CreateAlloca(b.getInt32Ty());
  b.CreateStore(b.getInt32(static_cast<std::uint32_t>(takt::abi::omp_way::in_place)), way);
  Value* units = b.getInt64(0);
  b.SetInsertPoint(charge(b, copy, *known, count, units));
  b.SetCurrentDebugLocation(copy.init->getDebugLoc());
  b.CreateStore(ask(b, count, units), way);
  b.SetInsertPoint(known);
  b.SetCurrentDebugLocation(copy.init->getDebugLoc());
  return b.CreateLoad(b.getInt32Ty(), way);
}

Value* converter::ask(IRBuilder<>& b, Value* count, Value* units) {
  FunctionCallee function = runtime("takt_omp_ask", b.getInt32Ty(), {pointer_, word_, word_});
  CallInst* call = b.CreateCall(function, {loop_, count, units});
  if (how_.optimise) touches_own_memory(*call);
  return call;
}

/// Whether the iterations write nothing of the program's memory but variables that are in the record of captures.
bool converter::writes_copies_only() const {
  if (!how_.optimise) return false;
  const effects all = effects_of_functions().of(found_);
  if (all.unknown) return false;
  for (unsigned p = 2; p < captures_.size(); ++p) {
    const bool is_written = (all.written_arguments >> p & 1) != 0;
    if (is_written && captures_[p].how != capture::in_record && captures_[p].how != capture::value) return false;
  }
  return true;
}

/// From the program's reduction variables to the copies, or back.
void converter::move_parts(IRBuilder<>& b, const region& copy, bool back) {
  for (const reduction_part& part : copy.parts) {
    if (back) {
      copy_variable(b, *part.copy, part.variable, part.variable_align, part.copy, part.align);
    } else {
      copy_variable(b, *part.copy, part.copy, part.align, part.variable, part.variable_align);
    }
  }
}

SmallVector<Type*> converter::parameters_of_entry(bool serial) const {
  SmallVector<Type*> parameters;
  for (unsigned p = 2; p < captures_.size(); ++p) {
    const captured& c = captures_[p];
    parameters.push_back(c.how == capture::value ? c.type : found_.outlined->getArg(p)->getType());
  }
  if (!serial && takes_threads()) parameters.push_back(word_);
  return parameters;
}

/// The same of a loop that is pooled: no copy of anything, for the first slice makes what is private.
Function* converter::make_entry_of_pooled() {
  auto* type = FunctionType::get(Type::getVoidTy(context_), parameters_of_entry(false), false);
  Function* entry = Function::Create(type, GlobalValue::InternalLinkage, found_.outlined->getName() + ".takt", module_);
  entry->copyAttributesFrom(slice_);
  IRBuilder<> b(BasicBlock::Create(context_, "", entry));
  b.SetInsertPoint(b.CreateRetVoid());
  // Asked only whether it is left to the OpenMP runtime.
  Value* way = how_.open ? ask(b, b.getInt64(0), b.getInt64(0)) : b.getInt32(0);
  run_slow(b, threads_of(*entry), way, DebugLoc(), *entry);
  if (!entry->hasOptNone()) entry->addFnAttr(Attribute::AlwaysInline);
  entry->addFnAttr(k_entry);
  return entry;
}

/// The copy of the outlined function that the program calls. `serial`: it never leaves the fast path.
Function* converter::make_entry(bool serial) {
  ValueToValueMapTy copies;
  Function* entry = copy_outlined(serial ? ".takt_serial" : ".takt", parameters_of_entry(serial), copies, false);
  const region copy = in_copy(copies, found_);
  give_number(copy, nullptr);
  drop_calls(copy, nullptr);
  if (how_.optimise) {
    count_as_written(copy);
    add_in_any_order(copy);
  }

  IRBuilder<> b(&*entry->getEntryBlock().begin());
  Type* flag = b.getInt32Ty();
  // Whether the loop has been run elsewhere, and whether this copy's one chunk has been given out.
  AllocaInst* elsewhere = b.CreateAlloca(flag);
  AllocaInst* given = b.CreateAlloca(flag);
  // Code that passes the loop by has nothing to hand over.
  b.CreateStore(b.getInt32(1), elsewhere);

  b.SetInsertPoint(copy.init);
  const DebugLoc where = copy.init->getDebugLoc();
  Value* lower = copy.next == nullptr ? b.CreateLoad(copy.index(), copy.lower) : copy.init->getArgOperand(3);
  Value* upper = copy.next == nullptr ? b.CreateLoad(copy.index(), copy.upper) : copy.init->getArgOperand(4);
  Value* count = count_of(b, copy, lower, upper);
  b.CreateStore(b.getInt32(0), elsewhere);
  b.CreateStore(b.CreateZExt(b.CreateICmpEQ(count, b.getInt64(0)), flag), given);
  if (copy.next == nullptr) {
    b.CreateStore(b.CreateZExt(b.CreateICmpNE(count, b.getInt64(0)), flag), copy.last);
    b.CreateStore(b.CreateTrunc(count, copy.index()), copy.stride);
  }
  BasicBlock* always_slow = nullptr;
  if (!serial) {
    Value* units = b.getInt64(0);
    Value* asked = count;
    Instruction* slow = nullptr;
    Value* way = nullptr;
    if (runs_in_slice()) {
      // Nothing of it need be here.
      always_slow = copy.init->getParent();
      slow = SplitBlockAndInsertIfThen(b.getTrue(), copy.init, false);
      b.SetInsertPoint(slow);
      b.SetCurrentDebugLocation(where);
      way = find_way(b, copy, count);
    } else {
      slow = charge(b, copy, *copy.init, asked, units);
      b.SetInsertPoint(slow);
      b.SetCurrentDebugLocation(where);
      // Also where it stays in place: nothing of the loop then lives across the question.
      way = ask(b, asked, units);
    }
    run_slow(b, asked, way, where, *entry);
    // Nothing is left for this copy of the loop: on to what follows it.
    b.CreateStore(b.getInt32(1), elsewhere);
    b.CreateStore(b.getInt32(1), given);
    if (copy.next == nullptr) {
      b.CreateStore(b.getInt32(0), copy.last);
      BasicBlock* after = copy.fini->getParent()->splitBasicBlock(copy.fini);
      BasicBlock* end = b.GetInsertBlock();
      end->getTerminator()->replaceSuccessorWith(end->getSingleSuccessor(), after);
    }
    if (always_slow != nullptr) ConstantFoldTerminator(always_slow);
  }
  if (copy.next != nullptr) {
    b.SetInsertPoint(copy.next);
    Value* more = b.CreateICmpEQ(b.CreateLoad(flag, given), b.getInt32(0));
    b.CreateStore(b.getInt32(1), given);
    b.CreateStore(lower, copy.lower);
    b.CreateStore(upper, copy.upper);
    b.CreateStore(ConstantInt::get(copy.index(), 1), copy.stride);
    Value* here = b.CreateICmpEQ(b.CreateLoad(flag, elsewhere), b.getInt32(0));
    Value* is_last = b.CreateAnd(here, b.CreateICmpNE(count, b.getInt64(0)));
    b.CreateStore(b.CreateZExt(is_last, flag), copy.last);
    copy.next->replaceAllUsesWith(b.CreateZExt(more, flag));
    copy.next->eraseFromParent();
  }
  if (copy.reduce != nullptr) {
    const bool may_start_from_variables =
        how_.optimise && std::all_of(copy.parts.begin(), copy.parts.end(),
                                     [](const reduction_part& part) { return part.variable != nullptr; });
    Value* answer = b.getInt32(0);
    b.SetInsertPoint(copy.reduce);
    b.SetCurrentDebugLocation(where);
    if (always_slow == nullptr && !may_start_from_variables) {
      answer = b.CreateSub(b.getInt32(1), b.CreateLoad(flag, elsewhere));
    } else if (always_slow == nullptr) {
      Value* here = b.CreateICmpEQ(b.CreateLoad(flag, elsewhere), b.getInt32(0));
      b.SetInsertPoint(SplitBlockAndInsertIfThen(here, copy.reduce, false));
      move_parts(b, copy, true);
      b.SetInsertPoint(copy.init);
      b.SetCurrentDebugLocation(where);
      move_parts(b, copy, false);
    }
    SmallVector<BasicBlock*> choices;
    for (User* user : copy.reduce->users()) {
      if (auto* choice = dyn_cast<SwitchInst>(user)) choices.push_back(choice->getParent());
    }
    copy.reduce->replaceAllUsesWith(answer);
    copy.reduce->eraseFromParent();
    for (BasicBlock* choice : choices) ConstantFoldTerminator(choice);
  }
  if (copy.fini != nullptr) copy.fini->eraseFromParent();
  copy.init->eraseFromParent();
  EliminateUnreachableBlocks(*entry);
  if (!entry->hasOptNone()) entry->addFnAttr(Attribute::AlwaysInline);
  entry->addFnAttr(k_entry);
  return entry;
}

/// The loop leaves this place: the runtime runs it in slices, or it is left to the OpenMP runtime.
void converter::run_slow(IRBuilder<>& b, Value* count, Value* way, const DebugLoc& where, Function& entry) {
  const DataLayout& layout = module_.getDataLayout();
  IRBuilder<> variables(&*entry.getEntryBlock().begin());
  AllocaInst* environment = variables.CreateAlloca(environment_);
  // Where the program's variables are copied to, and back from.
  SmallVector<Value*> copied(captures_.size());
  const auto copy_one = [&](unsigned p, bool back) {
    const captured& c = captures_[p];
    Value* to = back ? entry.getArg(p - 2) : copied[p];
    Value* from = back ? copied[p] : entry.getArg(p - 2);
    copy_variable(b, c.type, layout.getTypeAllocSize(c.type).getFixedValue(), to, c.align, from, c.align);
  };
  for (unsigned p = 2; p < captures_.size(); ++p) {
    Value* member = b.CreateStructGEP(environment_, environment, p - 2);
    if (captures_[p].how == capture::in_record) {
      copied[p] = member;
    } else if (captures_[p].how == capture::copied) {
      AllocaInst* variable = variables.CreateAlloca(captures_[p].type);
      // What runs in slices has been told how the variable is aligned.
      variable->setAlignment(captures_[p].align);
      copied[p] = variable;
    }
    if (copied[p] != nullptr) copy_one(p, false);
    if (copied[p] != member) b.CreateStore(copied[p] != nullptr ? copied[p] : entry.getArg(p - 2), member);
  }
  const auto run = [&] {
    FunctionCallee function = runtime("takt_omp_run", b.getVoidTy(), {pointer_, pointer_, word_, b.getInt32Ty()});
    CallInst* call = b.CreateCall(function, {loop_, environment, count, way});
    if (how_.pooled) return;
    if (!runs_in_slice()) mark_run_here(*call);
    if (!writes_copies_only()) return;
    // What the code around the loop has read need not be read again, although it may be a loop in place that ran.
    call->addParamAttr(1, Attribute::NoCapture);
    touches_own_memory(*call);
  };
  if (!how_.open) {
    run();
  } else {
    // Captured by value or not, the OpenMP runtime gets addresses.
    Instruction* join = &*b.GetInsertPoint();
    Value* left = b.getInt32(static_cast<std::uint32_t>(takt::abi::omp_way::left));
    Instruction* leave = nullptr;
    Instruction* stay = nullptr;
    SplitBlockAndInsertIfThenElse(b.CreateICmpEQ(way, left), join, &leave, &stay);
    b.SetInsertPoint(stay);
    b.SetCurrentDebugLocation(where);
    run();
    b.SetInsertPoint(leave);
    b.SetCurrentDebugLocation(where);
    SmallVector<Value*> arguments{where_.fork->getArgOperand(0), where_.fork->getArgOperand(1), found_.outlined};
    for (unsigned p = 2; p < captures_.size(); ++p) {
      Value* passed = copied[p] != nullptr ? copied[p] : entry.getArg(p - 2);
      if (captures_[p].how == capture::value) {
        AllocaInst* variable = variables.CreateAlloca(captures_[p].type);
        b.CreateStore(passed, variable);
        passed = variable;
      }
      arguments.push_back(passed);
    }
    if (where_.push_threads != nullptr) {
      Value* place = arguments.front();
      CallInst* number = b.CreateCall(runtime(kmpc::global_thread_num, b.getInt32Ty(), {pointer_}), {place});
      b.CreateCall(where_.push_threads->getFunctionType(), where_.push_threads->getCalledOperand(),
                   {place, number, b.CreateTrunc(threads_of(entry), b.getInt32Ty())});
    }
    b.CreateCall(where_.fork->getFunctionType(), where_.fork->getCalledOperand(), arguments);
    b.SetInsertPoint(join);
    b.SetCurrentDebugLocation(where);
  }
  for (unsigned p = 2; p < captures_.size(); ++p) {
    if (copied[p] != nullptr) copy_one(p, true);
  }
}

}  // namespace takt_plugin
