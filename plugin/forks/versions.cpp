#include "forks/versions.hpp"

#include "forks/frames.hpp"
#include "openmp/calls.hpp"
#include "openmp/region.hpp"
#include "reach/effects.hpp"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// Whether nobody can tell that it has run more often than the program says.
bool may_be_repeated(Instruction& instruction, effects_of_functions& all) {
  auto* call = dyn_cast<CallBase>(&instruction);
  if (call != nullptr && name_of(*call) == kmpc::global_thread_num) return true;
  effects own;
  all.add(instruction, own);
  return !own.unknown && own.written_arguments == 0;
}

/// Those before which something has run that must not run again.
block_set behind_effects(Function& function) {
  effects_of_functions all;
  block_set found;
  SmallVector<BasicBlock*> open;
  const auto add_next = [&](BasicBlock* block) {
    for (BasicBlock* next : successors(block)) {
      if (found.insert(next).second) open.push_back(next);
    }
  };
  for (BasicBlock& block : function) {
    if (!all_of(block, [&](Instruction& each) { return may_be_repeated(each, all); })) add_next(&block);
  }
  while (!open.empty()) add_next(open.pop_back_val());
  return found;
}

constexpr StringRef k_naming_directives[] = {".globl", ".global", ".set",   ".equ",
                                             ".equiv", ".comm",   ".lcomm", ".macro"};

/// Whether inline assembly defines a name of which a program, or a file of assembly, has one: `name:` at the start of a
/// statement, but not `1:` nor what has the number of its copy in it, or a directive that does.
bool defines_name(StringRef assembly) {
  SmallVector<StringRef> statements;
  for (StringRef rest = assembly; !rest.empty();) {
    const std::size_t end = rest.find_first_of("\n;");
    statements.push_back(rest.substr(0, end));
    rest = end == StringRef::npos ? StringRef() : rest.substr(end + 1);
  }
  for (StringRef statement : statements) {
    for (;;) {
      statement = statement.ltrim();
      const StringRef word =
          statement.take_until([](char c) { return !isAlnum(c) && c != '_' && c != '.' && c != '$'; });
      if (is_contained(k_naming_directives, word)) return true;
      if (word.empty() || !statement.drop_front(word.size()).ltrim().starts_with(":")) break;
      if (!all_of(word, isDigit)) return true;
      statement = statement.drop_front(word.size()).ltrim().drop_front();
    }
  }
  return false;
}

}  // namespace

block_set in_loops(Function& function) {
  block_set found;
  for (auto component = scc_begin(&function); !component.isAtEnd(); ++component) {
    if (component.hasCycle()) found.insert(component->begin(), component->end());
  }
  return found;
}

Instruction* place_of_question(Function& function, ArrayRef<CallBase*> forks) {
  const DominatorTree dominators(function);
  const block_set repeated = in_loops(function);
  BasicBlock* at = nullptr;
  for (CallBase* fork : forks) {
    BasicBlock* block = fork->getParent();
    if (!dominators.isReachableFromEntry(block)) continue;
    if (repeated.contains(block)) return nullptr;
    at = at == nullptr ? block : dominators.findNearestCommonDominator(at, block);
  }
  if (at == nullptr) return nullptr;
  const block_set late = behind_effects(function);
  BasicBlock& entry = function.getEntryBlock();
  while (at != &entry && (repeated.contains(at) || late.contains(at) || at->isEHPad())) {
    at = dominators.getNode(at)->getIDom()->getBlock();
  }
  return at == &entry ? &*entry.getFirstNonPHIOrDbgOrAlloca() : &*at->getFirstInsertionPt();
}

const char* why_not_copied(Function& function) {
  if (function.isVarArg()) return "its function has a variable number of arguments";
  if (function.callsFunctionThatReturnsTwice()) return "its function calls setjmp or its like";
  if (function.isPresplitCoroutine()) return "its function is a coroutine";
  if (any_of(function, [](const BasicBlock& block) {
        return block.hasAddressTaken() || isa<IndirectBrInst>(block.getTerminator()) ||
               isa<CallBrInst>(block.getTerminator());
      })) {
    return "its function has a computed goto";
  }
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr) continue;
    if (call->cannotDuplicate()) return "its function has a call that must not be copied";
    auto* assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
    if (assembly != nullptr && defines_name(assembly->getAsmString())) {
      return "its function has assembly with a name of its own";
    }
  }
  return nullptr;
}

bool may_be_put_in(Function& function) {
  return why_not_copied(function) == nullptr && isInlineViable(function).isSuccess();
}

bool is_of_same_target(const Function& callee, const Function& caller) {
  const auto is_same = [&](StringRef name) { return caller.getFnAttribute(name) == callee.getFnAttribute(name); };
  return is_same("target-cpu") && is_same("target-features") && AttributeFuncs::areInlineCompatible(caller, callee);
}

Function* called(const Instruction& instruction) {
  auto* call = dyn_cast<CallBase>(&instruction);
  return call == nullptr ? nullptr : call->getCalledFunction();
}

bool put_in(Function& function, function_ref<bool(Function&)> wanted) {
  struct inlined {
    const Function* callee;
    std::size_t around;
  };
  constexpr std::size_t k_none = ~std::size_t{0};
  SmallVector<inlined> history;
  SmallVector<std::pair<CallBase*, std::size_t>> open;
  const auto add = [&](Instruction& instruction, std::size_t around) {
    Function* callee = called(instruction);
    if (callee == nullptr || callee == &function || !wanted(*callee)) return;
    for (std::size_t at = around; at != k_none; at = history[at].around) {
      if (history[at].callee == callee) return;  // they contain each other
    }
    open.emplace_back(cast<CallBase>(&instruction), around);
  };
  for (Instruction& instruction : instructions(function)) add(instruction, k_none);
  while (!open.empty()) {
    const auto [call, around] = open.pop_back_val();
    Function* callee = call->getCalledFunction();
    InlineFunctionInfo info;
    if (!may_be_put_in(*callee) || !InlineFunction(*call, info, true).isSuccess()) continue;
    history.push_back({callee, around});
    const std::size_t here = history.size() - 1;
    for (CallBase* inner : info.InlinedCallSites) add(*inner, here);
  }
  return !history.empty();
}

void copy_body(Function& original, Function& made, ValueToValueMapTy& copies) {
  for (unsigned a = 0; a < original.arg_size(); ++a) {
    made.getArg(a)->setName(original.getArg(a)->getName());
    copies[original.getArg(a)] = made.getArg(a);
  }
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(&made, &original, copies, CloneFunctionChangeType::LocalChangesOnly, returns);
  made.setLinkage(GlobalValue::InternalLinkage);
  made.setVisibility(GlobalValue::DefaultVisibility);
  made.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  made.setComdat(nullptr);
  made.setDSOLocal(true);
}

void keep_apart(Function& pushing) {
  pushing.removeFnAttr(Attribute::AlwaysInline);
  pushing.addFnAttr(Attribute::NoInline);
}

void choose_version(Instruction& at, ArrayRef<Value*> bands, Function& other, const DebugLoc& where) {
  Function& function = *at.getFunction();
  LLVMContext& context = function.getContext();
  BasicBlock* here = at.getParent();
  for (BasicBlock::iterator next = at.getIterator(); next != here->end();) {
    // Of the frame of both ways.
    auto* variable = dyn_cast<AllocaInst>(&*next++);
    if (variable != nullptr && variable->isStaticAlloca()) variable->moveBefore(&at);
  }
  BasicBlock* next = SplitBlock(here, &at);
  BasicBlock* leave = BasicBlock::Create(context, "", &function, next);
  IRBuilder<> b(leave);
  b.SetCurrentDebugLocation(where);
  const AttributeList attributes = function.getAttributes();
  SmallVector<Value*> arguments;
  SmallVector<AttributeSet> of_arguments;
  for (Argument& argument : function.args()) {
    arguments.push_back(&argument);
    of_arguments.push_back(attributes.getParamAttrs(argument.getArgNo()));
  }
  CallInst* call = b.CreateCall(&other, arguments);
  call->setAttributes(AttributeList::get(context, {}, attributes.getRetAttrs(), of_arguments));
  call->setCallingConv(other.getCallingConv());
  if (call->getType()->isVoidTy()) {
    b.CreateRetVoid();
  } else {
    b.CreateRet(call);
  }
  here->getTerminator()->eraseFromParent();
  for (Value* band : bands) {
    BasicBlock* otherwise = band == bands.back() ? leave : BasicBlock::Create(context, "", &function, leave);
    b.SetInsertPoint(here);
    b.SetCurrentDebugLocation(where);
    b.CreateCondBr(is_in_free_band(b, band), next, otherwise, MDBuilder(context).createBranchWeights(2000, 1));
    here = otherwise;
  }
}

}  // namespace takt_plugin
