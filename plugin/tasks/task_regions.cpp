// Conversion of regions with tasks. See "Tasks" in README.md beside this file.
#include "tasks/task_regions.hpp"

#include "forks/frames.hpp"
#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "openmp/constructs.hpp"
#include "openmp/pointers.hpp"
#include "openmp/region.hpp"
#include "reach/effects.hpp"
#include "reach/reach.hpp"
#include "tasks/quiet.hpp"
#include "tasks/task_copies.hpp"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

using namespace llvm;

namespace {

struct task_plan {
  site where;
  bool open = false;
};

class converter_of_tasks {
 public:
  converter_of_tasks(Module& module, const std::function<const TargetLibraryInfo&(Function&)>& libraries, bool optimise)
      : module_(module),
        libraries_(libraries),
        code_([&libraries](Function& callee, Function& caller) { return is_known_outside(callee, libraries(caller)); }),
        copies_(module, code_, optimise) {}

  task_regions run(const task_pieces& pieces, function_ref<bool(const Function&)> may_be_tried, bool tells);

 private:
  bool may_make_tasks(Function& outlined) const;
  refusal judge_region(const site& where, bool& open);
  refusal judge_code(Function& function, bool& open);
  void find_offers();
  void start(const task_plan& region);
  refusal judge_pieces(const std::vector<task_piece>& pieces);
  void start(const task_piece& piece);
  CallInst* run_once(IRBuilder<>& b, Function& code, ArrayRef<Value*> given, AllocaInst* record, bool serial);
  Function* make_runner(Function& code, StructType* environment, bool serial);
  void remark(const task_plan& region) const;

  Module& module_;
  const std::function<const TargetLibraryInfo&(Function&)>& libraries_;
  task_code code_;
  task_copies copies_;
  std::vector<task_plan> plans_;
  std::vector<task_piece> pieces_;
  std::set<const Function*> open_pieces_;
  std::vector<Function*> offers_;
  const std::vector<site> no_sites_;
  const block_set nothing_ignored_;
  const number_set no_numbers_;
};

/// Only single constructs and their like, and something in them that has to do with tasks.
bool converter_of_tasks::may_make_tasks(Function& outlined) const {
  bool once = false, outside = false;
  for (auto* call : calls_in(instructions(outlined))) {
    const StringRef name = name_of(*call);
    once |= starts_once(name);
    outside |= code_.is_outside(*call);
    if (starts_loop(name)) return false;
  }
  return once && (outside || code_.reaches_tasks(outlined));
}

refusal converter_of_tasks::judge_code(Function& function, bool& open) {
  refusal why = code_.look_at(function);
  if (why) return why;
  reach_analysis reach(
      *function.getParent(), no_sites_, nothing_ignored_, no_numbers_, [](const CallInst&) { return true; }, libraries_);
  const reached found = reach.with_tasks(function);
  open = found.open;
  return found.why;
}

/// Whether all that code beside `once` does with a private copy is what Clang does: it makes it, and puts it into
/// `lists`. Whatever else each thread would do to its own, and a team of one only once.
class copy_check {
 public:
  copy_check(const AllocaInst& copy, const block_set& once, const SmallPtrSetImpl<const Value*>& lists)
      : copy_(copy), once_(once), lists_(lists), left_(is_complex(copy.getAllocatedType()) ? 2 : 1) {}

  bool is_left_alone() {
    follow(copy_);
    while (!open_.empty()) {
      for (const Use& use : open_.pop_back_val()->uses()) {
        if (!is_harmless(use)) return false;
      }
    }
    return true;
  }

 private:
  static bool is_complex(const Type* type) {
    while (type->isArrayTy()) type = type->getArrayElementType();
    auto* pair = dyn_cast<StructType>(type);
    return pair != nullptr && pair->isLiteral();
  }

  void follow(const Value& pointer) {
    if (seen_.insert(&pointer).second) open_.push_back(&pointer);
  }

  bool is_harmless(const Use& use) {
    auto* user = cast<Instruction>(use.getUser());
    if (isa<GetElementPtrInst>(user) || isa<PHINode>(user)) {
      follow(*user);
      return true;
    }
    if (is_marker(*user) || isa<ICmpInst>(user) || once_.contains(user->getParent())) return true;
    if (auto* store = dyn_cast<StoreInst>(user)) {
      if (use.getOperandNo() == 0)
        return lists_.contains(store->getPointerOperand()->stripInBoundsOffsets()) || is_in_variable(*store);
      return store->isSimple() && sets_whole(*store) && makes(1);
    }
    auto* call = dyn_cast<CallBase>(user);
    if (call == nullptr || !call->isArgOperand(&use) || call->getArgOperandNo(&use) != 0) return false;
    if (auto* copied = dyn_cast<MemCpyInst>(call)) {
      return isa<GlobalVariable>(copied->getSource()) && copied->getSource()->getName().starts_with(".init") &&
             makes(2);
    }
    if (name_of(*call).starts_with(".omp_initializer.")) return makes(2);
    return call->arg_size() == 1 && makes_private_copy(*call) &&
           (name_of(*call).ends_with("D1Ev") || name_of(*call).ends_with("D2Ev") || makes(2));
  }

  /// Clang makes a copy once. A complex number is made of two parts.
  bool makes(unsigned parts) {
    if (left_ == 0) return false;
    left_ -= std::min(parts, left_);
    return true;
  }

  /// A scalar, a part of a complex number, or the elements of an array in turn.
  bool sets_whole(const StoreInst& store) const {
    const Value* to = store.getPointerOperand();
    Type* const type = copy_.getAllocatedType();
    if (to == &copy_) {
      const bool is_first = type->isStructTy() && is_complex(type);
      Type* const set = is_first ? type->getStructElementType(0) : type;
      return !copy_.isArrayAllocation() && store.getValueOperand()->getType() == set;
    }
    if (auto* part = dyn_cast<GetElementPtrInst>(to)) {
      if (!is_complex(part->getSourceElementType())) return false;
      to = part->getPointerOperand();
      if (to == &copy_) return true;
    }
    auto* walk = dyn_cast<PHINode>(to);
    return walk != nullptr && any_of(walk->incoming_values(), [&](const Value* from) {
             auto* step = dyn_cast<GetElementPtrInst>(from);
             return step != nullptr && step->getPointerOperand() == walk;
           });
  }

  /// The address in a variable of its own: who reads it is looked at, too.
  bool is_in_variable(const StoreInst& store) {
    auto* slot = dyn_cast<AllocaInst>(store.getPointerOperand());
    if (slot == nullptr) return false;
    for (const User* user : slot->users()) {
      auto* at = cast<Instruction>(user);
      if (at == &store || is_marker(*at) || once_.contains(at->getParent())) continue;
      if (!isa<LoadInst>(at)) return false;
      follow(*at);
    }
    return true;
  }

  const AllocaInst& copy_;
  const block_set& once_;
  const SmallPtrSetImpl<const Value*>& lists_;
  unsigned left_;  // parts that are still to be made
  SmallPtrSet<const Value*, 16> seen_;
  SmallVector<const Value*> open_;
};

/// Whether code beside `once`, which one thread runs, leaves alone what is reduced over the region.
bool leaves_reduced_alone(Function& outlined, const block_set& once) {
  SmallPtrSet<const Value*, 4> combined, lists;
  for (auto* call : calls_in(instructions(outlined))) {
    const StringRef name = name_of(*call);
    if (asks_to_combine(name)) combined.insert(call->getArgOperand(4)->stripInBoundsOffsets());
    if (begins_modifier(name)) lists.insert(call->getArgOperand(call->arg_size() - 1)->stripInBoundsOffsets());
  }
  lists.insert(combined.begin(), combined.end());
  for (Instruction& instruction : instructions(outlined)) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (store == nullptr || !combined.contains(store->getPointerOperand()->stripInBoundsOffsets())) continue;
    Value* listed = store->getValueOperand();
    // The number of elements of the one before.
    if (isa<IntToPtrInst>(listed)) continue;
    auto* copy = dyn_cast_or_null<AllocaInst>(root_of(listed));
    if (copy == nullptr || !copy_check(*copy, once, lists).is_left_alone()) return false;
  }
  return true;
}

refusal converter_of_tasks::judge_region(const site& where, bool& open) {
  Function& outlined = *where.outlined;
  block_set once;
  const DominatorTree tree(outlined);
  SmallVector<LoadInst*> numbers;
  if (!find_numbers(outlined, numbers)) return reason::thread_number;
  for (auto* call : calls_in(instructions(outlined))) {
    if (!is_kmpc(*call)) continue;
    const StringRef name = name_of(*call);
    // A team of one combines for itself.
    if (asks_to_combine(name)) collect_combination(*call, tree, once);
    if (!starts_once(name)) {
      const bool belongs = is_dropped(name) || combines(name) || is_task_call(name) || is_lock_or_fence(name) ||
                           cancels(*call, takt::kmp::cancelled::region) || name == kmpc::global_thread_num ||
                           name == kmpc::fork_call;
      if (!belongs) return (is(name, trait::cancels) ? refusal_for(name) : task_refusal_for(name)).at(*call);
      continue;
    }
    if (is_for_another(*call)) return reason::masked_for_another;
    refusal why = collect_once(*call, tree, once);
    if (why) return why;
  }
  effects_of_functions known;
  effects all;
  for (BasicBlock& block : outlined) {
    if (once.contains(&block) || isa<UnreachableInst>(block.getTerminator())) continue;
    for (Instruction& instruction : block) {
      auto* call = dyn_cast<CallBase>(&instruction);
      const StringRef name = call == nullptr ? StringRef() : name_of(*call);
      // A group of each thread.
      const bool is_group = begins_modifier(name) || ends_modifier(name);
      if (is_task_call(name) && !is_group) return reason::each_makes_tasks;
      if (call != nullptr && (is_kmpc(*call) || makes_private_copy(*call))) continue;
      // Of what is reduced over the region: each thread runs it, however many there are.
      if (name.starts_with(".omp_initializer.") && isa_and_nonnull<AllocaInst>(root_of(call->getArgOperand(0))))
        continue;
      known.add(instruction, all);
      if (all.unknown || all.written_arguments != 0) return reason::effects_beside_single;
    }
  }
  if (!leaves_reduced_alone(outlined, once)) return reason::total_beside_single;
  return judge_code(outlined, open);
}

/// Functions with tasks that other files may call.
void converter_of_tasks::find_offers() {
  for (Function& function : module_) {
    const bool is_public = !function.isDeclaration() && !function.hasLocalLinkage() && !function.isInterposable() &&
                           !function.hasAvailableExternallyLinkage() && !function.isVarArg();
    if (!is_public || function.getName() == "main" || !code_.reaches_tasks(function)) continue;
    bool open = false;
    if (!judge_code(function, open)) offers_.push_back(&function);
  }
}

/// A function that takes what the region's function gets from a record, and calls its copy.
Function* converter_of_tasks::make_runner(Function& code, StructType* environment, bool serial) {
  LLVMContext& context = module_.getContext();
  IRBuilder<> b(context);
  Function* made = Function::Create(FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                                    GlobalValue::InternalLinkage, code.getName() + ".takt_run", module_);
  made->setDoesNotThrow();
  if (code.hasUWTable()) made->setUWTableKind(code.getUWTableKind());
  b.SetInsertPoint(BasicBlock::Create(context, "", made));
  SmallVector<Value*> arguments;
  if (code.arg_size() != environment->getNumElements()) {
    // Nobody looks at the numbers of the thread.
    AllocaInst* number = b.CreateAlloca(b.getInt32Ty());
    b.CreateStore(b.getInt32(0), number);
    arguments = {number, number};
  }
  for (unsigned i = 0; i < environment->getNumElements(); ++i) {
    Value* member = b.CreateStructGEP(environment, made->getArg(0), i);
    arguments.push_back(b.CreateLoad(environment->getElementType(i), member));
  }
  b.CreateCall(copies_.copy_of(code, serial ? task_way::serial : task_way::whole), arguments)->setDoesNotThrow();
  b.CreateRetVoid();
  return made;
}

/// Calls the copy of `code` in a parallel call, with what the record then has.
CallInst* converter_of_tasks::run_once(IRBuilder<>& b, Function& code, ArrayRef<Value*> given, AllocaInst* record,
                                       bool serial) {
  auto* environment = cast<StructType>(record->getAllocatedType());
  for (unsigned i = 0; i < given.size(); ++i) b.CreateStore(given[i], b.CreateStructGEP(environment, record, i));
  FunctionCallee run = copies_.runtime("takt_omp_run_tasks", b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()});
  return b.CreateCall(run, {make_runner(code, environment, serial), record});
}

static AllocaInst* make_record(CallInst& at, ArrayRef<Value*> given) {
  SmallVector<Type*> types;
  for (Value* value : given) types.push_back(value->getType());
  IRBuilder<> variables(&*at.getFunction()->getEntryBlock().begin());
  return variables.CreateAlloca(StructType::get(at.getContext(), types));
}

void converter_of_tasks::start(const task_plan& region) {
  CallInst& fork = *region.where.fork;
  const SmallVector<Value*> given(fork.arg_begin() + 3, fork.arg_end());
  AllocaInst* record = make_record(fork, given);
  const auto run_at = [&](Instruction& at, bool serial) {
    IRBuilder<> b(&at);
    b.SetCurrentDebugLocation(fork.getDebugLoc());
    run_once(b, *region.where.outlined, given, record, serial);
  };
  Instruction* at = &fork;
  if (region.open) {
    const auto [converted, kept] = split_by_identity(region.where);
    mark_kept(*kept);
    at = converted;
  }
  if (Value* threads = threads_asked_for(region.where)) {
    const auto [one, more] = split_by_threads(*threads, *at);
    run_at(*one, true);
    run_at(*more, false);
  } else {
    run_at(*at, false);
  }
  if (region.where.serial != nullptr && !region.open) {
    // A team of one: tasks run where they are made.
    run_at(*region.where.serial, true);
    for (CallInst* gone : {region.where.serial, region.where.serial_begin, region.where.serial_end}) {
      gone->eraseFromParent();
    }
  }
  if (region.where.push_threads != nullptr && !region.open) region.where.push_threads->eraseFromParent();
  fork.eraseFromParent();
}

refusal converter_of_tasks::judge_pieces(const std::vector<task_piece>& pieces) {
  for (const task_piece& piece : pieces) {
    bool open = false;
    refusal why = judge_code(*piece.code(), open);
    if (why) return why;
    if (open) open_pieces_.insert(piece.code());
  }
  return {};
}

/// A slice or a task runs here already, and comes by its iterations; a block that one thread runs has the worker still
/// to come.
void converter_of_tasks::start(const task_piece& piece) {
  CallInst* call = piece.call;
  Function* code = piece.code();
  CallInst* made = call;
  if (piece.once) {
    copies_.is_region(*code);
    const SmallVector<Value*> given(call->args());
    AllocaInst* record = make_record(*call, given);
    IRBuilder<> b(call);
    made = run_once(b, *code, given, record, piece.serial);
    call->eraseFromParent();
  } else {
    copies_.is_root(*code);
    call->setCalledFunction(copies_.copy_of(*code, piece.serial ? task_way::serial : task_way::whole));
  }
  mark_tasks(*made, open_pieces_.count(code) != 0);
}

void converter_of_tasks::remark(const task_plan& region) const {
  OptimizationRemarkEmitter emitter(region.where.fork->getFunction());
  emitter.emit([&] {
    OptimizationRemark remark("takt", "Converted", region.where.fork);
    remark << "the parallel region runs as a call; its tasks became latent frames";
    if (code_.reaches_dependences(*region.where.outlined)) {
      remark << "; a task whose depend clause sets it behind another one waits for all that were made before";
    }
    if (region.where.push_threads != nullptr) remark << "; num_threads is ignored unless it is 1";
    if (region.open) {
      remark << "; it calls code of other files, and stays with the OpenMP runtime if such code looks at the number of "
                "its thread";
    }
    return remark;
  });
}

task_regions converter_of_tasks::run(const task_pieces& pieces, function_ref<bool(const Function&)> may_be_tried,
                                     bool tells) {
  task_regions result;
  if (!has_latent_frames(module_)) return result;
  offer_quiet(module_, code_);
  for (auto& [outlined, all] : pieces) {
    refusal why = judge_pieces(all);
    if (!why) {
      pieces_.insert(pieces_.end(), all.begin(), all.end());
    } else {
      result.left[outlined] = why;
    }
  }
  for (const site& where : find_sites(module_)) {
    if (where.outlined->isDeclaration() || !may_be_tried(*where.outlined) || !may_make_tasks(*where.outlined)) continue;
    task_plan plan{where};
    refusal why = judge_region(where, plan.open);
    if (!why) {
      plans_.push_back(plan);
    } else {
      result.left[where.outlined] = why;
    }
  }
  find_offers();
  if (plans_.empty() && pieces_.empty() && offers_.empty()) return result;
  code_.settle();
  SmallVector<Function*> cut;
  for (const task_piece& piece : pieces_) {
    cut.push_back(piece.code());
    start(piece);
  }
  for (const task_plan& region : plans_) {
    if (tells) remark(region);
    copies_.is_region(*region.where.outlined);
    start(region);
  }
  for (Function* function : offers_) {
    // Other files could not say in which group it is called, nor know that it is cancelled.
    if (!code_.facts(*function).needs_group && !cancels_groups(module_)) copies_.offer(*function);
  }
  copies_.finish();
  // Without optimisation, nobody else would.
  for (Function* code : cut) {
    if (code->use_empty()) code->eraseFromParent();
  }
  result.with_locks = copies_.with_locks();
  result.changed = true;
  return result;
}

}  // namespace

task_regions convert_task_regions(Module& module, const std::function<const TargetLibraryInfo&(Function&)>& libraries,
                                  bool optimise, const task_pieces& pieces,
                                  function_ref<bool(const Function&)> may_be_tried, bool tells) {
  return converter_of_tasks(module, libraries, optimise).run(pieces, may_be_tried, tells);
}

}  // namespace takt_plugin
