// The slice: the copy of an outlined function that runs chunks.
#include "loops/converter.hpp"

#include "forks/frames.hpp"
#include "loops/indices.hpp"
#include "loops/looks.hpp"
#include "tuning.hpp"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <takt/omp.hpp>

namespace takt_plugin {

using namespace llvm;
using takt::abi::loop_cursor;
using takt::abi::loop_frame;

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

/// The private variables exist: iterations may be promoted from here on. `cells` has room for what halves hand over.
void converter::begin_slice(IRBuilder<>& b, const region& copy, Value* frame, Value* cells) {
  // The program may ask for chunks: said before anything can be promoted.
  Value* chunk = copy.chunk == 0 ? nullptr : b.CreateSExt(copy.init->getArgOperand(copy.chunk), word_);
  if (how_.pooled) {
    const bool is_static = copy.next == nullptr;
    Value* lower = is_static ? b.CreateLoad(copy.index(), copy.lower) : copy.init->getArgOperand(3);
    Value* upper = is_static ? b.CreateLoad(copy.index(), copy.upper) : copy.init->getArgOperand(4);
    b.CreateCall(runtime("takt_omp_begin_pooled", b.getVoidTy(), {pointer_, pointer_, word_, word_}),
                 {frame, cells, count_of(b, copy, lower, upper), chunk != nullptr ? chunk : b.getInt64(0)});
    return;
  }
  if (chunk != nullptr) {
    b.CreateCall(runtime("takt_omp_chunks", b.getVoidTy(), {pointer_, word_}), {frame, chunk});
  }
  if (copy.is_sized) {
    b.CreateCall(runtime("takt_omp_begin_sized", b.getVoidTy(), {pointer_}), {frame});
  } else {
    b.CreateCall(runtime("takt_omp_begin", b.getVoidTy(), {pointer_, pointer_}), {frame, cells});
  }
}

/// No chunk is left. @returns whether the slice ran the last iteration. Where halves hand over nothing, it does not
/// wait for those who claim from its pool: who has called the slice does, when it has done what follows the loop.
Value* converter::end_slice(IRBuilder<>& b, const region& copy, Value* frame) {
  if (how_.pooled && copy.reduce == nullptr && found_.dropped.empty())
    return b.CreateLoad(b.getInt32Ty(), field(b, frame, offsetof(takt::abi::omp_frame, has_last)));
  return b.CreateCall(runtime("takt_omp_end", b.getInt32Ty(), {pointer_}), {frame});
}

void converter::make_slice() {
  ValueToValueMapTy copies;
  slice_ = copy_outlined(".takt_slice", {pointer_, pointer_}, copies, true);
  const region copy = in_copy(copies, found_);
  Value* frame = slice_->getArg(1);
  give_number(copy, frame);
  StoreInst* step = nullptr;
  if (how_.optimise && !how_.pooled && has_latent_frames(module_) && may_be_long(found_)) step = find_step(copy);

  // The loop's static description.
  auto* part_type = StructType::get(context_, {word_, word_});
  SmallVector<Constant*> parts;
  const auto add_part = [&](std::uint64_t offset, std::uint64_t bytes) {
    parts.push_back(ConstantStruct::get(part_type, {ConstantInt::get(word_, offset), ConstantInt::get(word_, bytes)}));
  };
  if (copy.is_sized) part_align_ = Align(takt::abi::k_sized_align);
  for (const reduction_part& part : copy.parts) {
    if (part.length != nullptr) {
      add_part(takt::abi::k_sized_partial, part.bytes);
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
  static_assert(sizeof(takt::abi::omp_loop) == 48 && offsetof(takt::abi::omp_loop, traits) == 40);
  const std::uint64_t traits = (how_.open ? takt::abi::k_open : 0) | (how_.pooled ? takt::abi::k_pooled : 0) |
                               (step != nullptr ? takt::abi::k_one_by_one : 0) |
                               (found_.numbers.empty() ? 0 : takt::abi::k_numbered);
  loop_ = new GlobalVariable(
      module_, loop_type, true, GlobalValue::InternalLinkage,
      ConstantStruct::get(loop_type, {slice_, site_, table, ConstantInt::get(word_, parts.size()),
                                      ConstantInt::get(word_, part_bytes_), ConstantInt::get(word_, traits)}),
      found_.outlined->getName() + ".takt_loop");

  // Room for what the halves hand over.
  IRBuilder<> b(&*slice_->getEntryBlock().begin());
  Value* cells = ConstantPointerNull::get(pointer_);
  if (part_bytes_ != 0 && !copy.is_sized) {
    AllocaInst* room = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), takt::abi::results_of(part_bytes_) * part_bytes_));
    room->setAlignment(part_align_);
    cells = room;
  }

  if (step != nullptr) {
    at_ = b.CreateAlloca(word_);
    claimed_ = b.CreateAlloca(word_);
    b.CreateStore(b.CreateLoad(word_, field(b, frame, offsetof(loop_cursor, at))), at_);
  }
  drop_calls(copy, frame);
  if (how_.optimise) {
    trust_bounds(copy);
    count_as_written(copy);
    add_in_any_order(copy);
  }
  b.SetInsertPoint(copy.init);
  const DebugLoc where = copy.init->getDebugLoc();
  if (copy.is_sized) {
    for (const reduction_part& part : copy.parts) {
      if (part.length != nullptr) take_room(part, frame);
    }
    b.SetInsertPoint(copy.init);
  }
  begin_slice(b, copy, frame, cells);
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
    if (step != nullptr) claim_each(copy, *step, frame, poll);
    if (copy.is_chunked) {
      // The loop around the chunks of a thread ends after this one.
      b.SetInsertPoint(&*iterations->begin());
      Value* rest =
          b.CreateSub(b.CreateAdd(upper, ConstantInt::get(copy.index(), 1)), b.CreateLoad(copy.index(), copy.lower));
      b.CreateStore(rest, copy.stride);
    }
    b.SetInsertPoint(done);
    b.SetCurrentDebugLocation(where);
    b.CreateStore(end_slice(b, copy, frame), copy.last);
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
    if (step != nullptr) claim_each(copy, *step, frame, ask);
    b.SetInsertPoint(more);
    b.CreateStore(ConstantInt::get(copy.index(), 1), copy.stride);
    b.CreateBr(answered);
    b.SetInsertPoint(done);
    b.SetCurrentDebugLocation(where);
    b.CreateStore(end_slice(b, copy, frame), copy.last);
    b.CreateBr(answered);
    PHINode* answer = IRBuilder<>(&answered->front()).CreatePHI(b.getInt32Ty(), 2);
    answer->addIncoming(b.getInt32(1), more);
    answer->addIncoming(b.getInt32(0), done);
    // Who has left an iteration ends as all others do.
    BasicBlock* after = answered->getTerminator()->getSuccessor(1);
    for (BasicBlock* from : to_vector(predecessors(after))) {
      if (may_be_cancelled_ && from != answered) from->getTerminator()->replaceSuccessorWith(after, ask);
    }
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
      if (!is_small(*part.copy)) continue;
      SmallVector<StoreInst*> entries;
      for (User* user : part.copy->users()) {
        auto* entry = dyn_cast<StoreInst>(user);
        if (entry != nullptr && entry->getValueOperand() == part.copy) entries.push_back(entry);
      }
      if (entries.size() != 1) continue;
      AllocaInst* other = IRBuilder<>(part.copy).CreateAlloca(part.copy->getAllocatedType());
      other->setAlignment(part.align);
      entries.front()->setOperand(0, other);
      copy_variable(b, *part.copy, other, part.align, part.copy, part.align);
      handed_over.emplace_back(part.copy, other);
    }
    FunctionCallee reduce = runtime(copy.is_sized ? "takt_omp_reduce_sized" : "takt_omp_reduce", b.getInt32Ty(),
                                    {pointer_, pointer_, pointer_});
    Value* answer = b.CreateCall(reduce, {frame, copy.reduce->getArgOperand(4), copy.reduce->getArgOperand(5)});
    for (auto& [mine, other] : handed_over) copy_variable(b, *mine, mine, mine->getAlign(), other, mine->getAlign());
    copy.reduce->replaceAllUsesWith(answer);
    copy.reduce->eraseFromParent();
  }
  EliminateUnreachableBlocks(*slice_);
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
  BasicBlock* ask = BasicBlock::Create(context_, "takt.ask", function, more);
  BasicBlock* got = BasicBlock::Create(context_, "takt.chunk", function, more);
  BasicBlock* claimed = nullptr;
  Value* at = nullptr;
  Value* past = nullptr;
  if (at_ != nullptr) {
    b.CreateStore(b.CreateLoad(word_, at_), field(b, frame, offsetof(loop_cursor, at)));
    b.CreateBr(ask);
  } else if (how_.pooled) {
    b.CreateBr(ask);
  } else {
    BasicBlock* claim = BasicBlock::Create(context_, "takt.claim", function, ask);
    claimed = BasicBlock::Create(context_, "takt.claimed", function, got);
    at = b.CreateLoad(word_, field(b, frame, offsetof(loop_cursor, at)));
    Value* look = b.CreateLoad(word_, field(b, frame, offsetof(loop_cursor, look)));
    b.CreateCondBr(b.CreateICmpULT(at, look), claim, ask);

    b.SetInsertPoint(claim);
    Value* chunk = b.CreateLoad(word_, field(b, frame, offsetof(loop_cursor, chunk)));
    past = b.CreateAdd(at, chunk);
    // The claim is stored before the bound is read; see src/loop/README.md.
    b.CreateStore(past, field(b, frame, offsetof(loop_frame, next)), true);
    Value* end = b.CreateLoad(word_, field(b, frame, offsetof(loop_frame, end)), true);
    b.CreateCondBr(b.CreateICmpULE(past, end), claimed, ask);

    b.SetInsertPoint(claimed);
    b.CreateStore(past, field(b, frame, offsetof(loop_cursor, at)));
    b.CreateBr(got);
  }

  b.SetInsertPoint(ask);
  FunctionCallee next =
      runtime(may_be_cancelled_ ? "takt_omp_next" : how_.pooled ? "takt_omp_claim" : "takt_loop_next",
              StructType::get(context_, {word_, word_}), {pointer_});
  Value* answer = b.CreateCall(next, {frame});
  Value* first = b.CreateExtractValue(answer, 0);
  Value* beyond = b.CreateExtractValue(answer, 1);
  BasicBlock* some = BasicBlock::Create(context_, "takt.some", function, got);
  b.CreateCondBr(b.CreateICmpULT(first, beyond), some, done);
  b.SetInsertPoint(some);
  b.CreateBr(got);

  b.SetInsertPoint(got);
  PHINode* from = b.CreatePHI(word_, 2);
  from->addIncoming(first, some);
  PHINode* to = b.CreatePHI(word_, 2);
  to->addIncoming(beyond, some);
  if (claimed != nullptr) {
    from->addIncoming(at, claimed);
    to->addIncoming(past, claimed);
  }
  Value* stop = to;
  if (at_ != nullptr) {
    b.CreateStore(from, at_);
    b.CreateStore(to, claimed_);
    stop = b.CreateBinaryIntrinsic(Intrinsic::umax, to, b.CreateLoad(word_, field(b, frame, offsetof(loop_cursor, look))));
  }
  set_bounds(b, copy, base, from, stop);
  b.CreateBr(more);
}

/// Behind each iteration: claims the next one, as claim_next() of the library does, unless that has been done. To `ask`
/// if it is not this slice's any more, or a look is due.
void converter::claim_each(const region& copy, StoreInst& step, Value* frame, BasicBlock* ask) {
  Instruction* after = step.getNextNode();
  IRBuilder<> b(after);
  b.SetCurrentDebugLocation(copy.init->getDebugLoc());
  Value* at = b.CreateAdd(b.CreateLoad(word_, at_), ConstantInt::get(word_, 1));
  b.CreateStore(at, at_);
  MDNode* const rarely = MDBuilder(context_).createBranchWeights(1, 2000);
  Instruction* open = SplitBlockAndInsertIfThen(b.CreateICmpUGE(at, b.CreateLoad(word_, claimed_)), after, false);
  b.SetInsertPoint(open);
  // The claim is stored before the bound is read; see src/loop/README.md.
  Value* past = b.CreateAdd(at, ConstantInt::get(word_, 1));
  b.CreateStore(past, field(b, frame, offsetof(loop_frame, next)), true);
  Value* end = b.CreateLoad(word_, field(b, frame, offsetof(loop_frame, end)), true);
  Value* is_taken = b.CreateICmpUGT(past, end);
  Value* leaves = b.CreateOr(is_overdrawn(b), is_taken);
  BasicBlock* goes_on = open->getSuccessor(0);
  b.CreateCondBr(leaves, ask, goes_on, rarely);
  open->eraseFromParent();
}

}  // namespace takt_plugin
