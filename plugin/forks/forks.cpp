#include "forks/forks.hpp"

#include "forks/frames.hpp"
#include "forks/versions.hpp"
#include "openmp/region.hpp"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <takt/abi.hpp>

namespace takt_plugin {

using namespace llvm;

namespace {

// A function with more sites than these is left as it is: each costs five instructions where nothing is free, and one
// that is not asked for may be the one that is timed.
constexpr std::size_t k_most_sites = 4;

/// The name of a function of takt::detail, in any variant of the library, as it is mangled; else empty.
StringRef name_in_library(const Function& function) {
  StringRef rest = function.getName();
  if (!rest.consume_front("_ZN4takt")) return {};
  if (rest.consume_front("6detail")) return rest;
  // An inline namespace.
  std::size_t length = 0;
  if (rest.consumeInteger(10, length) || length > rest.size()) return {};
  rest = rest.drop_front(length);
  return rest.consume_front("6detail") ? rest : StringRef();
}

// The functions of takt/detail/fork.hpp and hot.hpp that are known here.
bool is_fork(const Function& function) {
  const StringRef name = name_in_library(function);
  return !function.isDeclaration() &&
         (name.starts_with("13fork_in_placeI") || name.starts_with("17fork_in_own_frameI"));
}
bool is_question(const Function& function) { return name_in_library(function).starts_with("12in_free_bandE"); }

/// Calls a branch.
bool is_call_of_branch(const Function& function) { return name_in_library(function).starts_with("4callI"); }

/// Calls as a branch what forks the rest of three branches or more: by reference, if there is much of it.
bool is_call_of_rest(const Function& function) {
  StringRef name = name_in_library(function);
  const auto skip_namespace = [&] { name = name.drop_until([](char c) { return c == '_'; }); };
  if (!name.consume_front("4callI")) return false;
  if (name.consume_front("NS")) {
    skip_namespace();
    if (!name.consume_front("_18callable_referenceI")) return false;
  }
  if (!name.consume_front("ZNS")) return false;
  skip_namespace();
  return name.starts_with("_8fork_allI") || name.starts_with("_13fork_all_voidI") ||
         name.starts_with("_11fork_hintedI");
}

/// Runs forks off the usual way.
bool is_aside(const Function& function) {
  if (function.hasOptNone() || function.hasFnAttribute(Attribute::Naked)) return true;
  const StringRef name = name_in_library(function);
  return any_of(ArrayRef<StringRef>{"9run_rightI", "11fork_polledI", "11fork_sayingI", "12call_plainlyI",
                                    "12finish_rightI", "12fork_enteredI", "13join_promotedI", "14outermost_forkI"},
                [&](StringRef aside) { return name.starts_with(aside); });
}

bool is_in_library(const DILocation& place) {
  const StringRef file = place.getFilename();
  return file.contains("/c++/") || file.contains("takt/detail/") || file.ends_with("takt/fork_join.hpp");
}

/// Where the program has what is inlined as `instruction`: as far outwards as there is code that is not of a library.
/// Else where the library has it.
DebugLoc place_in_program(const Instruction& instruction) {
  const DILocation* found = instruction.getDebugLoc().get();
  for (const DILocation* at = found; at != nullptr; at = at->getInlinedAt()) {
    if (!is_in_library(*at)) found = at;
  }
  return found;
}

class library_forks {
 public:
  explicit library_forks(Module& module) : module_(module) {}

  bool run() {
    if (!are_asked_for()) return false;
    find_containers();
    find_recursive();
    bool changed = false;
    SmallVector<Function*> all;
    for (Function& function : module_) {
      if (contains_.contains(&function) && !leads_to_fork(function) && !is_aside(function)) all.push_back(&function);
    }
    for (Function* function : all) changed |= convert(*function);
    return changed;
  }

 private:
  /// Whether there are forks, of the form in which they ask.
  bool are_asked_for() const {
    return any_of(module_, [](Function& function) {
      return is_question(function) && any_of(instructions(function), [](Instruction& instruction) {
               auto* call = dyn_cast<CallBase>(&instruction);
               return call != nullptr && call->isInlineAsm();
             });
    });
  }

  /// Whether the forks in it are those of its callers: it is inlined in any case, or has one caller. A branch is not:
  /// its forks may stand in a loop. (Before anything is changed.)
  static bool is_inlined(Function& function) {
    if (function.isDeclaration() || !may_be_put_in(function)) return false;
    if (is_call_of_branch(function)) return is_call_of_rest(function);
    if (function.hasFnAttribute(Attribute::AlwaysInline)) return true;
    if (!function.hasLocalLinkage() && !function.hasLinkOnceLinkage()) return false;
    if (function.hasFnAttribute(Attribute::NoInline) || function.hasOptNone() || !function.hasOneUse()) return false;
    auto* call = dyn_cast<CallBase>(*function.user_begin());
    if (call == nullptr || call->getCalledOperand() != &function || call->getFunction() == &function) return false;
    return is_of_same_target(function, *call->getFunction());
  }

  /// Whether a call of it is where a fork stands.
  bool leads_to_fork(const Function& function) const { return is_fork(function) || inlined_.contains(&function); }

  void find_containers() {
    SmallVector<Function*> open;
    for (Function& function : module_) {
      // What is inlined has more callers then, or none.
      if (is_inlined(function) && !is_fork(function) && !is_aside(function)) inlined_.insert(&function);
      if (!is_fork(function)) continue;
      contains_.insert(&function);
      open.push_back(&function);
    }
    while (!open.empty()) {
      Function* next = open.pop_back_val();
      for (User* user : next->users()) {
        auto* call = dyn_cast<CallBase>(user);
        if (call == nullptr || call->getCalledOperand() != next) continue;
        Function* around = call->getFunction();
        if (!contains_.insert(around).second) continue;
        if (leads_to_fork(*around)) open.push_back(around);
      }
    }
  }

  void find_recursive() {
    CallGraph calls(module_);
    for (auto at = scc_begin(&calls); !at.isAtEnd(); ++at) {
      if (!at.hasCycle()) continue;
      for (CallGraphNode* node : *at) recursive_.insert(node->getFunction());
    }
  }

  static SmallVector<CallBase*> forks_in(Function& function) {
    SmallVector<CallBase*> found;
    for (Instruction& instruction : instructions(function)) {
      Function* callee = called(instruction);
      if (callee != nullptr && is_fork(*callee)) found.push_back(cast<CallBase>(&instruction));
    }
    return found;
  }

  /// What the fork asks for.
  static Constant* site_of(Function& fork) {
    for (Instruction& instruction : instructions(fork)) {
      Function* callee = called(instruction);
      if (callee == nullptr) continue;
      if (is_question(*callee)) return dyn_cast<Constant>(cast<CallBase>(instruction).getArgOperand(0));
      if (is_fork(*callee)) return site_of(*callee);
    }
    return nullptr;
  }

  bool convert(Function& function) {
    if (!recursive_.contains(&function)) {
      for (Instruction& instruction : instructions(function)) {
        Function* callee = called(instruction);
        if (callee != nullptr && contains_.contains(callee) && leads_to_fork(*callee)) {
          leave(instruction, "its function does not call itself");
        }
      }
      return false;
    }
    put_in(function, [&](Function& callee) {
      return contains_.contains(&callee) && inlined_.contains(&callee) && !is_fork(callee);
    });
    const SmallVector<CallBase*> forks = forks_in(function);
    const char* why = why_not_copied(function);
    SmallSetVector<Constant*, 4> sites;
    for (CallBase* fork : forks) {
      if (Constant* site = site_of(*fork->getCalledFunction()); site != nullptr) sites.insert(site);
    }
    if (forks.empty() || sites.empty()) return true;
    if (why == nullptr && sites.size() > k_most_sites) why = "its function has more than four forks";
    Instruction* at = why == nullptr ? place_of_question(function, forks) : nullptr;
    if (at == nullptr) {
      for (CallBase* fork : forks) leave(*fork, why != nullptr ? why : "a fork of its function stands in a loop");
      return true;
    }
    SmallVector<DebugLoc> places;
    for (CallBase* fork : forks) {
      tell(*fork);
      places.push_back(place_in_program(*fork));
    }
    Function* pushing = Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                                         function.getName() + k_pushing, module_);
    ValueToValueMapTy copies;
    copy_body(function, *pushing, copies);
    keep_apart(*pushing);
    IRBuilder<> b(at);
    SmallVector<Value*> bands;
    for (Constant* site : sites) bands.push_back(at_offset(b, site, offsetof(takt::abi::site, free_band)));
    choose_version(*at, bands, *pushing, places.front());
    function.addFnAttr(k_asks_once);
    answer(function, true);
    answer(*pushing, false);
    return true;
  }

  /// Whether the program has a place for it: of others there is nothing to tell.
  static bool has_place(const Instruction& fork) {
    const DebugLoc place = place_in_program(fork);
    return !place || !is_in_library(*place.get());
  }

  static void tell(const Instruction& fork) {
    if (!has_place(fork)) return;
    OptimizationRemarkEmitter emitter(fork.getFunction());
    emitter.emit([&] {
      return OptimizationRemark("takt", "AskedOnce", place_in_program(fork), fork.getParent())
             << "the fork runs as two calls where the forks of its function are free, which is asked once";
    });
  }

  static void leave(const Instruction& fork, StringRef why) {
    if (!has_place(fork)) return;
    OptimizationRemarkEmitter emitter(fork.getFunction());
    emitter.emit([&] {
      return OptimizationRemarkMissed("takt", "AsksItself", place_in_program(fork), fork.getParent())
             << "the fork asks for itself whether it is free: " << why;
    });
  }

  /// What every fork in `function` would ask, the rest of one with more branches included. Level by level: what is not
  /// taken is gone before its copy of the rest is put in, as there would be two of each level.
  void answer(Function& function, bool is_free) {
    const auto leads = [&](Function& callee) { return contains_.contains(&callee) && leads_to_fork(callee); };
    do {
      put_in(function, [&](Function& callee) { return leads(callee) && !is_call_of_rest(callee); });
      answer_questions(function, is_free);
    } while (put_in(function, [&](Function& callee) { return leads(callee) && is_call_of_rest(callee); }));
  }

  static void answer_questions(Function& function, bool is_free) {
    SmallVector<Instruction*> questions;
    for (Instruction& instruction : instructions(function)) {
      Function* callee = called(instruction);
      if (callee != nullptr && is_question(*callee) && !isa<InvokeInst>(instruction)) questions.push_back(&instruction);
    }
    for (Instruction* question : questions) {
      Constant* answer = ConstantInt::get(question->getType(), is_free ? 1 : 0);
      for (User* user : make_early_inc_range(question->users())) {
        auto* expected = dyn_cast<IntrinsicInst>(user);
        if (expected == nullptr || expected->getIntrinsicID() != Intrinsic::expect) continue;
        expected->replaceAllUsesWith(answer);
        expected->eraseFromParent();
      }
      question->replaceAllUsesWith(answer);
      question->eraseFromParent();
    }
    for (BasicBlock& block : function) ConstantFoldTerminator(&block);
    removeUnreachableBlocks(function);
  }

  Module& module_;
  SmallPtrSet<const Function*, 16> inlined_;   ///< where they are called
  SmallPtrSet<const Function*, 16> contains_;  ///< forks, or calls of what is inlined and contains some
  SmallPtrSet<const Function*, 16> recursive_;
};

}  // namespace

bool ask_forks_once(Module& module) { return library_forks(module).run(); }

}  // namespace takt_plugin
