// Puts functions with constructs into regions. See "Constructs in functions" in README.md beside this file.
#include "teams/gathered.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "teams/teams.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <set>

namespace takt_plugin {

using namespace llvm;

namespace {

/// Instructions of a region with all that is put into it. A longer one stays as it is: for each of its loops all of it
/// is copied.
constexpr std::size_t k_longest_region = 60000;

/// Asks for the number of the thread.
bool is_question(const CallBase& call) { return name_of(call) == omp::get_thread_num; }

/// Where a region looks whether its thread is the first one.
struct first_thread {
  ICmpInst* test;
  BranchInst* choice;
  unsigned way;  ///< of `choice`, for that thread
};

SmallVector<BasicBlock*> blocks_of(BasicBlock* first, const DominatorTree& tree) {
  SmallVector<BasicBlock*> blocks;
  tree.getDescendants(first, blocks);
  return blocks;
}

/// Whether only what `choice` leads to in this way depends on it: no value that is used behind it, either.
bool is_aside(const BranchInst& choice, unsigned way, const DominatorTree& tree) {
  BasicBlock* first = choice.getSuccessor(way);
  BasicBlock* others = choice.getSuccessor(1 - way);
  if (first->getSinglePredecessor() == nullptr || isa<PHINode>(others->front())) return false;
  const SmallVector<BasicBlock*> blocks = blocks_of(first, tree);
  return !is_contained(blocks, others) && all_of(blocks, [&](BasicBlock* block) {
    return succ_size(block) != 0 && all_of(successors(block), [&](BasicBlock* next) {
             // Where an exception goes from a region, the program ends.
             return next == others || is_contained(blocks, next) || next->isEHPad();
           });
  });
}

/// The tests of the number of the thread that `call` asks for. @returns false: it is used for something else.
bool find_tests(CallInst& call, const DominatorTree& tree, SmallVectorImpl<first_thread>& tests) {
  SmallVector<Value*> numbers{&call};
  while (!numbers.empty()) {
    for (User* user : numbers.pop_back_val()->users()) {
      if (auto* store = dyn_cast<StoreInst>(user)) {
        auto* slot = dyn_cast<AllocaInst>(store->getPointerOperand());
        if (slot == nullptr || only_store(*slot) != store) return false;
        for (User* of_slot : slot->users()) {
          if (isa<LoadInst>(of_slot)) numbers.push_back(of_slot);
        }
        continue;
      }
      auto* test = dyn_cast<ICmpInst>(user);
      auto* zero = test == nullptr ? nullptr : dyn_cast<ConstantInt>(test->getOperand(1));
      auto* choice = zero == nullptr || !test->hasOneUse() ? nullptr : dyn_cast<BranchInst>(test->user_back());
      if (choice == nullptr || !zero->isZero() || !test->isEquality()) return false;
      const unsigned way = test->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1;
      if (!is_aside(*choice, way, tree)) return false;
      tests.push_back({test, choice, way});
    }
  }
  return true;
}

/// Whether iterations ask, which have numbers of their own: behind the start of the first loop, and not behind an end.
bool is_in_loop(const CallInst& call, const DominatorTree& tree) {
  bool begins = false;
  bool ends = false;
  for (auto* other : calls_in<const CallInst>(instructions(*call.getFunction()))) {
    if (!tree.dominates(other, &call)) continue;
    begins |= starts_loop(name_of(*other));
    ends |= ends_loop(name_of(*other));
  }
  return begins && !ends;
}

bool asks_for_first_thread(Function& region) {
  const DominatorTree tree(region);
  return any_of(calls_in<CallInst>(instructions(region)), [&](CallInst* call) {
    SmallVector<first_thread> tests;
    return is_question(*call) && !is_in_loop(*call, tree) && find_tests(*call, tree, tests);
  });
}

/// `if (omp_get_thread_num() == 0)` is a masked construct.
void mask_first_thread(Function& region) {
  SmallVector<CallInst*> calls;
  Value* where = nullptr;
  for (auto* call : calls_in<CallInst>(instructions(region))) {
    if (is_question(*call)) calls.push_back(call);
    if (is_kmpc(*call) && isa<Constant>(call->getArgOperand(0))) where = call->getArgOperand(0);
  }
  if (where == nullptr) return;
  for (CallInst* call : calls) {
    SmallVector<first_thread> tests;
    if (!find_tests(*call, DominatorTree(region), tests)) continue;
    for (first_thread& t : tests) {
      IRBuilder<> b(t.test);
      Type* number = b.getInt32Ty();
      const auto call_runtime = [&](StringRef name, Type* result, ArrayRef<Value*> more) {
        SmallVector<Value*> arguments{where, b.CreateLoad(number, region.getArg(0))};
        arguments.append(more.begin(), more.end());
        SmallVector<Type*> types;
        for (Value* argument : arguments) types.push_back(argument->getType());
        CallInst* made = b.CreateCall(
            region.getParent()->getOrInsertFunction(name, FunctionType::get(result, types, false)), arguments);
        made->setDoesNotThrow();
        return made;
      };
      CallInst* is_first = call_runtime(kmpc::masked, number, {b.getInt32(0)});
      t.choice->setCondition(b.CreateICmpNE(is_first, b.getInt32(0)));
      if (t.way == 1) t.choice->swapSuccessors();
      t.test->eraseFromParent();
      BasicBlock* others = t.choice->getSuccessor(1);
      const SmallVector<BasicBlock*> blocks = blocks_of(t.choice->getSuccessor(0), DominatorTree(region));
      const SmallVector<BasicBlock*> before(predecessors(others));
      for (BasicBlock* block : before) {
        if (!is_contained(blocks, block)) continue;
        BasicBlock* last = block->getSingleSuccessor() != nullptr ? block : SplitEdge(block, others);
        b.SetInsertPoint(last->getTerminator());
        call_runtime(kmpc::end_masked, b.getVoidTy(), {});
      }
    }
    // What is left of the number goes nowhere.
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
    call->eraseFromParent();
  }
}

/// Of a region.
bool is_outlined(Function& function) {
  return any_of(function.users(), [&](User* user) {
    auto* call = dyn_cast<CallBase>(user);
    return call != nullptr && started_by(*call) == &function;
  });
}

class gatherer {
 public:
  explicit gatherer(Module& module) : module_(module) {}

  bool any(function_ref<bool(Function&)> wanted) {
    return any_of(find_sites(module_), [&](const site& s) { return wanted(*s.outlined) && may_be_gathered(*s.outlined); });
  }

  std::set<const Function*> run(function_ref<bool(Function&)> wanted, function_ref<void(Function&)> done) {
    std::set<const Function*> all;
    // With a function, the regions in it are put into another one as copies.
    std::set<Function*> seen;
    for (bool again = true; again;) {
      again = false;
      for (const site& s : find_sites(module_)) {
        Function& region = *s.outlined;
        if (!seen.insert(&region).second || !wanted(region) || !may_be_gathered(region)) continue;
        gather(region);
        mask_first_thread(region);
        done(region);
        all.insert(&region);
        again = true;
      }
    }
    return all;
  }

 private:
  bool may_be_gathered(Function& region) {
    if (region.isDeclaration() || !region.hasLocalLinkage()) return false;
    std::size_t length = region.getInstructionCount();
    std::set<Function*> around{&region};
    return (!calls_in(region).empty() || asks_for_first_thread(region)) && fits(region, around, length);
  }

  /// The function of this file whose constructs belong to the team that runs `call`; null: there is none.
  Function* with_constructs(const CallBase& call) {
    Function* callee = call.getCalledFunction();
    const bool is_seen = callee != nullptr && !callee->isDeclaration() && !callee->isInterposable();
    return is_seen && !is_outlined(*callee) && has_constructs(*callee) ? callee : nullptr;
  }

  /// Whether `function`, or what it calls, has some.
  bool has_constructs(Function& function) {
    auto [known, is_new] = has_.try_emplace(&function, false);
    if (!is_new) return known->second;
    const bool has = any_of(takt_plugin::calls_in(instructions(function)), [this](const CallBase* call) {
      const StringRef name = name_of(*call);
      return starts_loop(name) || starts_once(name) || is_dropped(name) || with_constructs(*call) != nullptr;
    });
    return has_[&function] = has;
  }

  /// Whether all of them can be put into the region, and the regions in them be copied. `around`: the functions that
  /// are being looked at.
  bool fits(Function& function, std::set<Function*>& around, std::size_t& length) {
    for (CallBase* call : calls_in(function)) {
      Function& callee = *call->getCalledFunction();
      if (!may_be_put_into(callee, function) || !fits_with(callee, around, length)) return false;
      for (auto* start : takt_plugin::calls_in(instructions(callee))) {
        Function* inner = started_by(*start);
        if (inner != nullptr && !inner->isDeclaration() && !fits_with(*inner, around, length)) return false;
      }
    }
    return true;
  }
  bool fits_with(Function& more, std::set<Function*>& around, std::size_t& length) {
    length += more.getInstructionCount();
    if (length > k_longest_region || !around.insert(&more).second || !fits(more, around, length)) return false;
    around.erase(&more);
    return true;
  }

  static bool may_be_put_into(Function& callee, const Function& caller) {
    const auto is_same = [&](StringRef name) {
      return callee.getFnAttribute(name).getValueAsString() == caller.getFnAttribute(name).getValueAsString();
    };
    const bool throws_alike = !callee.hasPersonalityFn() || !caller.hasPersonalityFn() ||
                              callee.getPersonalityFn() == caller.getPersonalityFn();
    return !callee.isVarArg() && !callee.hasGC() && throws_alike && isInlineViable(callee).isSuccess() &&
           is_same("target-cpu") && is_same("target-features") && AttributeFuncs::areInlineCompatible(caller, callee);
  }

  SmallVector<CallBase*> calls_in(Function& function) {
    SmallVector<CallBase*> calls;
    for (auto* call : takt_plugin::calls_in(instructions(function))) {
      if (with_constructs(*call) != nullptr) calls.push_back(call);
    }
    return calls;
  }

  void gather(Function& region) {
    for (auto calls = calls_in(region); !calls.empty(); calls = calls_in(region)) {
      for (CallBase* call : calls) {
        // The regions in it are copied with it.
        Function* copy = clone_region(*call->getCalledFunction());
        for (auto* inner : takt_plugin::calls_in(instructions(*copy))) {
          // Where exceptions end in the region, a call that may throw would be given another form.
          if (is_kmpc(*inner) || is_question(*inner)) inner->setDoesNotThrow();
        }
        call->setCalledFunction(copy);
        InlineFunctionInfo info;
        InlineFunction(*call, info, true);
        copy->eraseFromParent();
      }
    }
    // The function asked for the number of its thread, which the region is told.
    for (Instruction& instruction : make_early_inc_range(instructions(region))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr || name_of(*call) != kmpc::global_thread_num) continue;
      IRBuilder<> b(call);
      call->replaceAllUsesWith(b.CreateLoad(call->getType(), region.getArg(0)));
      call->eraseFromParent();
    }
  }

  Module& module_;
  std::map<const Function*, bool> has_;
};

}  // namespace

bool may_gather_constructs(Module& module, function_ref<bool(Function&)> wanted) { return gatherer(module).any(wanted); }

std::set<const Function*> gather_constructs(Module& module, function_ref<bool(Function&)> wanted,
                                            function_ref<void(Function&)> done) {
  return gatherer(module).run(wanted, done);
}

}  // namespace takt_plugin
