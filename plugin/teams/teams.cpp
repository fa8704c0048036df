// Splitting of regions. See "Regions that are more than a loop" in README.md beside this file.
#include "teams/teams.hpp"

#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "openmp/constructs.hpp"
#include "openmp/pointers.hpp"
#include "tasks/task_reductions.hpp"
#include "teams/variables.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

Function* clone_region(Function& outlined) {
  ValueToValueMapTy copies;
  Function* copy = CloneFunction(&outlined, copies);
  copy->setLinkage(GlobalValue::InternalLinkage);
  std::map<Function*, Function*> inner;
  for (auto* call : calls_in(instructions(*copy))) {
    Function* started = started_by(*call);
    if (started == nullptr || !started->hasLocalLinkage() || started->isDeclaration()) continue;
    Function*& mine = inner[started];
    if (mine == nullptr) mine = clone_region(*started);
    call->setArgOperand(2, mine);
  }
  for (auto* call : calls_in(instructions(*copy))) {
    auto mine = inner.find(call->getCalledFunction());
    if (mine != inner.end()) call->setCalledFunction(mine->second);
  }
  return copy;
}

namespace {

/// What a loop leaves in a variable that other threads may still have to read: all of them start with what it was.
struct outcome {
  construct* loop;
  Value* variable;
  std::uint64_t bytes;
  std::vector<Instruction*> writes;
};

/// A loop's share of one of the region's totals.
struct loop_total {
  const total* what;
  Value* variable;  ///< where the region has it
  AllocaInst* copy;
};

class splitter {
 public:
  /// `code`: constructs may make tasks.
  explicit splitter(Function& outlined, const task_code* code)
      : outlined_(outlined), layout_(outlined.getParent()->getDataLayout()), code_(code) {}

  /// Finds out whether the region can be split. Only reads, unless it `splits_records`: without that it may not be known.
  refusal check(bool splits_records);
  /// @returns the outlined functions of the loops.
  std::vector<Function*> split(CallInst& fork);
  /// What makes tasks. A call that is null: of a shape that is not known.
  const std::vector<task_piece>& pieces() const { return pieces_; }

 private:
  refusal check_values() const;
  void cut();
  refusal find_outcomes();
  void write_outcomes_later(construct& loop);
  Function* outline(construct& loop, CallInst& fork);
  void drop_variables_of_loops();
  bool makes_tasks(const construct& of) const;
  static bool is_cancelled(const construct& loop);
  CallInst* cut_out_once(construct& once);
  void add_to_totals(const construct& loop, ArrayRef<loop_total> all, Function& made, BasicBlock& done,
                     const DebugLoc& where);
  void drop_combination();

  Function& outlined_;
  const DataLayout& layout_;
  const task_code* code_;
  region_parts parts_;
  constructs& constructs_ = parts_.all;
  region_totals totals_;
  own_variables own_;
  std::vector<outcome> outcomes_;
  std::vector<task_piece> pieces_;
  std::map<AllocaInst*, Function*> combinations_;  ///< of totals that are arrays
};

/// Nothing computed in a loop is used after it, but the thread's number.
refusal splitter::check_values() const {
  SmallPtrSet<const Value*, 16> numbers;
  for (LoadInst* number : parts_.numbers) {
    numbers.insert(number);
    numbers.insert(number->getPointerOperand());
  }
  for (const construct& c : constructs_) {
    if (!c.is_loop()) continue;
    for (BasicBlock* block : c.blocks) {
      for (Instruction& instruction : *block) {
        if (!c.contains(instruction) || numbers.contains(&instruction)) continue;
        for (User* user : instruction.users()) {
          if (!c.contains(*cast<Instruction>(user))) return reason::loops_shape;
        }
      }
    }
  }
  return {};
}

/// Blocks are split, and what is computed before a loop can be handed to it.
void splitter::cut() {
  cut_into_constructs(outlined_, parts_);
  SetVector<Instruction*> demoted;
  for (construct& c : constructs_) {
    if (!c.is_loop()) continue;
    for (BasicBlock* block : c.blocks) {
      for (Instruction& instruction : *block) {
        auto* merge = dyn_cast<PHINode>(&instruction);
        for (Use& use : instruction.operands()) {
          auto* value = dyn_cast<Instruction>(use.get());
          if (value == nullptr || isa<AllocaInst>(value) || c.contains(*value)) continue;
          if (merge != nullptr && !c.blocks.contains(merge->getIncomingBlock(use))) continue;
          if (!value->getType()->isPointerTy() && !value->getType()->isIntegerTy(64)) demoted.insert(value);
        }
      }
    }
  }
  for (Instruction* value : demoted) DemoteRegToStack(*value);
}

/// Where firstprivate and lastprivate are of one variable, or linear, a barrier parts reading from writing.
refusal splitter::find_outcomes() {
  const reason unknown = reason::outcome_shape;
  const DominatorTree tree(outlined_);
  for (construct& c : constructs_) {
    if (!c.is_loop()) continue;
    bool parted = false;
    for (BasicBlock* block : c.blocks) {
      for (Instruction& instruction : *block) {
        auto* call = dyn_cast<CallInst>(&instruction);
        if (call == nullptr || name_of(*call) != kmpc::barrier || !c.contains(*call)) continue;
        if (!tree.dominates(call, c.call)) return unknown;
        parted = true;
      }
    }
    if (!parted) continue;
    auto* last = dyn_cast<AllocaInst>(c.last);
    if (last == nullptr) return unknown;
    block_set at_the_end;
    collect_last(*last, tree, at_the_end);
    const std::size_t before = outcomes_.size();
    for (BasicBlock* block : at_the_end) {
      for (Instruction& instruction : *block) {
        Value* written = nullptr;
        std::uint64_t bytes = 0;
        if (auto* store = dyn_cast<StoreInst>(&instruction)) {
          written = store->getPointerOperand();
          bytes = layout_.getTypeStoreSize(store->getValueOperand()->getType());
        } else if (auto* copy = dyn_cast<MemCpyInst>(&instruction)) {
          auto* length = dyn_cast<ConstantInt>(copy->getLength());
          if (length == nullptr) return unknown;
          written = copy->getRawDest();
          bytes = length->getZExtValue();
        } else if (isa<CallBase>(instruction) && !is_marker(instruction)) {
          return unknown;
        } else {
          continue;
        }
        auto* made = dyn_cast<Instruction>(written);
        if (made != nullptr && c.contains(*made)) return unknown;
        auto same = std::find_if(outcomes_.begin() + static_cast<std::ptrdiff_t>(before), outcomes_.end(),
                                 [&](const outcome& o) { return o.variable == written; });
        if (same == outcomes_.end()) same = outcomes_.insert(same, {&c, written, bytes, {}});
        if (same->bytes != bytes) return unknown;
        same->writes.push_back(&instruction);
      }
    }
  }
  return {};
}

/// The loop writes to a variable of the region, from which the other one is copied when all of its slices have ended.
void splitter::write_outcomes_later(construct& loop) {
  IRBuilder<> b(&*outlined_.getEntryBlock().begin());
  for (outcome& o : outcomes_) {
    if (o.loop != &loop) continue;
    b.SetInsertPoint(&*outlined_.getEntryBlock().begin());
    AllocaInst* room = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), o.bytes));
    room->setAlignment(Align(16));
    for (Instruction* write : o.writes) {
      if (auto* store = dyn_cast<StoreInst>(write)) {
        store->setOperand(1, room);
      } else {
        cast<MemCpyInst>(write)->setDest(room);
      }
    }
    b.SetInsertPoint(loop.first->getSinglePredecessor()->getTerminator());
    b.CreateMemCpy(room, room->getAlign(), o.variable, Align(1), o.bytes);
    b.SetInsertPoint(&*loop.behind->getFirstInsertionPt());
    b.CreateMemCpy(o.variable, Align(1), room, room->getAlign(), o.bytes);
  }
  for (BasicBlock* block : loop.blocks) {
    for (Instruction& instruction : make_early_inc_range(*block)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call != nullptr && name_of(*call) == kmpc::barrier) call->eraseFromParent();
    }
  }
}

refusal splitter::check(bool splits_records) {
  refusal why = find_constructs(outlined_, parts_, code_ != nullptr);
  if (!why) why = check_values();
  // What makes tasks becomes a function, from which nothing leads to the end of the loop.
  const auto is_left = [this](const construct& c) { return is_cancelled(c) && makes_tasks(c); };
  if (!why && code_ != nullptr && any_of(constructs_, is_left)) return reason::cancelled;
  if (!why) why = find_outcomes();
  if (!why) why = find_totals(outlined_, constructs_, totals_, splits_records);
  if (totals_.has_records) return {};
  if (!why) why = check_variables(outlined_, constructs_, totals_, own_);
  if (why) return why;
  for (const total& t : totals_.all) {
    for (const construct* loop : t.added_in) own_[{loop, t.copy}] = false;
  }
  return {};
}

/// The loop's part of the region's totals, as a reduction clause of the loop would have it combined: `done` is where
/// the loop ends.
void splitter::add_to_totals(const construct& loop, ArrayRef<loop_total> all, Function& made, BasicBlock& done,
                             const DebugLoc& where) {
  LLVMContext& context = made.getContext();
  Module& module = *made.getParent();
  IRBuilder<> b(context);
  auto* list_type = ArrayType::get(b.getPtrTy(), all.size());
  Function* combine = Function::Create(FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, false),
                                       GlobalValue::InternalLinkage, made.getName() + ".combine", module);
  combine->setDoesNotThrow();
  b.SetInsertPoint(BasicBlock::Create(context, "", combine));
  const auto combine_into = [&](const total& of, Value* variable, Value* copy) {
    if (of.element != nullptr) {
      Function*& arrays = combinations_[of.copy];
      if (arrays == nullptr) arrays = &combination_of_arrays(of, outlined_);
      b.CreateCall(arrays, {variable, copy});
      return;
    }
    Type* type = of.copy->getAllocatedType();
    Value* old = b.CreateLoad(type, variable);
    Value* more = b.CreateLoad(type, copy);
    b.CreateStore(combined(b, of, old, more), variable);
  };
  for (unsigned i = 0; i < all.size(); ++i) {
    Value* variable = b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP2_64(list_type, combine->getArg(0), 0, i));
    Value* copy = b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP2_64(list_type, combine->getArg(1), 0, i));
    combine_into(*all[i].what, variable, copy);
  }
  b.CreateRetVoid();

  CallInst* whole = totals_.reduce;
  b.SetInsertPoint(&made.getEntryBlock(), made.getEntryBlock().begin());
  AllocaInst* list = b.CreateAlloca(list_type);
  BasicBlock* end = SplitBlock(&done, done.getTerminator());
  b.SetInsertPoint(done.getTerminator());
  b.SetCurrentDebugLocation(where);
  for (unsigned i = 0; i < all.size(); ++i) {
    b.CreateStore(all[i].copy, b.CreateConstInBoundsGEP2_64(list_type, list, 0, i));
  }
  Value* number = b.CreateLoad(b.getInt32Ty(), made.getArg(0));
  Type* number_type = b.getInt32Ty();
  FunctionCallee combination = module.getOrInsertFunction(
      whole != nullptr ? name_of(*whole) : StringRef(kmpc::reduce_nowait),
      FunctionType::get(
          number_type,
          {b.getPtrTy(), number_type, number_type, b.getInt64Ty(), b.getPtrTy(), b.getPtrTy(), b.getPtrTy()}, false));
  // Nobody takes that lock: a takt loop combines in another way.
  Value* lock = ConstantPointerNull::get(b.getPtrTy());
  Value* answer =
      b.CreateCall(combination, {whole != nullptr ? whole->getArgOperand(0) : loop.call->getArgOperand(0), number,
                                 b.getInt32(static_cast<unsigned>(all.size())), b.getInt64(all.size() * 8), list,
                                 combine, whole != nullptr ? whole->getArgOperand(6) : lock});
  BasicBlock* only = BasicBlock::Create(context, "", &made, end);
  SwitchInst* choice = b.CreateSwitch(answer, end, 1);
  choice->addCase(b.getInt32(1), only);
  done.getTerminator()->eraseFromParent();
  b.SetInsertPoint(only);
  b.SetCurrentDebugLocation(where);
  for (const loop_total& t : all) combine_into(*t.what, t.variable, t.copy);
  b.CreateBr(end);
}

/// A team of one combines its totals into the program's variables.
void splitter::drop_combination() {
  CallInst& reduce = *totals_.reduce;
  auto* list = cast<AllocaInst>(reduce.getArgOperand(4));
  SmallVector<BasicBlock*> choices;
  for (User* user : reduce.users()) choices.push_back(cast<SwitchInst>(user)->getParent());
  reduce.replaceAllUsesWith(ConstantInt::get(reduce.getType(), 1));
  reduce.eraseFromParent();
  for (BasicBlock* choice : choices) ConstantFoldTerminator(choice);
  // Nobody reads the list; left, it would make the totals known elsewhere.
  SmallVector<Instruction*> open{list};
  SetVector<Instruction*> dead;
  while (!open.empty()) {
    Instruction* at = open.pop_back_val();
    if (!dead.insert(at)) continue;
    for (User* user : at->users()) open.push_back(cast<Instruction>(user));
  }
  for (Instruction* instruction : reverse(dead)) {
    instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
    instruction->eraseFromParent();
  }
}

/// Makes an outlined function of a loop, and starts it where the loop was.
Function* splitter::outline(construct& loop, CallInst& fork) {
  LLVMContext& context = outlined_.getContext();
  // What the loop gets: the variables of the region by address, and what was computed before it.
  SetVector<Value*> given;
  for (BasicBlock* block : loop.blocks) {
    for (Instruction& instruction : *block) {
      auto* merge = dyn_cast<PHINode>(&instruction);
      for (Use& use : instruction.operands()) {
        Value* value = use.get();
        if (merge != nullptr && !loop.blocks.contains(merge->getIncomingBlock(use))) continue;
        if (auto* argument = dyn_cast<Argument>(value)) {
          if (argument->getArgNo() >= 2) given.insert(value);
        } else if (auto* before = dyn_cast<Instruction>(value);
                   before != nullptr && !loop.blocks.contains(before->getParent()) && !is_marker(instruction)) {
          auto* variable = dyn_cast<AllocaInst>(before);
          auto own = variable == nullptr ? own_.end() : own_.find({&loop, variable});
          if (own == own_.end() || own->second) given.insert(value);
        }
      }
    }
  }
  for (const total& t : totals_.all) {
    if (t.added_in.contains(&loop)) given.insert(t.copy);
  }
  SmallVector<Type*> types{outlined_.getArg(0)->getType(), outlined_.getArg(1)->getType()};
  for (Value* value : given) types.push_back(value->getType());
  Function* made = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                                    GlobalValue::InternalLinkage, outlined_.getName() + ".for", outlined_.getParent());
  ValueToValueMapTy copies;
  for (Argument& argument : outlined_.args()) copies[&argument] = PoisonValue::get(argument.getType());
  copies[outlined_.getArg(0)] = made->getArg(0);
  copies[outlined_.getArg(1)] = made->getArg(1);
  for (unsigned p = 0; p < given.size(); ++p) {
    if (isa<Argument>(given[p])) copies[given[p]] = made->getArg(p + 2);
  }
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(made, &outlined_, copies, CloneFunctionChangeType::LocalChangesOnly, returns);
  BasicBlock* entry = BasicBlock::Create(context, "", made, &made->getEntryBlock());
  IRBuilder<> b(entry);
  b.CreateBr(cast<BasicBlock>(copies[loop.first]));
  b.SetInsertPoint(entry->getTerminator());
  SmallVector<std::pair<AllocaInst*, AllocaInst*>> started_with;
  for (auto& [key, keeps] : own_) {
    if (key.first != &loop) continue;
    auto* variable = cast<AllocaInst>(copies[key.second]);
    variable->moveBefore(entry->getTerminator());
    if (keeps) started_with.emplace_back(key.second, variable);
  }
  SmallVector<loop_total> added;
  for (unsigned p = 0; p < given.size(); ++p) {
    Argument* parameter = made->getArg(p + 2);
    auto* variable = dyn_cast<AllocaInst>(given[p]);
    if (variable != nullptr) {
      AttrBuilder attributes(context);
      attributes.addAttribute(Attribute::NonNull);
      attributes.addAlignmentAttr(variable->getAlign());
      if (auto bytes = variable->getAllocationSize(layout_); bytes && !bytes->isScalable()) {
        attributes.addDereferenceableAttr(bytes->getFixedValue());
      }
      parameter->addAttrs(attributes);
    } else if (auto* load = dyn_cast<LoadInst>(given[p])) {
      // Captured by the region itself: as well known here as there.
      if (auto* argument = dyn_cast_or_null<Argument>(root_of(load)); argument != nullptr) {
        auto* slot = dyn_cast<AllocaInst>(load->getPointerOperand());
        if (slot != nullptr && only_store(*slot) != nullptr && only_store(*slot)->getValueOperand() == argument) {
          AttrBuilder known(context, outlined_.getAttributes().getParamAttrs(argument->getArgNo()));
          parameter->addAttrs(known);
        }
      }
    }
    auto reduced = std::find_if(totals_.all.begin(), totals_.all.end(),
                                [&](const total& t) { return t.copy == variable && t.added_in.contains(&loop); });
    if (reduced != totals_.all.end()) {
      auto* own = cast<AllocaInst>(copies[variable]);
      if (reduced->element == nullptr) {
        b.CreateStore(reduced->identity, own);
      } else {
        b.CreateMemSet(own, b.getInt8(0), own->getAllocationSize(layout_)->getFixedValue(), own->getAlign());
      }
      added.push_back({&*reduced, parameter, own});
      continue;
    }
    auto mine =
        std::find_if(started_with.begin(), started_with.end(), [&](auto& pair) { return pair.first == variable; });
    if (mine != started_with.end()) {
      b.CreateMemCpy(mine->second, mine->second->getAlign(), parameter, variable->getAlign(),
                     variable->getAllocationSize(layout_)->getFixedValue());
    } else if (isa<Instruction>(given[p])) {
      cast<Instruction>(copies[given[p]])->replaceAllUsesWith(parameter);
    }
  }
  BasicBlock* done = BasicBlock::Create(context, "", made);
  ReturnInst::Create(context, done);
  cast<BasicBlock>(copies[loop.behind])->replaceAllUsesWith(done);
  if (!added.empty()) {
    const Instruction* where = totals_.reduce != nullptr ? totals_.reduce : loop.call;
    add_to_totals(loop, added, *made, *done, cast<Instruction>(copies[where])->getDebugLoc());
  }
  EliminateUnreachableBlocks(*made);
  // Clang promises of dynamic schedules that no iteration touches what another one does. Of an array that a thread
  // keeps from one to the next that is not so, and LLVM would vectorise the loop: it loses what they add.
  const bool has_array = std::any_of(own_.begin(), own_.end(), [&](const auto& one) {
    return one.first.first == &loop && one.first.second->getAllocatedType()->isAggregateType();
  });
  if (has_array) {
    for (Instruction& each : instructions(*made)) each.setMetadata(LLVMContext::MD_access_group, nullptr);
  }
  for (Instruction& instruction : make_early_inc_range(instructions(*made))) {
    if (is_lifetime(instruction) && !isa<AllocaInst>(instruction.getOperand(1))) instruction.eraseFromParent();
  }

  BasicBlock* before = loop.first->getSinglePredecessor();
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  b.SetCurrentDebugLocation(loop.call->getDebugLoc());
  SmallVector<Value*> arguments{fork.getArgOperand(0), b.getInt32(static_cast<unsigned>(given.size())), made};
  arguments.append(given.begin(), given.end());
  b.CreateCall(fork.getFunctionType(), fork.getCalledOperand(), arguments);
  b.CreateBr(loop.behind);
  return made;
}

/// Variables that only a loop has have gone there.
void splitter::drop_variables_of_loops() {
  SetVector<AllocaInst*> gone;
  for (auto& [key, keeps] : own_) gone.insert(key.second);
  for (AllocaInst* variable : gone) {
    if (!std::all_of(variable->user_begin(), variable->user_end(), [](User* user) { return is_marker(*user); }))
      continue;
    for (User* user : make_early_inc_range(variable->users())) cast<Instruction>(user)->eraseFromParent();
    variable->eraseFromParent();
  }
}

bool splitter::is_cancelled(const construct& loop) {
  return loop.is_loop() && any_of(loop.blocks, [](BasicBlock* block) {
           return any_of(calls_in(*block), [](const CallBase* call) { return cancels_loop(*call); });
         });
}

bool splitter::makes_tasks(const construct& of) const {
  return any_of(of.blocks, [&](BasicBlock* block) {
    return any_of(calls_in(*block), [&](const CallBase* call) { return code_->may_make_tasks(*call); });
  });
}

/// A block that one thread runs.
CallInst* splitter::cut_out_once(construct& once) {
  if (!once.call->hasOneUse()) return nullptr;
  auto* test = cast<Instruction>(once.call->user_back());
  auto* choice = test->hasOneUse() ? cast<BranchInst>(test->user_back()) : nullptr;
  return choice == nullptr ? nullptr : cut_out(*choice->getSuccessor(0), *choice->getSuccessor(1), ".once");
}

std::vector<Function*> splitter::split(CallInst& fork) {
  cut();
  std::vector<Function*> loops;
  for (construct& c : constructs_) {
    if (!c.is_loop()) continue;
    write_outcomes_later(c);
    loops.push_back(outline(c, fork));
    if (code_ != nullptr && code_->reaches_tasks(*loops.back())) {
      pieces_.push_back({cut_out_iteration(*loops.back(), *code_), false, false});
    }
  }
  EliminateUnreachableBlocks(outlined_);
  // Before blocks are cut out: what only such a block has goes with it.
  drop_variables_of_loops();
  for (construct& c : constructs_) {
    if (!c.is_loop() && code_ != nullptr && makes_tasks(c)) pieces_.push_back({cut_out_once(c), true, false});
  }
  for (construct& c : constructs_) {
    if (c.is_loop()) continue;
    c.call->replaceAllUsesWith(ConstantInt::get(c.call->getType(), 1));
    c.call->eraseFromParent();
  }
  if (totals_.reduce != nullptr) drop_combination();
  EliminateUnreachableBlocks(outlined_);
  for (Instruction& instruction : make_early_inc_range(instructions(outlined_))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr) continue;
    const StringRef name = name_of(*call);
    if (is(name, trait::cancels)) {
      lower_cancel(*call, nullptr);
    } else if (is_dropped(name) || is_idle_wait(name) || ends_combination(name)) {
      call->eraseFromParent();
    }
  }
  return loops;
}

}  // namespace

bool has_loops(Function& outlined) {
  return any_of(calls_in(instructions(outlined)), [](const CallBase* call) { return starts_loop(name_of(*call)); });
}

bool may_be_split(Function& outlined) {
  unsigned loops = 0;
  bool more = false;
  for (auto* call : calls_in(instructions(outlined))) {
    const StringRef name = name_of(*call);
    loops += starts_loop(name);
    more |= starts_once(name) || is_dropped(name) || cancels(*call, takt::kmp::cancelled::region);
  }
  return loops > 1 || (loops == 1 && more);
}

namespace {

bool is_known(const site& where) {
  return !where.outlined->isDeclaration() && where.outlined->hasLocalLinkage() &&
         where.outlined->getNumUses() == (where.serial != nullptr ? 2 : 1);
}

refusal split(const site& where, team& made, const task_code* code, std::vector<task_piece>& pieces) {
  Function& outlined = *where.outlined;
  if (!is_known(where)) return reason::outlined_used;
  splitter region(outlined, code);
  refusal why = region.check(true);
  if (!why && code != nullptr) why = iterations_refusal(outlined);
  if (why) return why;
  const bool may_be_serial = where.serial != nullptr || threads_asked_for(where) != nullptr;
  if (may_be_serial) made.serial = clone_region(outlined);
  made.original = clone_region(outlined);
  made.loops = region.split(*where.fork);
  made.has_tasks = code != nullptr;
  pieces = region.pieces();
  if (may_be_serial) {
    splitter serial(*made.serial, code);
    if (serial.check(true)) report_fatal_error("takt: a copy of a region is not what the region is");
    std::vector<Function*> in_order = serial.split(*where.fork);
    Module& module = *outlined.getParent();
    for (Function* loop : in_order) {
      auto* fork = cast<CallInst>(*loop->user_begin());
      IRBuilder<> b(fork);
      Type* number = b.getInt32Ty();
      FunctionCallee push = module.getOrInsertFunction(
          kmpc::push_num_threads, FunctionType::get(b.getVoidTy(), {b.getPtrTy(), number, number}, false));
      b.CreateCall(push, {fork->getArgOperand(0), b.getInt32(0), b.getInt32(1)});
    }
    made.loops.insert(made.loops.end(), in_order.begin(), in_order.end());
    for (task_piece piece : serial.pieces()) {
      piece.serial = true;
      pieces.push_back(piece);
    }
    if (where.serial != nullptr) where.serial->setCalledFunction(made.serial);
  }
  return {};
}

}  // namespace

refusal check_region(const site& where) {
  return is_known(where) ? splitter(*where.outlined, nullptr).check(false) : reason::outlined_used;
}

refusal split_region(const site& where, team& made) {
  std::vector<task_piece> none;
  return split(where, made, nullptr, none);
}

refusal split_region_with_tasks(const site& where, team& made, const task_code& code,
                                    std::vector<task_piece>& pieces) {
  refusal why = split(where, made, &code, pieces);
  const bool is_known =
      std::all_of(pieces.begin(), pieces.end(), [](const task_piece& p) { return p.call != nullptr; });
  if (!is_known) pieces.clear();
  return !why && !is_known ? refusal(reason::task_construct_shape) : why;
}

void start_team(const site& where, const team& made, bool open) {
  CallInst& fork = *where.fork;
  Function* caller = fork.getFunction();
  IRBuilder<> b(&*caller->getEntryBlock().begin());
  // Nobody looks at the numbers of the thread.
  AllocaInst* number = b.CreateAlloca(b.getInt32Ty());
  b.CreateStore(b.getInt32(0), number);
  const auto call_instead = [&](Function& callee, Instruction& at) {
    SmallVector<Value*> arguments{number, number};
    arguments.append(fork.arg_begin() + 3, fork.arg_end());
    IRBuilder<> here(&at);
    here.SetCurrentDebugLocation(fork.getDebugLoc());
    here.CreateCall(&callee, arguments)->setDoesNotThrow();
  };
  Instruction* at = &fork;
  if (open) {
    const auto [converted, kept] = split_by_identity(where);
    kept->setArgOperand(2, made.original);
    at = converted;
  }
  Value* threads = threads_asked_for(where);
  if (threads == nullptr) {
    call_instead(*where.outlined, *at);
  } else {
    const auto [one, more] = split_by_threads(*threads, *at);
    call_instead(*made.serial, *one);
    call_instead(*where.outlined, *more);
  }
  fork.eraseFromParent();
  if (where.push_threads != nullptr && !open) where.push_threads->eraseFromParent();
  if (where.serial == nullptr) return;
  if (open) {
    where.serial->setCalledFunction(made.original);
  } else {
    where.serial->setArgOperand(0, number);
    where.serial->setArgOperand(1, number);
    where.serial_begin->eraseFromParent();
    where.serial_end->eraseFromParent();
  }
}

void erase_region(Function& outlined, team_map& teams) {
  if (!outlined.use_empty()) return;
  SetVector<Function*> inner;
  for (auto* call : calls_in(instructions(outlined))) {
    if (Function* started = started_by(*call)) inner.insert(started);
  }
  if (auto made = teams.find(&outlined); made != teams.end()) {
    if (made->second.original != nullptr) inner.insert(made->second.original);
    if (made->second.serial != nullptr) inner.insert(made->second.serial);
    teams.erase(made);
  }
  outlined.eraseFromParent();
  for (Function* function : inner) erase_region(*function, teams);
}

}  // namespace takt_plugin
