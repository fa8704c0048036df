#include "tasks/task_loops.hpp"

#include "forks/frames.hpp"
#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "tasks/task_copies.hpp"
#include "tasks/task_pieces.hpp"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

Value* without_offset(Value* pointer) {
  for (;;) {
    auto* part = dyn_cast<GEPOperator>(pointer);
    if (part == nullptr) return pointer;
    pointer = part->getPointerOperand();
  }
}

/// Whether `pointer` is into a task's record, or the addresses of its shared variables.
bool is_in_record(Value* pointer, const CallInst* record) {
  Value* base = without_offset(pointer);
  if (auto* load = dyn_cast<LoadInst>(base)) base = without_offset(load->getPointerOperand());
  return base == record;
}

/// Whether only the loop's code knows the counter, and counts in it.
bool is_counter(const AllocaInst& variable, const Loop& loop, const StoreInst& step) {
  return variable.isStaticAlloca() && variable.getAllocatedType()->isIntegerTy() &&
         variable.getAllocatedType()->getIntegerBitWidth() <= 64 && all_of(variable.users(), [&](const User* user) {
           if (is_marker(*user)) return !loop.contains(cast<Instruction>(user));
           if (auto* load = dyn_cast<LoadInst>(user)) {
             return load->isSimple() && load->getType() == variable.getAllocatedType();
           }
           auto* store = dyn_cast<StoreInst>(user);
           return store != nullptr && store->isSimple() && store->getPointerOperand() == &variable &&
                  store->getValueOperand()->getType() == variable.getAllocatedType() &&
                  (store == &step || !loop.contains(store));
         });
}

bool may_not_wrap(const loop_of_tasks& found) {
  return cast<BinaryOperator>(found.step->getValueOperand())->hasNoSignedWrap();
}

/// Reads `counter = counter + by` at the end of an iteration.
bool read_step(const Loop& loop, loop_of_tasks& found) {
  for (Instruction& instruction : reverse(*loop.getLoopLatch())) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (store == nullptr) continue;
    auto* sum = dyn_cast<BinaryOperator>(store->getValueOperand());
    auto* by = sum == nullptr ? nullptr : dyn_cast<ConstantInt>(sum->getOperand(1));
    auto* load = sum == nullptr ? nullptr : dyn_cast<LoadInst>(sum->getOperand(0));
    auto* counter = dyn_cast<AllocaInst>(store->getPointerOperand());
    if (by == nullptr || load == nullptr || counter == nullptr || load->getPointerOperand() != counter) return false;
    if (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub) return false;
    if (by->getBitWidth() > 64 || by->isMinValue(true)) return false;
    found.counter = counter;
    found.step = store;
    found.by = sum->getOpcode() == Instruction::Add ? by->getSExtValue() : -by->getSExtValue();
    // An unsigned counter may go around.
    return is_counter(*counter, loop, *store) && (may_not_wrap(found) || std::abs(found.by) == 1);
  }
  return false;
}

/// Whether the number of iterations is known when the loop begins, by its test.
bool read_test(const Loop& loop, loop_of_tasks& found) {
  BasicBlock& header = *loop.getHeader();
  auto* compare = dyn_cast<ICmpInst>(found.test->getCondition());
  if (compare == nullptr || compare->getParent() != &header) return false;
  const auto is_count = [&](Value* value) {
    auto* load = dyn_cast<LoadInst>(value);
    return load != nullptr && load->getPointerOperand() == found.counter && load->getParent() == &header;
  };
  found.before = compare->getPredicate();
  found.bound = compare->getOperand(1);
  if (!is_count(compare->getOperand(0))) {
    if (!is_count(compare->getOperand(1))) return false;
    found.before = compare->getSwappedPredicate();
    found.bound = compare->getOperand(0);
  }
  const bool is_up = found.by > 0;
  // Up to the last number that there is it would have no end, or is an error.
  if (CmpInst::isNonStrictPredicate(found.before) && !may_not_wrap(found)) return false;
  switch (found.before) {
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE:
      if (!is_up) return false;
      break;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE:
      if (is_up) return false;
      break;
    case CmpInst::ICMP_ULT:
      if (found.by != 1) return false;
      break;
    case CmpInst::ICMP_UGT:
      if (found.by != -1) return false;
      break;
    case CmpInst::ICMP_NE:
      if (std::abs(found.by) != 1) return false;
      break;
    default:
      return false;
  }
  // What it is compared with is computed anew each time: by loads that no iteration changes, or there is a race.
  return all_of(header, [&](const Instruction& at) {
    if (auto* load = dyn_cast<LoadInst>(&at)) return load->isSimple();
    if (auto* value = dyn_cast<User>(&at); value != nullptr && is_marker(*value)) return isa<DbgInfoIntrinsic>(at);
    return !isa<CallBase>(at) && !isa<PHINode>(at) && !at.mayHaveSideEffects();
  });
}

/// Whether an instruction of an iteration makes the task, or nobody but the iteration can tell of it.
bool is_of_task(Instruction& at, const task_site& task, const Loop& loop, const DominatorTree& tree,
                const block_set& iteration, loop_of_tasks& found) {
  if (&at == task.alloc || &at == task.start || &at == found.step) return true;
  if (isa<AllocaInst>(at) || isa<PHINode>(at)) return false;
  for (const User* user : at.users()) {
    if (!loop.contains(cast<Instruction>(user))) return false;
  }
  if (is_marker(at)) return !is_lifetime(at) || isa<AllocaInst>(at.getOperand(1));
  if (auto* load = dyn_cast<LoadInst>(&at)) return load->isSimple();
  Value* written = nullptr;
  if (auto* store = dyn_cast<StoreInst>(&at)) {
    if (!store->isSimple()) return false;
    written = store->getPointerOperand();
  } else if (auto* memory = dyn_cast<MemIntrinsic>(&at)) {
    if (memory->isVolatile()) return false;
    written = memory->getRawDest();
  } else if (isa<CallBase>(at)) {
    return false;
  }
  if (written == nullptr) return at.isTerminator() ? isa<BranchInst>(at) : !at.mayHaveSideEffects();
  if (is_in_record(written, task.alloc)) return true;
  auto* variable = dyn_cast<AllocaInst>(without_offset(written));
  if (variable == nullptr) return false;
  if (!found.own.contains(variable) && !is_own(*variable, *found.test->getSuccessor(0), iteration, tree)) return false;
  found.own.insert(variable);
  return true;
}

}  // namespace

std::optional<loop_of_tasks> find_loop_of_tasks(const task_site& task, const LoopInfo& loops,
                                                const DominatorTree& tree) {
  if (task.start == nullptr || task.depends() || task.serial != nullptr || task.is_fixed) return {};
  const Loop* const loop = loops.getLoopFor(task.start->getParent());
  if (loop == nullptr || !loop->getSubLoops().empty() || !loop->contains(task.alloc)) return {};
  if (loop->getLoopPredecessor() == nullptr || loop->getLoopLatch() == nullptr) return {};
  loop_of_tasks found{};
  found.test = dyn_cast<BranchInst>(loop->getHeader()->getTerminator());
  found.back = dyn_cast<BranchInst>(loop->getLoopLatch()->getTerminator());
  if (found.test == nullptr || !found.test->isConditional() || found.back == nullptr || found.back->isConditional()) {
    return {};
  }
  if (loop->getExitingBlock() != loop->getHeader() || !loop->contains(found.test->getSuccessor(0))) return {};
  BasicBlock* const exit = found.test->getSuccessor(1);
  if (exit->getSinglePredecessor() == nullptr || isa<PHINode>(exit->front())) return {};
  if (!read_step(*loop, found) || !read_test(*loop, found)) return {};
  block_set iteration(loop->block_begin(), loop->block_end());
  iteration.erase(loop->getHeader());
  for (BasicBlock* block : loop->blocks()) {
    for (Instruction& at : *block) {
      if (!is_of_task(at, task, *loop, tree, iteration, found)) return {};
    }
  }
  return found;
}

namespace {

/// Makes what is known before the loop begins.
class loop_cutter {
 public:
  loop_cutter(const loop_of_tasks& loop, const around_iterations& around, task_copies& all)
      : loop_(loop), around_(around), all_(all), made_(*loop.test->getFunction()), b_(made_.getContext()) {}
  void run();

 private:
  void count();
  void claim_each();
  AllocaInst* find_group(CallInst& call) const;
  /// Whether what the iterations are given is made anew for each range.
  bool is_of_range(const Value* given) const {
    return is_contained(ArrayRef<const Value*>({loop_.counter, at_, end_, frame_, group_, around_.number}), given);
  }
  Function* range_function(CallInst& call, StructType* type) const;
  Value* captured(CallInst& call, StructType* type);

  const loop_of_tasks& loop_;
  const around_iterations& around_;
  task_copies& all_;
  Function& made_;
  IRBuilder<> b_;
  Value* start_ = nullptr;
  Value* count_ = nullptr;
  AllocaInst* at_ = nullptr;   // the iteration's number
  AllocaInst* end_ = nullptr;  // that of the first one behind those that are to run
  AllocaInst* group_ = nullptr;  // has the group in which the tasks take part; null: none, or it is found otherwise
  AllocaInst* frame_ = nullptr;  // where each iteration is claimed; null: nowhere
};

/// The counter's value in an iteration.
Value* counted(IRBuilder<>& b, Value* start, Value* number, std::int64_t by) {
  Value* steps = b.CreateMul(number, b.getInt64(static_cast<std::uint64_t>(by)));
  return b.CreateAdd(start, b.CreateTrunc(steps, start->getType()));
}

/// At the end of the block before the loop.
void loop_cutter::count() {
  IRBuilder<> entry(&*made_.getEntryBlock().begin());
  at_ = entry.CreateAlloca(entry.getInt64Ty());
  end_ = entry.CreateAlloca(entry.getInt64Ty());
  frame_ = entry.CreateAlloca(entry.getPtrTy());
  start_ = b_.CreateLoad(loop_.counter->getAllocatedType(), loop_.counter);
  ValueToValueMapTy copies;
  for (Instruction& at : *loop_.test->getParent()) {
    if (&at == loop_.test || isa<DbgInfoIntrinsic>(at)) continue;
    Instruction* copy = at.clone();
    b_.Insert(copy);
    copies[&at] = copy;
    RemapInstruction(copy, copies, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
  }
  Value* const bound = copies.lookup(loop_.bound) != nullptr ? static_cast<Value*>(copies.lookup(loop_.bound)) : loop_.bound;
  const bool is_signed = CmpInst::isSigned(loop_.before);
  const auto wide = [&](Value* value) { return b_.CreateIntCast(value, b_.getInt64Ty(), is_signed); };
  const bool is_up = loop_.by > 0;
  Value* distance = nullptr;
  if (is_signed) {
    distance = is_up ? b_.CreateSub(wide(bound), wide(start_)) : b_.CreateSub(wide(start_), wide(bound));
  } else {
    // Modulo 2 to the counter's width, as it counts.
    distance = wide(is_up ? b_.CreateSub(bound, start_) : b_.CreateSub(start_, bound));
  }
  Value* const by = b_.getInt64(static_cast<std::uint64_t>(std::abs(loop_.by)));
  Value* number = distance;
  if (CmpInst::isNonStrictPredicate(loop_.before)) {
    number = b_.CreateAdd(b_.CreateUDiv(distance, by), b_.getInt64(1));
  } else if (std::abs(loop_.by) != 1) {
    number = b_.CreateAdd(b_.CreateUDiv(b_.CreateSub(distance, b_.getInt64(1)), by), b_.getInt64(1));
  }
  count_ = b_.CreateSelect(b_.CreateICmp(loop_.before, start_, bound), number, b_.getInt64(0));
}

/// In the test: where a promotion may take iterations away each one is claimed (src/loop/README.md), unless a look is
/// due.
void loop_cutter::claim_each() {
  auto* const word = b_.getInt64Ty();
  Value* const tested = loop_.test->getCondition();
  BasicBlock* const end = loop_.test->getSuccessor(1);
  b_.SetInsertPoint(loop_.test);
  Value* const at = b_.CreateLoad(word, at_);
  loop_.test->setCondition(b_.CreateICmpULT(at, b_.CreateLoad(word, end_)));
  RecursivelyDeleteTriviallyDeadInstructions(tested);

  BasicBlock* const iteration = loop_.test->getSuccessor(0);
  const auto add_block = [&] { return BasicBlock::Create(made_.getContext(), "", &made_, iteration); };
  BasicBlock* const choice = add_block();
  BasicBlock* const look = add_block();
  BasicBlock* const claim = add_block();
  BasicBlock* const mine = add_block();
  loop_.test->setSuccessor(0, choice);
  b_.SetInsertPoint(choice);
  Value* const frame = b_.CreateLoad(b_.getPtrTy(), frame_);
  b_.CreateCondBr(b_.CreateIsNull(frame), mine, look);
  b_.SetInsertPoint(look);
  b_.CreateCondBr(is_overdrawn(b_), end, claim);
  b_.SetInsertPoint(claim);
  Value* const next = b_.CreateAdd(at, b_.getInt64(1));
  b_.CreateStore(next, at_offset(b_, frame, offsetof(takt::abi::loop_frame, next)), true);
  Value* const bound = b_.CreateLoad(word, at_offset(b_, frame, offsetof(takt::abi::loop_frame, end)), true);
  b_.CreateCondBr(b_.CreateICmpUGT(next, bound), end, mine);
  b_.SetInsertPoint(mine);
  b_.CreateBr(iteration);
}

/// at = run(captured, begin, end, group, number, frame)
Function* loop_cutter::range_function(CallInst& call, StructType* type) const {
  IRBuilder<> b(made_.getContext());
  auto* word = b.getInt64Ty();
  auto* pointer = b.getPtrTy();
  Function* code = call.getCalledFunction();
  Function* range = Function::Create(
      FunctionType::get(word, {pointer, word, word, pointer, b.getInt32Ty(), pointer}, false),
      GlobalValue::InternalLinkage, code->getName() + ".range", made_.getParent());
  range->setDoesNotThrow();
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu", "probe-stack", "frame-pointer"}) {
    const Attribute same = made_.getFnAttribute(name);
    if (same.isValid()) range->addFnAttr(same);
  }
  if (made_.hasUWTable()) range->setUWTableKind(made_.getUWTableKind());
  b.SetInsertPoint(BasicBlock::Create(made_.getContext(), "", range));
  const auto variable = [&](Value* value) {
    AllocaInst* made = b.CreateAlloca(value->getType());
    b.CreateStore(value, made);
    return made;
  };
  const auto member = [&](unsigned index) {
    return b.CreateLoad(type->getElementType(index), b.CreateStructGEP(type, range->getArg(0), index));
  };
  SmallVector<Value*> given;
  AllocaInst* const at = variable(range->getArg(1));
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* const outside = call.getArgOperand(i);
    if (outside == loop_.counter) {
      given.push_back(variable(counted(b, member(call.arg_size()), range->getArg(1), loop_.by)));
    } else if (outside == at_) {
      given.push_back(at);
    } else if (outside == end_) {
      given.push_back(variable(range->getArg(2)));
    } else if (outside == frame_) {
      given.push_back(variable(range->getArg(5)));
    } else if (outside == group_) {
      given.push_back(variable(range->getArg(3)));
    } else if (outside == around_.number) {
      given.push_back(variable(range->getArg(4)));
    } else {
      given.push_back(member(i));
    }
  }
  b.CreateCall(code, given)->setDoesNotThrow();
  b.CreateRet(b.CreateLoad(word, at));
  return range;
}

/// By which variable the iterations know the group whose variables their tasks reduce.
AllocaInst* loop_cutter::find_group(CallInst& call) const {
  SmallVector<AllocaInst*> found;
  for (Value* value : call.args()) {
    auto* variable = dyn_cast<AllocaInst>(value);
    if (variable == nullptr || variable == around_.group) continue;
    SmallVector<StoreInst*> writes;
    for (User* user : variable->users()) {
      auto* store = dyn_cast<StoreInst>(user);
      if (store != nullptr && store->getPointerOperand() == variable) writes.push_back(store);
    }
    if (writes.size() == 1 && is_contained(around_.groups, writes.front()->getValueOperand())) found.push_back(variable);
  }
  if (found.empty()) return around_.group;
  return found.size() == 1 ? found.front() : nullptr;
}

/// What the iterations are given, and the counter's first value.
Value* loop_cutter::captured(CallInst& call, StructType* type) {
  IRBuilder<> entry(&*made_.getEntryBlock().begin());
  AllocaInst* all = entry.CreateAlloca(type);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* const value = call.getArgOperand(i);
    if (is_of_range(value)) continue;
    b_.CreateStore(value, b_.CreateStructGEP(type, all, i));
  }
  b_.CreateStore(start_, b_.CreateStructGEP(type, all, call.arg_size()));
  return all;
}

void loop_cutter::run() {
  BasicBlock* const header = loop_.test->getParent();
  BasicBlock* before = nullptr;
  for (BasicBlock* each : predecessors(header)) {
    if (each != loop_.back->getParent()) before = each;
  }
  const DebugLoc where = loop_.test->getDebugLoc();
  BasicBlock* const begin = BasicBlock::Create(made_.getContext(), "", &made_, header);
  BranchInst::Create(header, begin)->setDebugLoc(where);
  before->getTerminator()->replaceSuccessorWith(header, begin);
  b_.SetInsertPoint(before->getTerminator());
  b_.SetCurrentDebugLocation(where);
  count();
  b_.CreateStore(b_.getInt64(0), at_);
  b_.CreateStore(count_, end_);
  b_.CreateStore(ConstantPointerNull::get(b_.getPtrTy()), frame_);
  claim_each();
  b_.SetInsertPoint(loop_.step);
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), at_), b_.getInt64(1)), at_);
  CallInst* const call = cut_out(*begin, *loop_.test->getSuccessor(1), ".iterations", 0, loop_.own);
  // Its shape is known, but for values that it hands on, of which there are none.
  if (call == nullptr) report_fatal_error("takt: a loop of tasks has another shape");
  group_ = find_group(*call);
  Function* const code = call->getCalledFunction();
  code->addFnAttr(Attribute::AlwaysInline);
  code->removeFnAttr(Attribute::NoInline);

  SmallVector<Type*> types;
  for (Value* value : call->args()) types.push_back(value->getType());
  types.push_back(start_->getType());
  auto* const type = StructType::get(made_.getContext(), types);
  GlobalVariable* const site = new_site(*made_.getParent(), code->getName() + ".takt_site");
  Function* const range = range_function(*call, type);
  Instruction* shared = call;
  if (around_.may_be_free) {
    b_.SetInsertPoint(call);
    // Behind one question no more iterations than a loop that nests runs between two looks.
    Value* const is_short = b_.CreateICmpULE(count_, b_.getInt64(takt::abi::k_between_looks));
    Value* const is_free =
        b_.CreateAnd(is_short, is_in_free_band(b_, at_offset(b_, site, offsetof(takt::abi::site, free_band))));
    Instruction* free = nullptr;
    SplitBlockAndInsertIfThenElse(is_free, call, &free, &shared, MDBuilder(made_.getContext()).createBranchWeights(2000, 1));
    call->moveBefore(free);
  }
  b_.SetInsertPoint(shared);
  Value* const all = captured(*call, type);
  Value* const group = group_ != nullptr ? static_cast<Value*>(b_.CreateLoad(b_.getPtrTy(), group_))
                                         : ConstantPointerNull::get(b_.getPtrTy());
  Value* const number = around_.number != nullptr ? static_cast<Value*>(b_.CreateLoad(b_.getInt32Ty(), around_.number))
                                                  : b_.getInt32(0);
  FunctionCallee run = all_.runtime("takt_omp_loop_of_tasks", b_.getVoidTy(),
                                    {b_.getPtrTy(), b_.getPtrTy(), b_.getPtrTy(), b_.getInt64Ty(), b_.getPtrTy(), b_.getInt32Ty()});
  b_.CreateCall(run, {site, range, all, count_, group, number});
  b_.CreateStore(counted(b_, start_, count_, loop_.by), loop_.counter);
  if (shared == call) call->eraseFromParent();
}

}  // namespace

void run_in_ranges(const loop_of_tasks& loop, const around_iterations& around, task_copies& all) {
  loop_cutter(loop, around, all).run();
}

}  // namespace takt_plugin
