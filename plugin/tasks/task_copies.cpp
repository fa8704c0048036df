// Copying of functions with task constructs. See "Tasks" in README.md beside this file.
#include "tasks/task_copies.hpp"

#include "forks/frames.hpp"
#include "forks/versions.hpp"
#include "openmp/cancellation.hpp"
#include "tasks/task_records.hpp"
#include "tasks/task_reductions.hpp"
#include "tasks/task_rewriter.hpp"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace takt_plugin {

using namespace llvm;

/// The parts of an untied task, one after another.
static void join_parts(Function& made) {
  SmallVector<task_part> parts;
  find_parts(made, parts);
  for (const task_part& part : parts) {
    auto* end = cast<BranchInst>(part.yield->getNextNode());
    end->getSuccessor(0)->removePredecessor(end->getParent());
    end->setSuccessor(0, part.next);
    part.number->eraseFromParent();
    part.yield->replaceAllUsesWith(PoisonValue::get(part.yield->getType()));
    part.yield->eraseFromParent();
  }
}

task_copies::task_copies(Module& module, const task_code& code, bool optimise)
    : module_(module),
      context_(module.getContext()),
      code_(code),
      optimise_(optimise),
      cancels_(cancels_groups(module)) {}

/// A task whose group is cancelled ends as it begins.
void task_copies::ask_before(Function& entry) {
  BasicBlock& first = entry.getEntryBlock();
  Instruction* begin = &*first.getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> b(begin);
  Value* answer = b.CreateCall(runtime("takt_omp_group_is_cancelled", b.getInt32Ty(), {}));
  Instruction* over = SplitBlockAndInsertIfThen(b.CreateICmpNE(answer, b.getInt32(0)), begin, true);
  ReturnInst::Create(context_, ConstantInt::get(entry.getReturnType(), 0), over);
  over->eraseFromParent();
}

FunctionCallee task_copies::runtime(StringRef name, Type* result, ArrayRef<Type*> parameters) {
  return runtime_function(module_, name, result, parameters);
}

Function* task_copies::copy_of(Function& function, task_way way) {
  const task_facts& facts = code_.facts(function);
  if (!facts.needs_copy) return &function;
  if (way == task_way::plain && !facts.leaks) way = task_way::whole;
  Function*& made = made_[{&function, way}];
  if (made != nullptr) return made;
  SmallVector<Type*> types(function.getFunctionType()->params());
  if (takes_group(function)) types.push_back(PointerType::getUnqual(context_));
  if (way == task_way::under) types.push_back(PointerType::getUnqual(context_));
  const char* const suffix = way == task_way::serial  ? ".takt_serial"
                             : way == task_way::under ? ".takt_under"
                                                      : ".takt";
  made = Function::Create(FunctionType::get(function.getReturnType(), types, function.isVarArg()),
                          GlobalValue::InternalLinkage, function.getName() + suffix, module_);
  const bool asks = optimise_ && (way == task_way::whole || way == task_way::plain) && !function.isVarArg() &&
                    regions_.count(&function) == 0;
  open_.push_back({&function, way, made, asks ? version::asking : version::only});
  return made;
}

bool task_copies::takes_group(Function& function) const {
  return code_.facts(function).needs_group && !code_.is_entry(function) && roots_.count(&function) == 0;
}

Value* task_copies::group_around(const wanted& copy, IRBuilder<>& b) const {
  Function& original = *copy.original;
  if (takes_group(original)) return copy.made->getArg(static_cast<unsigned>(original.arg_size()));
  if (!code_.is_entry(original)) return ConstantPointerNull::get(b.getPtrTy());
  return b.CreateLoad(b.getPtrTy(), at_offset(b, copy.made->getArg(1), k_task_group));
}

Function* task_copies::pushing_version(const wanted& copy) {
  Function* made = Function::Create(copy.made->getFunctionType(), GlobalValue::InternalLinkage,
                                    copy.original->getName() + k_pushing, module_);
  open_.push_back({copy.original, copy.way, made, version::pushing});
  return made;
}

GlobalVariable* task_copies::site_of(const Function& original) {
  GlobalVariable*& made = sites_[&original];
  if (made == nullptr) made = new_site(module_, original.getName() + ".takt_site");
  return made;
}

void task_copies::finish() {
  while (!open_.empty()) {
    const wanted next = open_.back();
    open_.pop_back();
    ValueToValueMapTy copies;
    copy_body(*next.original, *next.made, copies);
    // An entry calls what makes the task again.
    for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoRecurse, Attribute::WillReturn, Attribute::NoSync,
                                     Attribute::NoFree, Attribute::Speculatable}) {
      next.made->removeFnAttr(kind);
    }
    if (next.version == version::pushing) keep_apart(*next.made);
    join_parts(*next.made);
    AllocaInst* group = nullptr;
    if (code_.facts(*next.original).needs_group) {
      IRBuilder<> b(&*next.made->getEntryBlock().begin());
      group = b.CreateAlloca(b.getPtrTy());
      b.SetInsertPoint(&*next.made->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      b.CreateStore(group_around(next, b), group);
    }
    const SmallVector<AllocaInst*> groups = convert_reductions(*next.made, *this, group);
    task_rewriter(*this, next, group, groups).run(copies);
    if (cancels_ && code_.is_entry(*next.original)) ask_before(*next.made);
    if (may_spare_copies(*next.original)) spare_copies(*next.made);
  }
  for (auto& [original, copy] : offered_) {
    const std::string name = (original->getName() + k_task_copy).str();
    if (Function* declared = module_.getFunction(name)) {
      declared->replaceAllUsesWith(copy);
      declared->eraseFromParent();
    }
    copy->setName(name);
    copy->setLinkage(original->getLinkage());
    copy->setVisibility(original->getVisibility());
    copy->setDSOLocal(original->isDSOLocal());
    if (original->hasComdat()) {
      Comdat* own = module_.getOrInsertComdat(name);
      own->setSelectionKind(original->getComdat()->getSelectionKind());
      copy->setComdat(own);
    }
  }
  offered_.clear();
}

void task_copies::offer(Function& function) { offered_.emplace_back(&function, copy_of(function, task_way::whole)); }

Function* task_copies::runner(Function& entry, const task_site& task, bool in_slot, std::uint32_t number) {
  Function*& made = runners_[{&entry, number}];
  if (made != nullptr) return made;
  IRBuilder<> b(context_);
  made = Function::Create(FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false), GlobalValue::InternalLinkage,
                          entry.getName() + (number == 0 ? ".run" : ".run_here"), module_);
  made->setDoesNotThrow();
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu", "probe-stack", "frame-pointer"}) {
    const Attribute same = task.entry->getFnAttribute(name);
    if (same.isValid()) made->addFnAttr(same);
  }
  if (task.entry->hasUWTable()) made->setUWTableKind(task.entry->getUWTableKind());
  Value* slot = made->getArg(0);
  b.SetInsertPoint(BasicBlock::Create(context_, "", made));
  if (in_slot) {
    b.CreateRetVoid();
    auto [record, shareds] = make_record(*made, task);
    b.SetInsertPoint(made->getEntryBlock().getTerminator());
    move_captures(b, task, record, shareds, slot, false);
    b.CreateStore(shareds, record);
    b.CreateStore(b.getInt32(0), at_offset(b, record, offsetof(takt::kmp::task, part)));
    b.CreateCall(&entry, {b.getInt32(number), record})->setDoesNotThrow();
    return made;
  }
  Value* record = b.CreateLoad(b.getPtrTy(), at_offset(b, slot, k_slot_payload));
  b.CreateCall(&entry, {b.getInt32(number), record})->setDoesNotThrow();
  finish_record(b, *this, task, record, false);
  b.CreateRetVoid();
  return made;
}

}  // namespace takt_plugin
