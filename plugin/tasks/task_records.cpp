#include "tasks/task_records.hpp"

#include "forks/frames.hpp"
#include "openmp/calls.hpp"
#include "tasks/task_copies.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <takt/omp.hpp>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

// What code that uses a record may rely on, whatever is in it.
constexpr std::uint64_t k_record_align = 16;

// Its variables ask for no more than the largest power of two that its size is a multiple of: it is a struct of theirs.
Align align_of(const task_site& task) {
  return Align(std::clamp<std::uint64_t>(task.bytes & -task.bytes, k_record_align, takt::abi::k_task_record_align));
}

std::uint64_t words(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

bool fits_slot(const task_site& task) {
  return !task.is_fixed && task.loop == nullptr &&
         words(task.shared_bytes) + words(task.captured - k_task_privates) + (task.in_group ? 8 : 0) <=
             takt::abi::k_payload_bytes;
}

std::uint64_t behind_record(const task_site& task) {
  return (task.bytes + k_record_align - 1) / k_record_align * k_record_align;
}

std::pair<AllocaInst*, AllocaInst*> make_record(Function& in, const task_site& task) {
  IRBuilder<> b(&*in.getEntryBlock().begin());
  AllocaInst* record = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), task.bytes));
  record->setAlignment(align_of(task));
  AllocaInst* shareds = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), std::max<std::uint64_t>(task.shared_bytes, 1)));
  shareds->setAlignment(Align(k_record_align));
  return {record, shareds};
}

void move_captures(IRBuilder<>& b, const task_site& task, Value* record, Value* shareds, Value* slot, bool to_slot) {
  const auto move = [&](Value* mine, Align align, std::uint64_t offset, std::uint64_t bytes) {
    if (bytes == 0) return;
    Value* there = at_offset(b, slot, k_slot_payload + offset);
    if (to_slot) {
      b.CreateMemCpy(there, Align(8), mine, align, bytes);
    } else {
      b.CreateMemCpy(mine, align, there, Align(8), bytes);
    }
  };
  move(shareds, Align(k_record_align), 0, task.shared_bytes);
  const std::uint64_t privates = task.captured - k_task_privates;
  move(at_offset(b, record, k_task_privates), Align(8), words(task.shared_bytes), privates);
  if (task.in_group) move(at_offset(b, record, k_task_group), Align(8), words(task.shared_bytes) + words(privates), 8);
}

bool has_destructors(const task_site& task) {
  auto* flags = dyn_cast<ConstantInt>(task.flags());
  if (flags == nullptr) flags = cast<ConstantInt>(cast<BinaryOperator>(task.flags())->getOperand(1));
  return (flags->getZExtValue() & takt::kmp::k_task_has_destructors) != 0;
}

Value* final_flag(IRBuilder<>& b, const task_site& task) {
  if (auto* flags = dyn_cast<ConstantInt>(task.flags())) {
    return (flags->getZExtValue() & takt::kmp::k_task_is_final) != 0 ? b.getTrue() : nullptr;
  }
  return b.CreateICmpNE(b.CreateAnd(task.flags(), takt::kmp::k_task_is_final),
                        ConstantInt::get(task.flags()->getType(), 0));
}

void finish_record(IRBuilder<>& b, task_copies& all, const task_site& task, Value* record, bool in_slot) {
  if (has_destructors(task)) {
    Value* thunk = b.CreateLoad(b.getPtrTy(), at_offset(b, record, offsetof(takt::kmp::task, destructors)));
    auto* type = FunctionType::get(b.getInt32Ty(), {b.getInt32Ty(), b.getPtrTy()}, false);
    b.CreateCall(type, thunk, {b.getInt32(0), record})->setDoesNotThrow();
  }
  if (!in_slot) b.CreateCall(all.runtime("takt_omp_task_free", b.getVoidTy(), {b.getPtrTy()}), {record});
}

static void promise_words_at(Value& address) {
  const Align word(8);
  SmallVector<Value*> open{&address};
  while (!open.empty()) {
    for (User* user : open.pop_back_val()->users()) {
      if (auto* load = dyn_cast<LoadInst>(user)) {
        load->setAlignment(std::min(load->getAlign(), word));
      } else if (auto* store = dyn_cast<StoreInst>(user)) {
        store->setAlignment(std::min(store->getAlign(), word));
      } else if (auto* copy = dyn_cast<MemTransferInst>(user)) {
        copy->setDestAlignment(std::min(copy->getDestAlign().valueOrOne(), word));
        copy->setSourceAlignment(std::min(copy->getSourceAlign().valueOrOne(), word));
      } else if (auto* fill = dyn_cast<MemSetInst>(user)) {
        fill->setDestAlignment(std::min(fill->getDestAlign().valueOrOne(), word));
      } else if (isa<GetElementPtrInst>(user)) {
        open.push_back(user);
      }
    }
  }
}

void promise_words(Module& module) {
  for (Function& function : module) {
    for (auto* call : calls_in(instructions(function))) {
      if (!finds_privates(*call)) continue;
      // The helper stores where each variable is.
      for (Value* place : drop_begin(call->args())) {
        for (User* user : place->users()) {
          if (isa<LoadInst>(user)) promise_words_at(*user);
        }
      }
    }
  }
}

}  // namespace takt_plugin
