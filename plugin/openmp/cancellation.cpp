// See "Cancellation" in README.md beside this file.
#include "openmp/cancellation.hpp"

#include "openmp/calls.hpp"
#include "openmp/region.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <takt/kmp.hpp>

namespace takt_plugin {

using namespace llvm;

namespace {

/// What the state of a region says.
enum : std::uint32_t { k_off = 0, k_on = 1, k_cancelled = 2 };

/// Where `latch` begins to count: code of the iteration may stand in front of it. Null: it is not known.
Instruction* step_in(BasicBlock& latch, const BranchInst& test) {
  auto* compared = dyn_cast<CmpInst>(test.getCondition());
  auto* counter = compared == nullptr ? nullptr : dyn_cast<LoadInst>(compared->getOperand(0));
  if (counter == nullptr) return nullptr;
  for (Instruction& instruction : latch) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (store == nullptr || store->getPointerOperand() != counter->getPointerOperand()) continue;
    auto* sum = dyn_cast<BinaryOperator>(store->getValueOperand());
    auto* old = sum == nullptr ? nullptr : dyn_cast<LoadInst>(sum->getOperand(0));
    const bool counts = old != nullptr && sum->getOpcode() == Instruction::Add && old->getParent() == &latch &&
                        old->getPointerOperand() == counter->getPointerOperand();
    return counts ? old : nullptr;
  }
  return nullptr;
}

/// What is cancelled in an outlined function.
class cancelled_loop {
 public:
  explicit cancelled_loop(Function& outlined) : outlined_(outlined) {}
  /// Whether it can be lowered. Nothing is changed.
  bool find();
  void lower();

 private:
  bool find_uses();
  bool find_calls();
  bool find_body();
  Value* add_state();
  void leave_by_latch();
  void drop_second_ends();

  Function& outlined_;
  SmallVector<CallInst*> forks_;  // of the region, and calls of it by one thread
  SmallVector<CallInst*> asks_;   // cancel and cancellation point
  SmallVector<CallInst*> waits_;  // barriers that say whether the region is cancelled
  SmallVector<CallInst*> ends_;
  CallInst* init_ = nullptr;
  BasicBlock* header_ = nullptr;  // of the loop over the iterations of a chunk
  BasicBlock* latch_ = nullptr;
  Instruction* step_ = nullptr;    // in the latch: from there on the iteration is over
  block_set blocks_;              // of that loop
};

bool cancelled_loop::find_uses() {
  for (Use& use : outlined_.uses()) {
    auto* call = dyn_cast<CallInst>(use.getUser());
    if (call == nullptr) return false;
    const bool is_fork = name_of(*call) == kmpc::fork_call && use.getOperandNo() == 2;
    if (!is_fork && !call->isCallee(&use)) return false;
    forks_.push_back(call);
  }
  return !forks_.empty() && outlined_.hasLocalLinkage() && !outlined_.isVarArg();
}

bool cancelled_loop::find_calls() {
  for (CallBase* call : calls_in(instructions(outlined_))) {
    if (!is_kmpc(*call)) continue;
    const StringRef name = name_of(*call);
    auto* plain = dyn_cast<CallInst>(call);
    if (plain == nullptr) return false;
    if (starts_loop(name)) {
      if (init_ != nullptr) return false;
      init_ = plain;
    } else if (ends_loop(name)) {
      ends_.push_back(plain);
    } else if (name == "__kmpc_cancel_barrier") {
      waits_.push_back(plain);
    } else if (refusal_for(name) == reason::cancelled) {
      auto* kind = dyn_cast<ConstantInt>(plain->getArgOperand(2));
      if (kind == nullptr) return false;
      const auto what = static_cast<takt::kmp::cancelled>(kind->getZExtValue());
      if (what != takt::kmp::cancelled::loop && what != takt::kmp::cancelled::sections) return false;
      asks_.push_back(plain);
    }
  }
  return init_ != nullptr && !asks_.empty() && !blocks_behind(*init_->getParent()).contains(init_->getParent());
}

bool cancelled_loop::find_body() {
  const DominatorTree tree(outlined_);
  const LoopInfo loops(tree);
  Loop* whole = loops.getLoopFor(asks_.front()->getParent());
  if (whole == nullptr) return false;
  whole = whole->getOutermostLoop();
  auto* schedule = dyn_cast<ConstantInt>(init_->getArgOperand(2));
  if (schedule == nullptr) return false;
  const std::uint64_t kind = schedule->getZExtValue() & ~takt::kmp::k_schedule_modifiers;
  // All others have a loop over chunks around it.
  if (!deals_statically(name_of(*init_)) || kind != takt::kmp::k_static) {
    Loop* chunk = nullptr;
    for (Loop* inner : *whole) {
      if (inner->contains(asks_.front())) chunk = inner;
    }
    whole = chunk;
  }
  if (whole == nullptr || whole->getLoopLatch() == nullptr || !tree.dominates(init_->getParent(), whole->getHeader())) {
    return false;
  }
  header_ = whole->getHeader();
  latch_ = whole->getLoopLatch();
  blocks_.insert(whole->block_begin(), whole->block_end());
  auto* test = dyn_cast<BranchInst>(header_->getTerminator());
  const bool is_counted =
      test != nullptr && test->isConditional() && blocks_.contains(test->getSuccessor(0)) &&
      !blocks_.contains(test->getSuccessor(1)) && test->getSuccessor(0) != latch_;
  // What is left by a jump has no values of its own there.
  const bool is_in_memory = latch_->phis().empty() && is_counted && test->getSuccessor(0)->phis().empty();
  step_ = is_in_memory ? step_in(*latch_, *test) : nullptr;
  return step_ != nullptr && all_of(asks_, [&](CallInst* ask) { return blocks_.contains(ask->getParent()); });
}

bool cancelled_loop::find() { return find_uses() && find_calls() && find_body(); }

/// The region gets one more variable, which each start of it sets. @returns its address in there.
Value* cancelled_loop::add_state() {
  LLVMContext& context = outlined_.getContext();
  Module& module = *outlined_.getParent();
  auto* pointer = PointerType::getUnqual(context);
  SmallVector<Type*> types(outlined_.getFunctionType()->params());
  types.push_back(pointer);
  auto* type = FunctionType::get(outlined_.getReturnType(), types, false);
  Function* made = Function::Create(type, outlined_.getLinkage(), outlined_.getAddressSpace(), "", &module);
  made->copyAttributesFrom(&outlined_);
  made->copyMetadata(&outlined_, 0);
  made->setComdat(outlined_.getComdat());
  made->takeName(&outlined_);
  made->splice(made->begin(), &outlined_);
  for (Argument& old : outlined_.args()) {
    Argument* argument = made->getArg(old.getArgNo());
    argument->takeName(&old);
    old.replaceAllUsesWith(argument);
  }
  Argument* state = made->args().end() - 1;
  state->addAttr(Attribute::NonNull);
  state->addAttr(Attribute::NoUndef);
  state->addAttr(Attribute::getWithAlignment(context, Align(4)));
  state->addAttr(Attribute::getWithDereferenceableBytes(context, 4));

  FunctionCallee is_on = module.getOrInsertFunction("omp_get_cancellation", Type::getInt32Ty(context));
  for (CallInst* fork : forks_) {
    IRBuilder<> b(&*fork->getFunction()->getEntryBlock().begin());
    AllocaInst* variable = b.CreateAlloca(b.getInt32Ty());
    b.SetInsertPoint(fork);
    b.CreateStore(b.CreateCall(is_on), variable);
    SmallVector<Value*> arguments(fork->args());
    FunctionType* called = type;
    Value* callee = made;
    if (fork->getCalledFunction() != &outlined_) {
      called = fork->getFunctionType();
      callee = fork->getCalledOperand();
      arguments[1] = b.getInt32(static_cast<std::uint32_t>(cast<ConstantInt>(arguments[1])->getZExtValue()) + 1);
      arguments[2] = made;
    }
    arguments.push_back(variable);
    CallInst* call = b.CreateCall(called, callee, arguments);
    call->setAttributes(fork->getAttributes());
    call->setCallingConv(fork->getCallingConv());
    call->copyMetadata(*fork);
    fork->eraseFromParent();
  }
  return state;
}

/// Whoever leaves an iteration for the end of the construct goes on to the next one, which does not begin.
void cancelled_loop::leave_by_latch() {
  latch_ = SplitBlock(latch_, step_);
  blocks_.insert(latch_);
  const auto goes_on = [](BasicBlock& block) {
    block_set behind = blocks_behind(block);
    behind.insert(&block);
    return any_of(behind, [](BasicBlock* at) { return isa<ReturnInst>(at->getTerminator()); });
  };
  for (BasicBlock* block : blocks_) {
    if (block == header_) continue;
    Instruction* terminator = block->getTerminator();
    for (unsigned s = 0; s < terminator->getNumSuccessors(); ++s) {
      BasicBlock* to = terminator->getSuccessor(s);
      // Others end the program.
      if (blocks_.contains(to) || !goes_on(*to)) continue;
      to->removePredecessor(block);
      terminator->setSuccessor(s, latch_);
    }
  }
}

/// Clang ends the loop once more on the way of who cancels.
void cancelled_loop::drop_second_ends() {
  SmallVector<CallInst*> left;
  Function& function = *header_->getParent();
  for (CallInst* call : calls_in<CallInst>(instructions(function))) {
    if (ends_loop(name_of(*call))) left.push_back(call);
  }
  for (CallInst* end : left) {
    const bool is_behind = any_of(left, [&](CallInst* other) {
      return other != end && blocks_behind(*other->getParent()).contains(end->getParent());
    });
    if (is_behind) end->eraseFromParent();
  }
}

void cancelled_loop::lower() {
  Value* state = add_state();
  Function& function = *header_->getParent();
  const auto read = [state](IRBuilder<>& b) {
    LoadInst* load = b.CreateAlignedLoad(b.getInt32Ty(), state, Align(4));
    load->setAtomic(AtomicOrdering::Monotonic);
    return load;
  };
  for (CallInst* ask : asks_) {
    IRBuilder<> b(ask);
    Value* known = read(b);
    Value* answer = nullptr;
    if (name_of(*ask) == "__kmpc_cancel") {
      answer = b.CreateICmpNE(known, b.getInt32(k_off));
      StoreInst* store =
          b.CreateAlignedStore(b.CreateSelect(answer, b.getInt32(k_cancelled), b.getInt32(k_off)), state, Align(4));
      store->setAtomic(AtomicOrdering::Monotonic);
    } else {
      answer = b.CreateICmpEQ(known, b.getInt32(k_cancelled));
    }
    ask->replaceAllUsesWith(b.CreateZExt(answer, b.getInt32Ty()));
    ask->eraseFromParent();
  }
  // Nobody can cancel the region itself.
  for (CallInst* wait : waits_) {
    IRBuilder<> b(wait);
    FunctionCallee plain = function.getParent()->getOrInsertFunction(
        kmpc::barrier, FunctionType::get(b.getVoidTy(), {wait->getArgOperand(0)->getType(), b.getInt32Ty()}, false));
    b.CreateCall(plain, {wait->getArgOperand(0), wait->getArgOperand(1)});
    wait->replaceAllUsesWith(b.getInt32(0));
    wait->eraseFromParent();
  }
  leave_by_latch();
  BasicBlock* body = header_->getTerminator()->getSuccessor(0);
  BasicBlock* begin = BasicBlock::Create(function.getContext(), "", &function, body);
  IRBuilder<> b(begin);
  b.SetCurrentDebugLocation(header_->getTerminator()->getDebugLoc());
  b.CreateCondBr(b.CreateICmpEQ(read(b), b.getInt32(k_cancelled)), latch_, body);
  header_->getTerminator()->setSuccessor(0, begin);
  for (BasicBlock& block : function) ConstantFoldTerminator(&block);
  EliminateUnreachableBlocks(function);
  drop_second_ends();
}

}  // namespace

bool lower_cancellation(Module& module) {
  SmallVector<Function*> old;
  for (Function& function : make_early_inc_range(module)) {
    if (function.isDeclaration()) continue;
    cancelled_loop found(function);
    if (!found.find()) continue;
    found.lower();
    old.push_back(&function);
  }
  for (Function* function : old) function->eraseFromParent();
  return !old.empty();
}

}  // namespace takt_plugin
