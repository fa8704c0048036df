// Two functions are made of an outlined function: the entry, which runs a short loop in place, and the slice, which
// runs chunks. See "The rewriting" in README.md beside this file.
#include "slices.hpp"

#include "indices.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <takt/omp.hpp>

#include <algorithm>
#include <cstddef>

namespace takt_plugin {

using namespace llvm;
using takt::abi::loop_frame;
using takt::abi::omp_frame;

namespace {

/// The same instruction in a copy of the function.
template <class T>
T* in_copy(const ValueToValueMapTy& copies, T* original) {
  return original == nullptr ? nullptr : cast<T>(copies.lookup(original));
}

region in_copy(const ValueToValueMapTy& copies, const region& original) {
  region copy = original;
  copy.init = in_copy(copies, original.init);
  copy.fini = in_copy(copies, original.fini);
  copy.next = in_copy(copies, original.next);
  copy.reduce = in_copy(copies, original.reduce);
  for (CallInst*& call : copy.dropped) call = in_copy(copies, call);
  copy.last = in_copy(copies, original.last);
  copy.lower = in_copy(copies, original.lower);
  copy.upper = in_copy(copies, original.upper);
  copy.stride = in_copy(copies, original.stride);
  for (reduction_part& part : copy.parts) {
    part.copy = in_copy(copies, part.copy);
    if (Value* length = copies.lookup(part.length)) part.length = length;
    // Globals are not in the table.
    if (Value* variable = copies.lookup(part.variable)) part.variable = variable;
  }
  return copy;
}

class converter {
 public:
  converter(const site& where, const region& found, const conversion& how, fixed_loops& fixed)
      : where_(where),
        found_(found),
        how_(how),
        fixed_(fixed),
        module_(*found.outlined->getParent()),
        context_(module_.getContext()),
        word_(Type::getInt64Ty(context_)),
        pointer_(PointerType::getUnqual(context_)),
        captures_(how.optimise ? classify_captures(where, *how.ignored)
                               : std::vector<captured>(found.outlined->arg_size())) {}

  void run() {
    SmallVector<Type*> members;
    for (unsigned p = 2; p < captures_.size(); ++p) {
      const captured& c = captures_[p];
      members.push_back(c.how == capture::value ? c.type : found_.outlined->getArg(p)->getType());
    }
    environment_ = StructType::get(context_, members);
    make_site();
    make_slice();
    Function* entry = make_entry(false);
    // A team of one runs its iterations in order, and a program may count on that.
    const bool is_fixed = how_.optimise && how_.in_middle && !how_.nests && has_few_iterations();
    Function* serial = may_be_team_of_one() || is_fixed ? make_entry(true) : nullptr;
    if (is_fixed) fixed_[entry] = serial;
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

 private:
  /// The temporaries through which the serial call got the thread's numbers.
  static void drop_if_only_written(Value& temporary) {
    auto* variable = dyn_cast<AllocaInst>(&temporary);
    if (variable == nullptr) return;
    for (User* user : variable->users()) {
      auto* store = dyn_cast<StoreInst>(user);
      if (store == nullptr || store->getPointerOperand() != variable) return;
    }
    for (User* user : make_early_inc_range(variable->users())) cast<Instruction>(user)->eraseFromParent();
    variable->eraseFromParent();
  }

  bool may_be_team_of_one() const { return where_.serial != nullptr || threads_asked_for(where_) != nullptr; }

  bool has_few_iterations() const;
  void make_site();
  void make_slice();
  void take_room(const reduction_part& part, Value* frame);
  Function* make_entry(bool serial);
  void call_entry(Function& entry, Function* serial);
  void call(CallInst& before, unsigned shift, Function& entry);

  Function* copy_outlined(Twine suffix, ArrayRef<Type*> parameters, ValueToValueMapTy& copies, bool from_environment);
  void drop_calls(const region& copy);
  Value* count_of(IRBuilder<>& b, const region& copy, Value* lower, Value* upper);
  Value* spend(IRBuilder<>& b, Value* units);
  Instruction* charge(IRBuilder<>& b, const region& copy, Value* count, Value*& units);
  Value* ask(IRBuilder<>& b, Value* count, Value* units);
  void run_slow(IRBuilder<>& b, Value* count, Value* way, const region& copy, Function& entry);
  void move_parts(IRBuilder<>& b, const region& copy, bool back);
  void copy_variable(IRBuilder<>& b, Value* to, Value* from, const AllocaInst& like);
  void emit_next(const region& copy, Value* frame, Value* base, BasicBlock* more, BasicBlock* done, IRBuilder<>& b);
  void set_bounds(IRBuilder<>& b, const region& copy, Value* base, Value* begin, Value* end);
  FunctionCallee runtime(StringRef name, Type* result, ArrayRef<Type*> parameters);
  Value* field(IRBuilder<>& b, Value* frame, std::size_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), frame, offset);
  }

  const site& where_;
  const region& found_;
  const conversion how_;
  fixed_loops& fixed_;
  Module& module_;
  LLVMContext& context_;
  IntegerType* word_;
  PointerType* pointer_;
  std::vector<captured> captures_;
  StructType* environment_ = nullptr;
  GlobalVariable* site_ = nullptr;
  GlobalVariable* loop_ = nullptr;
  Function* slice_ = nullptr;
  std::uint64_t part_bytes_ = 0;
  Align part_align_{8};
};

FunctionCallee converter::runtime(StringRef name, Type* result, ArrayRef<Type*> parameters) {
  FunctionCallee callee = module_.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
  if (auto* function = dyn_cast<Function>(callee.getCallee())) function->setDoesNotThrow();
  return callee;
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
      Value* member = b.CreateStructGEP(environment_, given, p - 2);
      given = b.CreateLoad(environment_->getElementType(p - 2), member);
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
  return copy;
}

/// Whether the compiler knows the number of iterations, and it is small.
bool converter::has_few_iterations() const {
  constexpr std::uint64_t k_few = 256;
  if (found_.next != nullptr) return false;
  const auto starts_as = [&](AllocaInst& bound, std::uint64_t limit) {
    bool is_known = false;
    for (User* user : bound.users()) {
      auto* store = dyn_cast<StoreInst>(user);
      auto* value = store == nullptr ? nullptr : dyn_cast<ConstantInt>(store->getValueOperand());
      is_known |= value != nullptr && store->getParent() == found_.init->getParent() && value->getValue().ult(limit);
    }
    return is_known;
  };
  return starts_as(*found_.lower, 1) && starts_as(*found_.upper, k_few);
}

void converter::make_site() {
  auto* half = Type::getInt32Ty(context_);
  auto* site_type = StructType::get(context_, {half, half, word_, word_});
  constexpr takt::abi::site fresh{};
  site_ = new GlobalVariable(
      module_, site_type, false, GlobalValue::InternalLinkage,
      ConstantStruct::get(site_type,
                          {ConstantInt::get(half, fresh.unit_cost), ConstantInt::get(half, fresh.nested),
                           ConstantInt::get(word_, fresh.free_below), ConstantInt::get(word_, fresh.span_ticks)}),
      found_.outlined->getName() + ".takt_site");
  static_assert(offsetof(takt::abi::site, unit_cost) == 0 && offsetof(takt::abi::site, nested) == 4 &&
                offsetof(takt::abi::site, free_below) == 8 && offsetof(takt::abi::site, span_ticks) == 16 &&
                sizeof(takt::abi::site) == 24);
  site_->setAlignment(Align(16));
}

/// A private copy of variable length: that of a half is part of the result it leaves.
void converter::take_room(const reduction_part& part, Value* frame) {
  IRBuilder<> b(part.copy);
  FunctionCallee room = runtime("takt_omp_room", pointer_, {pointer_, word_});
  Value* given = b.CreateCall(room, {frame, b.CreateMul(part.length, ConstantInt::get(word_, part.bytes))});
  BasicBlock* before = part.copy->getParent();
  BasicBlock* after = before->splitBasicBlock(part.copy);
  BasicBlock* own = BasicBlock::Create(context_, "", slice_, after);
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  b.CreateCondBr(b.CreateIsNull(given), own, after);
  b.SetInsertPoint(own);
  Instruction* branch = b.CreateBr(after);
  PHINode* copy = IRBuilder<>(&after->front()).CreatePHI(pointer_, 2);
  part.copy->replaceAllUsesWith(copy);
  part.copy->moveBefore(branch);
  copy->addIncoming(given, before);
  copy->addIncoming(part.copy, own);
}

void converter::make_slice() {
  ValueToValueMapTy copies;
  slice_ = copy_outlined(".takt_slice", {pointer_, pointer_}, copies, true);
  const region copy = in_copy(copies, found_);
  Value* frame = slice_->getArg(1);

  // The loop's static description.
  auto* part_type = StructType::get(context_, {word_, word_});
  SmallVector<Constant*> parts;
  const auto add_part = [&](std::uint64_t offset, std::uint64_t bytes) {
    parts.push_back(ConstantStruct::get(part_type, {ConstantInt::get(word_, offset), ConstantInt::get(word_, bytes)}));
  };
  if (copy.is_sized) part_align_ = Align(takt::abi::k_sized_align);
  for (const reduction_part& part : copy.parts) {
    if (part.length != nullptr) {
      add_part(takt::abi::k_sized_part, part.bytes);
      add_part(0, 0);
      continue;
    }
    part_align_ = std::max(part_align_, part.align);
    part_bytes_ = alignTo(part_bytes_, part.align);
    add_part(part_bytes_, part.bytes);
    part_bytes_ += part.bytes;
  }
  part_bytes_ = alignTo(part_bytes_, part_align_);
  Constant* table = ConstantPointerNull::get(pointer_);
  if (!parts.empty()) {
    auto* type = ArrayType::get(part_type, parts.size());
    table = new GlobalVariable(module_, type, true, GlobalValue::InternalLinkage, ConstantArray::get(type, parts),
                               found_.outlined->getName() + ".takt_parts");
  }
  auto* loop_type = StructType::get(context_, {pointer_, pointer_, pointer_, word_, word_, word_});
  static_assert(sizeof(takt::abi::omp_loop) == 48 && offsetof(takt::abi::omp_loop, open) == 40);
  loop_ = new GlobalVariable(
      module_, loop_type, true, GlobalValue::InternalLinkage,
      ConstantStruct::get(loop_type, {slice_, site_, table, ConstantInt::get(word_, parts.size()),
                                      ConstantInt::get(word_, part_bytes_), ConstantInt::get(word_, how_.open)}),
      found_.outlined->getName() + ".takt_loop");

  // Room for what the halves hand over.
  IRBuilder<> b(&*slice_->getEntryBlock().begin());
  Value* cells = ConstantPointerNull::get(pointer_);
  if (part_bytes_ != 0 && !copy.is_sized) {
    AllocaInst* room = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), 2 * part_bytes_));
    room->setAlignment(part_align_);
    cells = room;
  }

  drop_calls(copy);
  if (how_.optimise) count_as_written(copy);
  b.SetInsertPoint(copy.init);
  const DebugLoc where = copy.init->getDebugLoc();
  if (copy.is_sized) {
    for (const reduction_part& part : copy.parts) {
      if (part.length != nullptr) take_room(part, frame);
    }
    b.SetInsertPoint(copy.init);
    b.CreateCall(runtime("takt_omp_begin_sized", b.getVoidTy(), {pointer_}), {frame});
  } else {
    b.CreateCall(runtime("takt_omp_begin", b.getVoidTy(), {pointer_, pointer_}), {frame, cells});
  }
  FunctionCallee end = runtime("takt_omp_end", b.getInt32Ty(), {pointer_});
  if (copy.next == nullptr) {
    Value* base = b.CreateLoad(copy.index(), copy.lower);
    Value* upper = b.CreateLoad(copy.index(), copy.upper);
    BasicBlock* before = copy.init->getParent();
    BasicBlock* iterations = before->splitBasicBlock(copy.init);
    BasicBlock* fini = copy.fini->getParent();
    BasicBlock* after = fini->splitBasicBlock(copy.fini);
    BasicBlock* poll = BasicBlock::Create(context_, "takt.next", slice_, iterations);
    BasicBlock* done = BasicBlock::Create(context_, "takt.done", slice_, after);
    before->getTerminator()->setSuccessor(0, poll);
    fini->getTerminator()->setSuccessor(0, poll);
    b.SetInsertPoint(poll);
    b.SetCurrentDebugLocation(where);
    emit_next(copy, frame, base, iterations, done, b);
    if (copy.is_chunked) {
      // The loop around the chunks of a thread ends after this one.
      b.SetInsertPoint(&*iterations->begin());
      Value* rest =
          b.CreateSub(b.CreateAdd(upper, ConstantInt::get(copy.index(), 1)), b.CreateLoad(copy.index(), copy.lower));
      b.CreateStore(rest, copy.stride);
    }
    b.SetInsertPoint(done);
    b.SetCurrentDebugLocation(where);
    b.CreateStore(b.CreateCall(end, {frame}), copy.last);
    b.CreateBr(after);
    copy.fini->eraseFromParent();
  } else {
    Value* base = copy.init->getArgOperand(3);
    BasicBlock* ask = copy.next->getParent();
    BasicBlock* answered = ask->splitBasicBlock(copy.next);
    BasicBlock* more = BasicBlock::Create(context_, "takt.more", slice_, answered);
    BasicBlock* done = BasicBlock::Create(context_, "takt.done", slice_, answered);
    ask->getTerminator()->eraseFromParent();
    b.SetInsertPoint(ask);
    b.SetCurrentDebugLocation(where);
    emit_next(copy, frame, base, more, done, b);
    b.SetInsertPoint(more);
    b.CreateStore(ConstantInt::get(copy.index(), 1), copy.stride);
    b.CreateBr(answered);
    b.SetInsertPoint(done);
    b.SetCurrentDebugLocation(where);
    b.CreateStore(b.CreateCall(end, {frame}), copy.last);
    b.CreateBr(answered);
    PHINode* answer = IRBuilder<>(&answered->front()).CreatePHI(b.getInt32Ty(), 2);
    answer->addIncoming(b.getInt32(1), more);
    answer->addIncoming(b.getInt32(0), done);
    copy.next->replaceAllUsesWith(answer);
    copy.next->eraseFromParent();
    if (copy.fini != nullptr) copy.fini->eraseFromParent();
  }
  copy.init->eraseFromParent();

  if (copy.reduce != nullptr) {
    b.SetInsertPoint(copy.reduce);
    // What the runtime gets are other variables: the address of a sum that is known elsewhere keeps it in memory.
    SmallVector<std::pair<AllocaInst*, AllocaInst*>> handed_over;
    for (const reduction_part& part : copy.parts) {
      if (part.copy->getAllocatedType()->isAggregateType() || part.copy->isArrayAllocation()) continue;
      SmallVector<StoreInst*> entries;
      for (User* user : part.copy->users()) {
        auto* entry = dyn_cast<StoreInst>(user);
        if (entry != nullptr && entry->getValueOperand() == part.copy) entries.push_back(entry);
      }
      if (entries.size() != 1) continue;
      AllocaInst* other = IRBuilder<>(part.copy).CreateAlloca(part.copy->getAllocatedType());
      other->setAlignment(part.align);
      entries.front()->setOperand(0, other);
      copy_variable(b, other, part.copy, *part.copy);
      handed_over.emplace_back(part.copy, other);
    }
    FunctionCallee reduce = runtime(copy.is_sized ? "takt_omp_reduce_sized" : "takt_omp_reduce", b.getInt32Ty(),
                                    {pointer_, pointer_, pointer_});
    Value* answer = b.CreateCall(reduce, {frame, copy.reduce->getArgOperand(4), copy.reduce->getArgOperand(5)});
    for (auto& [mine, other] : handed_over) copy_variable(b, mine, other, *mine);
    copy.reduce->replaceAllUsesWith(answer);
    copy.reduce->eraseFromParent();
  }
  EliminateUnreachableBlocks(*slice_);
}

/// Takes out calls that mean nothing to a slice, and the atomic way of combining a reduction.
void converter::drop_calls(const region& copy) {
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
  for (CallInst* call : copy.dropped) call->eraseFromParent();
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

void converter::set_bounds(IRBuilder<>& b, const region& copy, Value* base, Value* begin, Value* end) {
  IntegerType* index = copy.index();
  b.CreateStore(b.CreateAdd(base, b.CreateTrunc(begin, index)), copy.lower);
  Value* past = b.CreateAdd(base, b.CreateTrunc(end, index));
  b.CreateStore(b.CreateSub(past, ConstantInt::get(index, 1)), copy.upper);
}

/// The next chunk: claimed here while no look at anything is due, else by the runtime.
void converter::emit_next(const region& copy, Value* frame, Value* base, BasicBlock* more, BasicBlock* done,
                          IRBuilder<>& b) {
  Function* function = b.GetInsertBlock()->getParent();
  BasicBlock* claim = BasicBlock::Create(context_, "takt.claim", function, more);
  BasicBlock* ask = BasicBlock::Create(context_, "takt.ask", function, more);
  BasicBlock* claimed = BasicBlock::Create(context_, "takt.claimed", function, more);
  BasicBlock* got = BasicBlock::Create(context_, "takt.chunk", function, more);

  Value* at = b.CreateLoad(word_, field(b, frame, offsetof(omp_frame, at)));
  Value* look = b.CreateLoad(word_, field(b, frame, offsetof(omp_frame, look)));
  b.CreateCondBr(b.CreateICmpULT(at, look), claim, ask);

  b.SetInsertPoint(claim);
  Value* chunk = b.CreateLoad(word_, field(b, frame, offsetof(omp_frame, chunk)));
  Value* past = b.CreateAdd(at, chunk);
  // The claim is stored before the bound is read; see src/loop/README.md.
  b.CreateStore(past, field(b, frame, offsetof(loop_frame, next)), true);
  Value* end = b.CreateLoad(word_, field(b, frame, offsetof(loop_frame, end)), true);
  b.CreateCondBr(b.CreateICmpULE(past, end), claimed, ask);

  b.SetInsertPoint(claimed);
  b.CreateStore(past, field(b, frame, offsetof(omp_frame, at)));
  b.CreateBr(got);

  b.SetInsertPoint(ask);
  FunctionCallee next = runtime("takt_omp_next", StructType::get(context_, {word_, word_}), {pointer_});
  Value* answer = b.CreateCall(next, {frame});
  Value* first = b.CreateExtractValue(answer, 0);
  Value* beyond = b.CreateExtractValue(answer, 1);
  BasicBlock* some = BasicBlock::Create(context_, "takt.some", function, got);
  b.CreateCondBr(b.CreateICmpULT(first, beyond), some, done);
  b.SetInsertPoint(some);
  b.CreateBr(got);

  b.SetInsertPoint(got);
  PHINode* from = b.CreatePHI(word_, 2);
  from->addIncoming(at, claimed);
  from->addIncoming(first, some);
  PHINode* to = b.CreatePHI(word_, 2);
  to->addIncoming(past, claimed);
  to->addIncoming(beyond, some);
  set_bounds(b, copy, base, from, to);
  b.CreateBr(more);
}

Value* converter::count_of(IRBuilder<>& b, const region& copy, Value* lower, Value* upper) {
  Value* distance = b.CreateSub(upper, lower);
  // A loop of no iterations is passed on as -1 by some.
  Value* count = copy.is_unsigned ? b.CreateZExt(distance, word_) : b.CreateSExt(distance, word_);
  return b.CreateAdd(count, b.getInt64(1));
}

/// Charges `units`: true when the credit is used up. The thread's state is reached by one instruction, never by an
/// address: the computation may be on another thread after any call.
Value* converter::spend(IRBuilder<>& b, Value* units) {
  static_assert(offsetof(takt::abi::hot_state, credit) == 16);
  if (Triple(module_.getTargetTriple()).getArch() == Triple::x86_64) {
    auto* at = InlineAsm::get(FunctionType::get(word_, {}, false), "movq takt_hot@gottpoff(%rip), $0",
                              "=r,~{dirflag},~{fpsr},~{flags}", false);
    auto* charge = InlineAsm::get(FunctionType::get(b.getInt8Ty(), {word_, word_}, false), "subq $1, %fs:16($2)",
                                  "={@ccs},r,r,~{dirflag},~{fpsr},~{flags}", true);
    CallInst* base = b.CreateCall(at);
    base->setDoesNotThrow();
    base->setDoesNotAccessMemory();
    CallInst* negative = b.CreateCall(charge, {units, base});
    negative->setDoesNotThrow();
    return b.CreateICmpNE(negative, b.getInt8(0));
  }
  // Elsewhere every loop asks the runtime.
  return b.getTrue();
}

/// @returns where to ask what to do with a loop that does not fit the credit, or nests; `units` are what it was
/// charged. Loops with fewer iterations than the site grants are not charged.
Instruction* converter::charge(IRBuilder<>& b, const region& copy, Value* count, Value*& units) {
  const auto field_of_site = [&](Type* type, std::uint64_t offset) {
    LoadInst* load = b.CreateLoad(type, field(b, site_, offset));
    load->setAtomic(AtomicOrdering::Monotonic);
    load->setAlignment(Align(type->getPrimitiveSizeInBits() / 8));
    return load;
  };
  const bool may_be_free = how_.optimise;
  if (may_be_free) {
    Value* is_charged = b.CreateICmpUGE(count, field_of_site(word_, offsetof(takt::abi::site, free_below)));
    b.SetInsertPoint(SplitBlockAndInsertIfThen(is_charged, copy.init, false));
    b.SetCurrentDebugLocation(copy.init->getDebugLoc());
  }
  if (how_.nests) return &*b.GetInsertPoint();
  Value* cost = b.CreateZExt(field_of_site(b.getInt32Ty(), offsetof(takt::abi::site, unit_cost)), word_);
  Value* is_slow = nullptr;
  if (copy.index()->getBitWidth() <= 32) {
    // Below 2^60, as no cost is above 2^28.
    units = b.CreateMul(count, cost, "", true, true);
    is_slow = spend(b, units);
  } else {
    // What overflows takes long whatever it costs.
    Value* product = b.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, count, cost);
    Value* overflow = b.CreateExtractValue(product, 1);
    units = b.CreateSelect(overflow, b.getInt64(0), b.CreateExtractValue(product, 0));
    is_slow = b.CreateOr(spend(b, units), overflow);
  }
  return SplitBlockAndInsertIfThen(is_slow, &*b.GetInsertPoint(), false,
                                   MDBuilder(context_).createBranchWeights(1, 2000));
}

Value* converter::ask(IRBuilder<>& b, Value* count, Value* units) {
  FunctionCallee function = runtime("takt_omp_ask", b.getInt32Ty(), {pointer_, word_, word_});
  return b.CreateCall(function, {loop_, count, units});
}

/// From the program's reduction variables to the copies, or back.
void converter::move_parts(IRBuilder<>& b, const region& copy, bool back) {
  for (const reduction_part& part : copy.parts) {
    Type* type = part.copy->getAllocatedType();
    Value* from = back ? part.copy : part.variable;
    Value* to = back ? part.variable : part.copy;
    const Align from_align = back ? part.align : part.variable_align;
    const Align to_align = back ? part.variable_align : part.align;
    if (type->isAggregateType() || part.copy->isArrayAllocation()) {
      b.CreateMemCpy(to, to_align, from, from_align, part.bytes);
    } else {
      b.CreateAlignedStore(b.CreateAlignedLoad(type, from, from_align), to, to_align);
    }
  }
}

/// The copy of the outlined function that the program calls. `serial`: it never leaves the fast path.
Function* converter::make_entry(bool serial) {
  SmallVector<Type*> parameters(environment_->elements());
  ValueToValueMapTy copies;
  Function* entry = copy_outlined(serial ? ".takt_serial" : ".takt", parameters, copies, false);
  const region copy = in_copy(copies, found_);
  drop_calls(copy);
  if (how_.optimise) count_as_written(copy);
  if (how_.middle && !serial) {
    // What runs here is short, whatever is inside: loops of a fixed number of iterations are part of it.
    for (Instruction& instruction : instructions(*entry)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      auto fixed = call == nullptr ? fixed_.end() : fixed_.find(call->getCalledFunction());
      if (fixed != fixed_.end()) call->setCalledFunction(fixed->second);
    }
  }

  IRBuilder<> b(&*entry->getEntryBlock().begin());
  Type* flag = b.getInt32Ty();
  // Whether the loop has been run elsewhere, and whether this copy's one chunk has been given out.
  AllocaInst* elsewhere = b.CreateAlloca(flag);
  AllocaInst* given = b.CreateAlloca(flag);

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
    Instruction* slow = nullptr;
    Value* way = nullptr;
    if (how_.nests && !(how_.middle && how_.optimise)) {
      // It never fits the credit: what nests has no cost. So nothing of it need be here.
      always_slow = copy.init->getParent();
      slow = SplitBlockAndInsertIfThen(b.getTrue(), copy.init, false);
      b.SetInsertPoint(slow);
      b.SetCurrentDebugLocation(where);
      way = ask(b, count, units);
    } else {
      slow = charge(b, copy, count, units);
      b.SetInsertPoint(slow);
      b.SetCurrentDebugLocation(where);
      way = ask(b, count, units);
      Value* elsewhere_too = b.CreateICmpNE(way, b.getInt32(static_cast<std::uint32_t>(takt::abi::omp_way::in_place)));
      b.SetInsertPoint(SplitBlockAndInsertIfThen(elsewhere_too, slow, false));
      b.SetCurrentDebugLocation(where);
    }
    run_slow(b, count, way, copy, *entry);
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
  return entry;
}

/// Copies a variable of the type that `like` has.
void converter::copy_variable(IRBuilder<>& b, Value* to, Value* from, const AllocaInst& like) {
  Type* type = like.getAllocatedType();
  if (type->isAggregateType()) {
    b.CreateMemCpy(to, like.getAlign(), from, like.getAlign(), module_.getDataLayout().getTypeAllocSize(type));
  } else {
    b.CreateStore(b.CreateLoad(type, from), to);
  }
}

/// The loop leaves this place: the runtime runs it in slices, or it is left to the OpenMP runtime.
void converter::run_slow(IRBuilder<>& b, Value* count, Value* way, const region& copy, Function& entry) {
  IRBuilder<> variables(&*entry.getEntryBlock().begin());
  AllocaInst* environment = variables.CreateAlloca(environment_);
  SmallVector<std::pair<Argument*, AllocaInst*>> copied;
  for (unsigned p = 2; p < captures_.size(); ++p) {
    Argument* given = entry.getArg(p - 2);
    Value* passed = given;
    if (captures_[p].how == capture::copied) {
      AllocaInst* variable = variables.CreateAlloca(captures_[p].type);
      copy_variable(b, variable, given, *variable);
      copied.emplace_back(given, variable);
      passed = variable;
    }
    b.CreateStore(passed, b.CreateStructGEP(environment_, environment, p - 2));
  }
  FunctionCallee run = runtime("takt_omp_run", b.getVoidTy(), {pointer_, pointer_, word_, b.getInt32Ty()});
  if (!how_.open) {
    b.CreateCall(run, {loop_, environment, count, way});
  } else {
    // Captured by value or not, the OpenMP runtime gets addresses.
    const DebugLoc where = copy.init->getDebugLoc();
    Instruction* join = &*b.GetInsertPoint();
    Value* left = b.getInt32(static_cast<std::uint32_t>(takt::abi::omp_way::left));
    Instruction* leave = nullptr;
    Instruction* stay = nullptr;
    SplitBlockAndInsertIfThenElse(b.CreateICmpEQ(way, left), join, &leave, &stay);
    b.SetInsertPoint(stay);
    b.SetCurrentDebugLocation(where);
    b.CreateCall(run, {loop_, environment, count, way});
    b.SetInsertPoint(leave);
    b.SetCurrentDebugLocation(where);
    SmallVector<Value*> arguments{where_.fork->getArgOperand(0), where_.fork->getArgOperand(1), found_.outlined};
    for (unsigned p = 2; p < captures_.size(); ++p) {
      Value* passed = entry.getArg(p - 2);
      if (captures_[p].how == capture::value) {
        AllocaInst* variable = variables.CreateAlloca(captures_[p].type);
        b.CreateStore(passed, variable);
        passed = variable;
      }
      for (auto& [argument, variable] : copied) {
        if (argument == passed) passed = variable;
      }
      arguments.push_back(passed);
    }
    b.CreateCall(where_.fork->getFunctionType(), where_.fork->getCalledOperand(), arguments);
    b.SetInsertPoint(join);
    b.SetCurrentDebugLocation(where);
  }
  for (auto& [argument, variable] : copied) {
    copy_variable(b, argument, variable, *variable);
  }
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
  b.CreateCall(&entry, arguments)->setDoesNotThrow();
}

void converter::call_entry(Function& entry, Function* serial) {
  CallInst& fork = *where_.fork;
  Value* threads = threads_asked_for(where_);
  if (threads == nullptr) {
    call(fork, 1, entry);
  } else {
    IRBuilder<> b(&fork);
    Instruction* one = nullptr;
    Instruction* more = nullptr;
    SplitBlockAndInsertIfThenElse(b.CreateICmpEQ(threads, ConstantInt::get(threads->getType(), 1)), &fork, &one, &more);
    fork.moveBefore(one);
    call(fork, 1, *serial);
    fork.moveBefore(more);
    call(fork, 1, entry);
  }
  fork.eraseFromParent();
}

}  // namespace

void convert(const site& where, const region& found, const conversion& how, fixed_loops& fixed) {
  converter(where, found, how, fixed).run();
}

}  // namespace takt_plugin
