#include "tasks/task_rewriter.hpp"

#include "forks/frames.hpp"
#include "forks/versions.hpp"
#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "tasks/quiet.hpp"
#include "tasks/task_records.hpp"
#include "tasks/task_reductions.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>

#include <takt/stopping.hpp>

namespace takt_plugin {

using namespace llvm;

namespace {

// Records that do not fit a slot are in the frame of a function up to here, in bytes: larger arrays may not fit the
// stack.
constexpr std::uint64_t k_most_in_frame = 8192;

// A loop pushes no more tasks while so many frames wait: it would fill the latent stack, and in a full one each fork
// polls.
constexpr std::int64_t k_most_waiting = 256;

/// Where a function that returns at `end` has done all that the program says.
Instruction* end_of_body(Instruction& end) {
  Instruction* at = &end;
  for (Instruction* before = end.getPrevNode(); before != nullptr; before = before->getPrevNode()) {
    auto* call = dyn_cast<CallInst>(before);
    if (call == nullptr || !gives_back_reduced(*call)) break;
    at = before;
  }
  return at;
}

bool has_loop(const Function& function) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> back;
  if (!function.isDeclaration()) FindFunctionBackedges(function, back);
  return !back.empty();
}

/// Whether a taskloop's entry, or what it calls, has its loop. Where by constants there are no iterations Clang leaves
/// it out, and may count 2^32 of them.
bool has_iterations(const Function& entry) {
  return has_loop(entry) || any_of(instructions(entry), [](const Instruction& at) {
           const auto* call = dyn_cast<CallBase>(&at);
           const Function* called = call == nullptr ? nullptr : call->getCalledFunction();
           return called != nullptr && has_loop(*called);
         });
}

constexpr CallInst* task_site::* k_task_calls[] = {&task_site::alloc,  &task_site::start,
                                                   &task_site::loop,   &task_site::serial_begin,
                                                   &task_site::serial, &task_site::serial_end};

}  // namespace

Function* task_rewriter::copied_callee(const CallBase& call) const {
  Function* callee = all_.code_.called(call);
  return callee != nullptr && all_.code_.knows(*callee) && all_.code_.facts(*callee).needs_copy ? callee : nullptr;
}

bool task_rewriter::is_wait(const CallBase& call) const {
  const StringRef name = name_of(call);
  const bool is_barrier = name == kmpc::barrier || name == kmpc::cancel_barrier;
  // What was made before it must not end with the group.
  const bool begins_group = all_.cancels_ && name == kmpc::taskgroup;
  return is_task_wait(name) || begins_group || (is_barrier && all_.regions_.count(&original_) != 0);
}

void task_rewriter::read_pending() {
  std::map<const BasicBlock*, bool> at_end;
  ReversePostOrderTraversal<Function*> order(&made_);
  const auto visit = [&](BasicBlock& block, bool note) {
    bool some = &block == &made_.getEntryBlock() && way_ == task_way::under;
    for (BasicBlock* before : predecessors(&block)) some |= at_end[before];
    for (Instruction& instruction : block) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (note && some && (call != nullptr || instruction.isTerminator())) pending_.insert(&instruction);
      if (call == nullptr) continue;
      if (pushes(*call)) some = true;
      const bool ends_all = all_.code_.is_unseen(*call) && !may_be_quiet(*call, all_.code_);
      if (is_wait(*call) || ends_all) some = false;
      if (Function* callee = copied_callee(*call)) {
        some |= all_.code_.facts(*callee).leaks || isa<InvokeInst>(call);
      }
      some |= may_throw_outside(*call);
    }
    return some;
  };
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock* block : order) {
      const bool some = visit(*block, false);
      again |= some && !at_end[block];
      at_end[block] |= some;
    }
  }
  for (BasicBlock* block : order) {
    visit(*block, true);
    for (Instruction& instruction : *block) {
      if (isa<CallBase>(instruction) || isa<ReturnInst>(instruction)) order_.push_back(&instruction);
    }
  }
}

/// Whether no call leaves tasks behind, or may by an exception.
bool task_rewriter::leaves_nothing() const {
  return none_of(instructions(made_), [&](Instruction& instruction) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr) return false;
    Function* callee = copied_callee(*call);
    return may_throw_outside(*call) ||
           (callee != nullptr && (all_.code_.facts(*callee).leaks || isa<InvokeInst>(call)));
  });
}

void task_rewriter::ask_for_version() {
  SmallVector<CallBase*> pushes;
  for (const own_task& task : tasks_) {
    if (may_push(task)) pushes.push_back(task.site.start);
  }
  if (pushes.empty() || !leaves_nothing()) return;
  Instruction* at = place_of_question(made_, pushes);
  if (at == nullptr) return;
  is_free_ = true;
  IRBuilder<> b(at);
  Value* band = at_offset(b, all_.site_of(original_), offsetof(takt::abi::site, free_band));
  choose_version(*at, band, *all_.pushing_version(wanted_), pushes.front()->getDebugLoc());
}

bool task_rewriter::may_push(const own_task& task) const {
  return task.site.start != nullptr && !task.loop && !is_followed_by_wait(*task.site.start);
}

/// Whether `call` may leave a task behind that waits: of an untied task's next part there is no such task.
bool task_rewriter::pushes(const CallBase& call) const {
  if (is_free_ || !starts_task(name_of(call)) || is_followed_by_wait(cast<CallInst>(call))) return false;
  return none_of(tasks_, [&](const own_task& task) { return task.site.start == &call && task.loop; });
}

/// Whether a way that does not wait leads from the start of a task to the same one, or to one that stands before it.
bool task_rewriter::comes_again(const CallInst& start) const {
  SmallPtrSet<const Instruction*, 8> before;
  for (const own_task& task : tasks_) {
    if (task.site.start != nullptr) before.insert(task.site.start);
    if (task.site.start == &start) break;
  }
  SmallPtrSet<const BasicBlock*, 16> seen;
  SmallVector<const Instruction*> open{start.getNextNode()};
  while (!open.empty()) {
    const Instruction* at = open.pop_back_val();
    const BasicBlock* block = at->getParent();
    bool waited = false;
    for (; at != nullptr && !waited; at = at->getNextNode()) {
      if (before.count(at) != 0) return true;
      auto* call = dyn_cast<CallBase>(at);
      waited = call != nullptr && is_wait(*call);
    }
    if (waited) continue;
    for (const BasicBlock* next : successors(block)) {
      if (seen.insert(next).second) open.push_back(&next->front());
    }
  }
  return false;
}

void task_rewriter::choose_form() {
  if (is_free_) return;
  const bool depends = all_.code_.facts(original_).depends;
  known_ = way_ != task_way::under && !depends;
  for (Instruction* at : order_) {
    auto* call = dyn_cast<CallBase>(at);
    if (call == nullptr) continue;
    if (may_throw_outside(*call)) known_ = false;
    Function* callee = copied_callee(*call);
    if (callee == nullptr) continue;
    const task_facts& facts = all_.code_.facts(*callee);
    if (facts.leaks || isa<InvokeInst>(call) || (facts.waits && pending_.count(call) != 0)) known_ = false;
  }
  for (own_task& task : tasks_) {
    if (task.site.start == nullptr || task.loop) continue;
    const bool again = comes_again(*task.site.start);
    // What is left to a caller may be called in a loop.
    task.in_turn = again || way_ == task_way::plain;
    if (again) known_ = false;
  }
  if (way_ == task_way::serial || way_ == task_way::under) return;
  IRBuilder<> b(&*made_.getEntryBlock().begin());
  const auto slot_variable = [&] {
    AllocaInst* variable = b.CreateAlloca(b.getPtrTy());
    b.CreateStore(ConstantPointerNull::get(b.getPtrTy()), variable);
    return variable;
  };
  if (depends) depended_ = slot_variable();
  if (!known_) {
    first_ = slot_variable();
    return;
  }
  for (own_task& task : tasks_) task.pushed = slot_variable();
}

/// A record on the heap is for a task that waits, and does not fit a slot, or must not be moved.
void task_rewriter::place_records() {
  const bool never_waits = is_free_ || way_ == task_way::serial;
  std::uint64_t in_frame = 0;
  for (own_task& task : tasks_) {
    task.in_frame = task.in_slot;
    if (task.in_slot || task.site.loop != nullptr || (task.site.is_fixed && !never_waits)) continue;
    in_frame += behind_record(task.site) + task.site.shared_bytes;
    task.in_frame = in_frame <= k_most_in_frame;
  }
}

void task_rewriter::make_record_of(own_task& task) {
  CallInst* alloc = task.site.alloc;
  IRBuilder<> b(alloc);
  Value* record = nullptr;
  Value* shareds = nullptr;
  // A record that stays where it is made is on the heap; one of a taskloop is copied.
  const bool on_heap = !task.in_frame && task.site.loop == nullptr;
  if (on_heap) {
    record = room_for(task, b);
    shareds = at_offset(b, record, behind_record(task.site));
  } else {
    auto [mine, captured] = make_record(made_, task.site);
    record = task.record = mine;
    shareds = task.shareds = captured;
    if (task.loop) {
      task.loop->own.insert(mine);
      task.loop->own.insert(captured);
    }
  }
  b.CreateStore(shareds, at_offset(b, record, offsetof(takt::kmp::task, shareds)));
  b.CreateStore(b.getInt32(0), at_offset(b, record, offsetof(takt::kmp::task, part)));
  if (task.site.in_group) {
    Value* group = b.CreateLoad(b.getPtrTy(), group_);
    b.CreateStore(group, at_offset(b, record, k_task_group));
  }
  alloc->replaceAllUsesWith(record);
}

void task_rewriter::end_of_task(own_task& task, IRBuilder<>& b) {
  Value* record =
      task.site.start != nullptr ? task.site.start->getArgOperand(2) : task.site.serial_end->getArgOperand(2);
  finish_record(b, all_, task.site, record, task.in_frame);
}

void task_rewriter::run_now(own_task& task, Instruction* at, task_way way) {
  IRBuilder<> b(at);
  Function* entry = all_.copy_of(*task.site.entry, way);
  // By whom the iteration is run, is known when it is.
  const bool is_told = task.loop && task.number != 0;
  Value* number = is_told ? static_cast<Value*>(b.CreateLoad(b.getInt32Ty(), number_)) : b.getInt32(task.number);
  b.CreateCall(entry, {number, task.site.start->getArgOperand(2)})->setDoesNotThrow();
  end_of_task(task, b);
}

Value* task_rewriter::room_for(const own_task& task, IRBuilder<>& b) {
  FunctionCallee room = all_.runtime("takt_omp_task_room", b.getPtrTy(), {b.getInt64Ty()});
  return b.CreateCall(room, {b.getInt64(behind_record(task.site) + task.site.shared_bytes)});
}

/// What is in the frame, of which the task that waits needs a copy.
Value* task_rewriter::moved_to_heap(const own_task& task, IRBuilder<>& b) {
  Value* record = room_for(task, b);
  Value* shareds = at_offset(b, record, behind_record(task.site));
  b.CreateMemCpy(record, Align(8), task.record, Align(8), task.site.captured);
  b.CreateMemCpy(shareds, Align(8), task.shareds, Align(8), task.site.shared_bytes);
  b.CreateStore(shareds, at_offset(b, record, offsetof(takt::kmp::task, shareds)));
  return record;
}

/// The task becomes a latent frame. `tells`: the poll before has asked to be told.
void task_rewriter::push(own_task& task, Instruction* at, bool tells) {
  IRBuilder<> b(at);
  Function* entry = all_.copy_of(*task.site.entry, task_way::whole);
  Function* run = all_.runner(*entry, task.site, task.in_slot);
  Value* slot = head_of_frames(b);
  b.CreateStore(run, slot);
  if (task.in_slot) {
    move_captures(b, task.site, task.record, task.shareds, slot, true);
  } else {
    Value* record = task.in_frame ? moved_to_heap(task, b) : task.site.start->getArgOperand(2);
    b.CreateStore(record, at_offset(b, slot, k_slot_payload));
  }
  if (task.pushed != nullptr) {
    b.CreateStore(slot, task.pushed);
  } else if (first_ != nullptr) {
    Value* first = b.CreateLoad(b.getPtrTy(), first_);
    b.CreateStore(b.CreateSelect(b.CreateIsNotNull(first), first, slot), first_);
  }
  if (task.site.depends()) {
    FunctionCallee depend =
        all_.runtime("takt_omp_depend", b.getVoidTy(), {b.getPtrTy(), b.getInt32Ty(), b.getPtrTy()});
    b.CreateCall(depend, {depended_, task.site.start->getArgOperand(3), task.site.start->getArgOperand(4)});
  }
  set_head_of_frames(b, at_offset(b, slot, sizeof(takt::abi::slot)));
  if (tells) b.CreateCall(all_.runtime("takt_fork_pushed", b.getVoidTy(), {b.getPtrTy()}), {task.where});
}

void task_rewriter::start(own_task& task) {
  if (task.site.depends() && !is_free_ && way_ != task_way::serial) wait_for_conflicts(task);
  CallInst* at = task.site.start;
  if (way_ == task_way::serial) {
    run_now(task, at, task_way::serial);
    return;
  }
  IRBuilder<> b(at);
  Instruction* here = at;
  if (Value* is_final = final_flag(b, task.site)) {
    Instruction* serial = nullptr;
    Instruction* other = nullptr;
    SplitBlockAndInsertIfThenElse(is_final, at, &serial, &other);
    run_now(task, serial, task_way::serial);
    here = other;
  }
  if (is_free_ || task.loop || is_followed_by_wait(*at)) {
    run_now(task, here, task_way::whole);
    return;
  }
  b.SetInsertPoint(here);
  task.where = all_.site_of(original_);
  BasicBlock* end = SplitBlock(here->getParent(), here);
  BasicBlock* ask = end->getSinglePredecessor();
  BasicBlock* now = BasicBlock::Create(context_, "", &made_, end);
  BasicBlock* slow = BasicBlock::Create(context_, "", &made_, end);
  BasicBlock* told = BasicBlock::Create(context_, "", &made_, end);
  BasicBlock* fast = BasicBlock::Create(context_, "", &made_, end);
  const DebugLoc where = at->getDebugLoc();
  const auto jump = [&](BasicBlock* from, BasicBlock* to) {
    BranchInst* branch = BranchInst::Create(to, from);
    branch->setDebugLoc(where);
    return branch;
  };
  ask->getTerminator()->eraseFromParent();
  b.SetInsertPoint(ask);
  b.SetCurrentDebugLocation(where);
  if (all_.optimise_ && wanted_.version != task_copies::version::pushing) {
    Value* band = at_offset(b, task.where, offsetof(takt::abi::site, free_band));
    BasicBlock* charged = BasicBlock::Create(context_, "", &made_, now);
    b.CreateCondBr(is_in_free_band(b, band), now, charged, MDBuilder(context_).createBranchWeights(2000, 1));
    b.SetInsertPoint(charged);
  }
  b.CreateCondBr(charge_fork(b), slow, fast, MDBuilder(context_).createBranchWeights(1, 2000));
  b.SetInsertPoint(slow);
  FunctionCallee poll = all_.runtime("takt_fork_poll", b.getInt32Ty(), {b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty()});
  Value* answer = b.CreateCall(poll, {task.where, b.getInt64(takt::abi::k_fork_units), stack_pointer(b)});
  SwitchInst* choice = b.CreateSwitch(answer, now, 2);
  choice->addCase(b.getInt32(static_cast<std::uint32_t>(takt::abi::fork_way::inside)), told);
  choice->addCase(b.getInt32(static_cast<std::uint32_t>(takt::abi::fork_way::charged)), fast);
  if (task.in_turn) {
    // Run at once what is charged, so that a beat is seen.
    BasicBlock* room = BasicBlock::Create(context_, "", &made_, end);
    b.SetInsertPoint(fast);
    b.SetCurrentDebugLocation(where);
    const std::int64_t bytes = k_most_waiting * static_cast<std::int64_t>(sizeof(takt::abi::slot));
    Value* older = b.CreateGEP(b.getInt8Ty(), head_of_frames(b), b.getInt64(-bytes));
    b.CreateCondBr(is_promoted(b, older), room, now);
    fast = room;
  }
  push(task, jump(told, end), true);
  push(task, jump(fast, end), false);
  run_now(task, jump(now, end), task_way::whole);
}

/// if(false): where the task is made.
void task_rewriter::run_serially(own_task& task) {
  CallInst* call = task.site.serial;
  IRBuilder<> b(call);
  Value* record = call->getArgOperand(1);
  const auto run = [&](Instruction* at, task_way way) {
    IRBuilder<> here(at);
    here.SetCurrentDebugLocation(call->getDebugLoc());
    here.CreateCall(all_.copy_of(*task.site.entry, way), {here.getInt32(task.number), record})->setDoesNotThrow();
  };
  if (way_ == task_way::serial) {
    run(call, task_way::serial);
  } else if (Value* is_final = final_flag(b, task.site)) {
    Instruction* serial = nullptr;
    Instruction* other = nullptr;
    SplitBlockAndInsertIfThenElse(is_final, call, &serial, &other);
    run(serial, task_way::serial);
    run(other, task_way::whole);
  } else {
    run(call, task_way::whole);
  }
  b.SetInsertPoint(task.site.serial_end);
  b.SetCurrentDebugLocation(call->getDebugLoc());
  end_of_task(task, b);
}

/// The same call with one more argument.
CallBase* task_rewriter::with_more(CallBase& call, Value* last) const {
  SmallVector<Value*> arguments(call.args());
  arguments.push_back(last);
  SmallVector<Type*> types(call.getFunctionType()->params());
  types.push_back(last->getType());
  auto* type = FunctionType::get(call.getType(), types, false);
  CallBase* made = nullptr;
  SmallVector<OperandBundleDef> bundles;
  call.getOperandBundlesAsDefs(bundles);
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    made = InvokeInst::Create(type, call.getCalledOperand(), invoke->getNormalDest(), invoke->getUnwindDest(),
                              arguments, bundles, "", &call);
  } else {
    made = CallInst::Create(type, call.getCalledOperand(), arguments, bundles, "", &call);
  }
  made->setAttributes(call.getAttributes());
  made->setCallingConv(call.getCallingConv());
  made->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
  return made;
}

/// A call of a function that has to do with tasks.
void task_rewriter::replace_call(CallBase& call) {
  Function& callee = *copied_callee(call);
  const task_facts& facts = all_.code_.facts(callee);
  CallBase* made = &call;
  task_way way = way_ == task_way::serial ? task_way::serial : task_way::plain;
  const bool some = pending_.count(&call) != 0 && !is_ordered_with(call);
  if (all_.takes_group(callee)) {
    IRBuilder<> b(made);
    made = with_more(*made, b.CreateLoad(b.getPtrTy(), group_));
  }
  if (way_ != task_way::serial) {
    IRBuilder<> b(made);
    if (some && facts.waits) {
      way = task_way::under;
      made = with_more(*made, first_slot(b));
    } else if (first_ != nullptr && (facts.leaks || isa<InvokeInst>(made))) {
      // What it leaves behind lies from here on.
      first_slot(b);
    }
  }
  made->setCalledFunction(all_.copy_of(callee, way));
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree}) {
    made->removeFnAttr(kind);
  }
}

/// A call of code elsewhere: its copy, if it has one.
void task_rewriter::call_outside(CallBase& call) {
  if (way_ == task_way::serial) return;
  auto* callee = cast<Function>(call.getCalledOperand()->stripPointerCasts());
  FunctionCallee other = all_.module_.getOrInsertFunction((callee->getName() + k_task_copy).str(),
                                                          callee->getFunctionType(), callee->getAttributes());
  auto* copy = dyn_cast<Function>(other.getCallee());
  if (copy == nullptr) return;
  if (copy->isDeclaration()) copy->setLinkage(GlobalValue::ExternalWeakLinkage);
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree}) {
    copy->removeFnAttr(kind);
    call.removeFnAttr(kind);
  }
  IRBuilder<> b(&call);
  call.setCalledOperand(b.CreateSelect(b.CreateIsNotNull(copy), copy, callee));
  if (first_ != nullptr && isa<InvokeInst>(call)) {
    IRBuilder<> last(&call);
    first_slot(last);
  }
}

void task_rewriter::find_tasks(const ValueToValueMapTy& copies) {
  const auto& sites = all_.code_.facts(original_).tasks;
  for (const task_site& site : sites) {
    const auto copied = [&](CallInst* call) {
      return call == nullptr ? nullptr : cast<CallInst>(static_cast<Value*>(copies.lookup(call)));
    };
    own_task task{site};
    task.in_slot = fits_slot(site);
    if (may_run_here(original_, sites, site)) task.number = k_runs_here;
    for (CallInst* task_site::* call : k_task_calls) task.site.*call = copied(site.*call);
    tasks_.push_back(task);
  }
}

/// Loops that only make tasks, and a wait comes behind.
void task_rewriter::find_loops() {
  if (way_ == task_way::serial || !all_.optimise_ || made_.hasOptNone()) return;
  const DominatorTree tree(made_);
  const LoopInfo loops(tree);
  const bool is_region = all_.regions_.count(&original_) != 0;
  const auto waits = [&](const Instruction& at) {
    auto* call = dyn_cast<CallBase>(&at);
    return call != nullptr ? is_wait(*call) : isa<ReturnInst>(at) && way_ == task_way::whole;
  };
  // Other code may as well come behind the tasks: there are none beside it, but what starts more of them is a call.
  const auto is_nothing = [&](const Instruction& at) {
    auto* call = dyn_cast<CallBase>(&at);
    auto* store = dyn_cast<StoreInst>(&at);
    return (store != nullptr && store->isSimple()) || (is_region && call != nullptr && is_dropped(name_of(*call)));
  };
  for (own_task& task : tasks_) {
    task.loop = find_loop_of_tasks(task.site, loops, tree);
    if (!task.loop) continue;
    if (!leads_to_wait(task.loop->test->getSuccessor(1)->front(), waits, is_nothing)) {
      task.loop.reset();
    } else if (number_ == nullptr && task.number != 0) {
      IRBuilder<> b(&*made_.getEntryBlock().begin());
      number_ = b.CreateAlloca(b.getInt32Ty());
      b.CreateStore(b.getInt32(task.number), number_);
    }
  }
}

/// At the end: what the iterations do is rewritten.
void task_rewriter::run_loops_in_ranges() {
  for (own_task& task : tasks_) {
    if (!task.loop) continue;
    around_iterations around;
    around.group = task.site.in_group ? group_ : nullptr;
    around.groups = groups_;
    around.number = task.number != 0 ? number_ : nullptr;
    around.may_be_free = wanted_.version != task_copies::version::pushing;
    run_in_ranges(*task.loop, around, all_);
  }
}

/// A taskgroup that may be cancelled: a scope in the frame.
void task_rewriter::begin_group(Instruction* at) {
  IRBuilder<> b(&*made_.getEntryBlock().begin());
  AllocaInst* scope = b.CreateAlloca(ArrayType::get(b.getInt64Ty(), sizeof(takt::abi::stop_scope) / 8));
  b.SetInsertPoint(at);
  b.CreateCall(all_.runtime("takt_omp_group_begin", b.getVoidTy(), {b.getPtrTy()}), {scope});
}

void task_rewriter::end_group(Instruction* at) {
  IRBuilder<> b(at);
  b.CreateCall(all_.runtime("takt_omp_group_end", b.getVoidTy(), {}));
}

void task_rewriter::run(const ValueToValueMapTy& copies) {
  find_tasks(copies);
  find_loops();
  if (wanted_.version == task_copies::version::asking) ask_for_version();
  read_pending();
  // In the order in which they can be pushed.
  std::map<const Instruction*, std::size_t> position;
  for (std::size_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
  std::sort(tasks_.begin(), tasks_.end(),
            [&](const own_task& a, const own_task& b) { return position[a.site.alloc] < position[b.site.alloc]; });
  choose_form();
  place_records();
  for (own_task& task : tasks_) make_record_of(task);
  std::vector<Instruction*> gone;
  const bool is_region = all_.regions_.count(&original_) != 0;
  // A cancelled taskgroup around the region has none of its tasks.
  const bool is_root = all_.cancels_ && all_.roots_.count(&original_) != 0;
  if (is_root) begin_group(&*made_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (own_task& task : tasks_) {
    if (task.site.start != nullptr) start(task);
    if (task.site.serial != nullptr) run_serially(task);
    if (task.site.loop != nullptr) run_loop(task);
  }
  for (Instruction* at : order_) {
    if (isa<ReturnInst>(at)) {
      if (way_ == task_way::whole && pending_.count(at) != 0) wait(end_of_body(*at));
      if (is_root) end_group(at);
      continue;
    }
    auto& call = cast<CallBase>(*at);
    const StringRef name = name_of(call);
    if (is_wait(call)) {
      wait(at);
    } else if (is_ordered_with(call)) {
      wait_before(call);
    }
    if (all_.cancels_ && name == kmpc::taskgroup) begin_group(at);
    if (all_.cancels_ && name == kmpc::end_taskgroup) end_group(at);
    if (all_.cancels_ && cancels(call, takt::kmp::cancelled::taskgroup)) {
      lower_cancel_of_group(cast<CallInst>(call));
    } else if (is(name, trait::cancels)) {
      lower_cancel(cast<CallInst>(call), nullptr);
    } else if (is_task_call(name)) {
      gone.push_back(at);
    } else if (is_region && (starts_once(name) || asks_to_combine(name))) {
      call.replaceAllUsesWith(ConstantInt::get(call.getType(), 1));
      gone.push_back(at);
    } else if (is_region && (is_dropped(name) || combines(name))) {
      gone.push_back(at);
    } else if (is_lock_or_fence(name)) {
      all_.with_locks_.insert(&made_);
    } else if (copied_callee(call) != nullptr) {
      const bool is_entry =
          std::any_of(tasks_.begin(), tasks_.end(), [&](const own_task& t) { return t.site.serial == at; });
      if (is_entry) {
        gone.push_back(at);
      } else {
        replace_call(call);
      }
    } else if (all_.code_.is_outside(call)) {
      call_outside(call);
    }
  }
  for (own_task& task : tasks_) {
    // An entry that has nothing to do with tasks.
    if (task.site.serial != nullptr && std::find(gone.begin(), gone.end(), task.site.serial) == gone.end()) {
      gone.push_back(task.site.serial);
    }
  }
  for (Instruction* at : gone) {
    if (!at->getType()->isVoidTy()) at->replaceAllUsesWith(PoisonValue::get(at->getType()));
    at->eraseFromParent();
  }
  if (depended_ != nullptr && !made_.doesNotThrow()) forget_when_left();
  if (!is_free_) run_loops_in_ranges();
}

/// An exception that leaves the function leaves tasks behind, but not what is noted of them.
void task_rewriter::forget_when_left() {
  EscapeEnumerator ends(made_, "takt.left");
  while (IRBuilder<>* at = ends.Next()) {
    if (isa<ReturnInst>(*at->GetInsertPoint())) continue;
    at->CreateCall(all_.runtime("takt_omp_forget", at->getVoidTy(), {at->getPtrTy()}), {depended_});
  }
}

/// The runtime makes tasks of as many iterations as it likes.
void task_rewriter::run_loop(own_task& task) {
  CallInst* call = task.site.loop;
  IRBuilder<> b(call);
  Function* copy = all_.copy_of(*task.site.entry, way_ == task_way::serial ? task_way::serial : task_way::whole);
  Value* entry = copy;
  Value* in_one_piece = b.getTrue();
  if (way_ != task_way::serial) {
    Value* is_final = final_flag(b, task.site);
    if (is_final != nullptr) entry = b.CreateSelect(is_final, all_.copy_of(*task.site.entry, task_way::serial), copy);
    if (has_iterations(*task.site.entry)) {
      in_one_piece = b.CreateICmpEQ(call->getArgOperand(3), b.getInt32(0));
      if (is_final != nullptr) in_one_piece = b.CreateOr(in_one_piece, is_final);
    }
  }
  FunctionCallee run = all_.runtime(
      "takt_omp_taskloop", b.getVoidTy(),
      {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getPtrTy(), b.getPtrTy(), b.getInt1Ty(), b.getInt1Ty()});
  if (auto* function = dyn_cast<Function>(run.getCallee())) {
    for (unsigned flag : {5u, 6u}) function->addParamAttr(flag, Attribute::ZExt);
  }
  CallInst* made = b.CreateCall(
      run, {new_site(all_.module_, made_.getName() + ".takt_site"), task.record, b.getInt64(task.site.bytes), entry,
            call->getArgOperand(k_taskloop_copies), b.getInt1(has_destructors(task.site)), in_one_piece});
  for (unsigned flag : {5u, 6u}) made->addParamAttr(flag, Attribute::ZExt);
}

}  // namespace takt_plugin
