// Splitting of regions. See "Regions that are more than a loop" in README.md beside this file.
#include "teams.hpp"

#include "captures.hpp"
#include "effects.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <deque>

namespace takt_plugin {

using namespace llvm;

namespace {

bool starts_loop(StringRef name) {
  return name.starts_with("__kmpc_for_static_init_") || name.starts_with("__kmpc_dispatch_init_");
}
bool ends_loop(StringRef name) { return name == "__kmpc_for_static_fini" || name == "__kmpc_dispatch_deinit"; }
bool starts_once(StringRef name) {
  return name == "__kmpc_single" || name == "__kmpc_master" || name == "__kmpc_masked";
}
bool combines(StringRef name) {
  return name == "__kmpc_reduce" || name == "__kmpc_reduce_nowait" || name == "__kmpc_end_reduce" ||
         name == "__kmpc_end_reduce_nowait";
}
/// What a team of one need not do.
bool is_dropped(StringRef name) {
  return name == "__kmpc_barrier" || name == "__kmpc_copyprivate" || name == "__kmpc_end_single" ||
         name == "__kmpc_end_master" || name == "__kmpc_end_masked";
}

bool is_lifetime(const User& user) {
  auto* intrinsic = dyn_cast<IntrinsicInst>(&user);
  return intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd();
}

/// The outlined function of a parallel region that `call` starts; null: it does not.
Function* started_by(const CallBase& call) {
  return name_of(call) == "__kmpc_fork_call" ? dyn_cast<Function>(call.getArgOperand(2)->stripPointerCasts()) : nullptr;
}

/// A copy, with copies of the outlined functions of the regions in it.
Function* clone_region(Function& outlined) {
  ValueToValueMapTy copies;
  Function* copy = CloneFunction(&outlined, copies);
  copy->setLinkage(GlobalValue::InternalLinkage);
  std::map<Function*, Function*> inner;
  SmallVector<CallBase*> calls;
  for (Instruction& instruction : instructions(*copy)) {
    if (auto* call = dyn_cast<CallBase>(&instruction)) calls.push_back(call);
  }
  for (CallBase* call : calls) {
    Function* started = started_by(*call);
    if (started == nullptr || !started->hasLocalLinkage() || started->isDeclaration()) continue;
    Function*& mine = inner[started];
    if (mine == nullptr) mine = clone_region(*started);
    call->setArgOperand(2, mine);
  }
  for (CallBase* call : calls) {
    auto mine = inner.find(call->getCalledFunction());
    if (mine != inner.end()) call->setCalledFunction(mine->second);
  }
  return copy;
}

/// A worksharing loop, or a block that one thread runs.
struct construct {
  CallInst* call = nullptr;     ///< __kmpc_*_init_*, or __kmpc_single and its like
  BasicBlock* begin = nullptr;  ///< of a loop: its private variables are made from here on
  BasicBlock* end = nullptr;    ///< of a loop: where the region goes on
  block_set blocks;
  SmallPtrSet<Value*, 4> sent;  ///< variables that copyprivate sends to all threads
  bool is_loop() const { return begin != nullptr; }
};

/// What the region does with one of its own variables.
struct access {
  bool reads = false;
  bool writes = false;
  bool escapes = false;  ///< its address may be kept
  bool whole = false;    ///< a load or store of all of it
};
using accesses = MapVector<Instruction*, access>;

class splitter {
 public:
  explicit splitter(Function& outlined) : outlined_(outlined), layout_(outlined.getParent()->getDataLayout()) {}

  /// Finds out whether the region can be split. Changes nothing that can be seen.
  std::string check();
  /// @returns the outlined functions of the loops.
  std::vector<Function*> split(CallInst& fork);

 private:
  std::string find_constructs();
  bool put_numbers_at_their_uses();
  std::string find_loop(CallInst& init);
  Instruction* end_of(CallInst& fini, BasicBlock& begin);
  BasicBlock* join_after(BasicBlock& block) const;
  std::string find_blocks();
  void find_sent();
  std::string check_beside();
  std::string check_variables();
  std::string check_variable(AllocaInst& variable);
  accesses accesses_of(AllocaInst& variable);
  void add_call(CallBase& call, Value& pointer, accesses& all, SmallVectorImpl<Value*>& open);
  bool is_only_sent(AllocaInst& variable) const;
  bool is_read_from(Instruction& from, AllocaInst& variable, const accesses& all, bool any_use) const;
  std::string check_values();
  Function* outline(construct& loop, CallInst& fork);

  Function& outlined_;
  const DataLayout& layout_;
  std::deque<construct> constructs_;
  SmallVector<CallInst*> inits_;
  effects_of_functions known_;
  // Variables of which a loop gets its own, and whether it starts with what the region's has.
  DenseMap<std::pair<construct*, AllocaInst*>, bool> own_;
};

std::string splitter::find_constructs() {
  for (Instruction& instruction : instructions(outlined_)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || !is_kmpc(*call)) continue;
    auto* plain = dyn_cast<CallInst>(call);
    const StringRef name = name_of(*call);
    if (plain == nullptr) return "it has a shape that is not known";
    if (starts_loop(name)) {
      inits_.push_back(plain);
    } else if (starts_once(name)) {
      constructs_.emplace_back();
      constructs_.back().call = plain;
      if (name == "__kmpc_masked") {
        auto* filter = dyn_cast<ConstantInt>(plain->getArgOperand(2));
        if (filter == nullptr || !filter->isZero())
          return "it has a masked construct for another thread than the first";
      }
    } else if (!ends_loop(name) && !combines(name) && !is_dropped(name) && !is_lock_or_fence(name) &&
               !name.starts_with("__kmpc_dispatch_next_") && name != "__kmpc_global_thread_num" &&
               name != "__kmpc_fork_call" && name != "__kmpc_push_num_threads" &&
               name != "__kmpc_serialized_parallel" && name != "__kmpc_end_serialized_parallel") {
      return refusal_for(name);
    }
  }
  return inits_.empty() ? "it is not a loop" : "";
}

/// Each call of the OpenMP runtime gets the number of the thread from where the outlined function gets it, so that no
/// number is carried from one construct to another.
bool splitter::put_numbers_at_their_uses() {
  SmallVector<LoadInst*> numbers;
  if (!find_numbers(outlined_, numbers)) return false;
  for (LoadInst* number : numbers) {
    for (Use& use : make_early_inc_range(number->uses())) {
      IRBuilder<> b(cast<Instruction>(use.getUser()));
      use.set(b.CreateLoad(number->getType(), outlined_.getArg(0)));
    }
    auto* from = dyn_cast<LoadInst>(number->getPointerOperand());
    number->eraseFromParent();
    if (from != nullptr && from->use_empty()) from->eraseFromParent();
  }
  return true;
}

/// The first block that every way from `block` to the end of the function goes through; null: there is none.
BasicBlock* splitter::join_after(BasicBlock& block) const {
  const auto ends_without = [&](BasicBlock* avoided) {
    block_set seen;
    SmallVector<BasicBlock*> open{&block};
    while (!open.empty()) {
      BasicBlock* at = open.pop_back_val();
      if (isa<ReturnInst>(at->getTerminator())) return true;
      for (BasicBlock* next : successors(at)) {
        if (next != avoided && seen.insert(next).second) open.push_back(next);
      }
    }
    return false;
  };
  if (!ends_without(nullptr)) return nullptr;
  block_set seen;
  std::deque<BasicBlock*> open(succ_begin(&block), succ_end(&block));
  while (!open.empty()) {
    BasicBlock* candidate = open.front();
    open.pop_front();
    if (!seen.insert(candidate).second) continue;
    if (candidate != &block && !ends_without(candidate)) return candidate;
    open.insert(open.end(), succ_begin(candidate), succ_end(candidate));
  }
  return nullptr;
}

/// Behind the last use of a variable that only the loop has.
Instruction* splitter::end_of(CallInst& fini, BasicBlock& begin) {
  const DominatorTree tree(outlined_);
  block_set before_fini;
  SmallVector<BasicBlock*> open{&begin};
  before_fini.insert(&begin);
  while (!open.empty()) {
    BasicBlock* at = open.pop_back_val();
    if (at == fini.getParent()) continue;
    for (BasicBlock* next : successors(at)) {
      if (before_fini.insert(next).second) open.push_back(next);
    }
  }
  SmallPtrSet<Value*, 32> own;
  SmallVector<Value*> derived;
  for (Instruction& instruction : instructions(outlined_)) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (variable == nullptr) continue;
    bool inside = false, outside = false;
    for (User* user : variable->users()) {
      if (is_marker(*user)) continue;
      auto* where = cast<Instruction>(user);
      outside |= !tree.dominates(&begin, where->getParent());
      inside |= before_fini.contains(where->getParent()) &&
                (where->getParent() != fini.getParent() || where->comesBefore(&fini) || where == &fini);
    }
    if (inside && !outside) derived.push_back(variable);
  }
  while (!derived.empty()) {
    Value* value = derived.pop_back_val();
    if (!own.insert(value).second) continue;
    for (User* user : value->users()) {
      if (isa<GetElementPtrInst>(user) || isa<CastInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user))
        derived.push_back(user);
    }
  }
  const auto uses_own = [&](const Instruction& instruction) {
    return !is_marker(instruction) && std::any_of(instruction.op_begin(), instruction.op_end(), [&](const Use& u) {
      auto* made = dyn_cast<Instruction>(u.get());
      return own.contains(u.get()) || (made != nullptr && before_fini.contains(made->getParent()) &&
                                       (made->getParent() != fini.getParent() || made->comesBefore(&fini)));
    });
  };
  const auto is_other = [](const Instruction& instruction) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || !is_kmpc(*call)) return false;
    const StringRef name = name_of(*call);
    return !combines(name) && !is_lock_or_fence(name);
  };
  BasicBlock* block = fini.getParent();
  Instruction* from = fini.getNextNode();
  Instruction* end = from;
  for (block_set seen; seen.insert(block).second;) {
    bool to_the_join = false;
    for (Instruction* at = from; at != nullptr; at = at->getNextNode()) {
      if (is_other(*at)) return end;
      if (!uses_own(*at)) continue;
      own.insert(at);
      if (at->isTerminator()) {
        to_the_join = true;
      } else {
        end = at->getNextNode();
      }
    }
    BasicBlock* join = join_after(*block);
    if (join == nullptr || tree.dominates(join, &begin)) return end;
    block_set between;
    SmallVector<BasicBlock*> ways(successors(block));
    while (!ways.empty()) {
      BasicBlock* at = ways.pop_back_val();
      if (at == join || !between.insert(at).second) continue;
      ways.append(succ_begin(at), succ_end(at));
      for (Instruction& instruction : *at) {
        if (is_other(instruction)) return end;
        to_the_join |= uses_own(instruction);
      }
    }
    from = join->getFirstNonPHI();
    if (to_the_join) end = from;
    block = join;
  }
  return end;
}

std::string splitter::find_loop(CallInst& init) {
  const char* const unknown = "one of its loops has a shape that is not known";
  CallInst* next = nullptr;
  CallInst* fini = nullptr;
  SmallVector<Instruction*> open{init.getNextNode()};
  block_set seen;
  while (!open.empty()) {
    bool ended = false;
    Instruction* at = open.pop_back_val();
    BasicBlock* block = at->getParent();
    for (; at != nullptr && !ended; at = at->getNextNode()) {
      auto* call = dyn_cast<CallInst>(at);
      if (call == nullptr || !is_kmpc(*call)) continue;
      const StringRef name = name_of(*call);
      if (name.starts_with("__kmpc_dispatch_next_")) {
        if (next != nullptr && next != call) return unknown;
        next = call;
      } else if (ends_loop(name)) {
        if (fini != nullptr && fini != call) return unknown;
        fini = call;
        ended = true;
      } else if (starts_loop(name) || starts_once(name) || is_dropped(name)) {
        return unknown;
      }
    }
    if (ended) continue;
    if (isa<ReturnInst>(block->getTerminator())) return unknown;
    for (BasicBlock* successor : successors(block)) {
      if (seen.insert(successor).second) open.push_back(&successor->front());
    }
  }
  const bool is_static = name_of(init).starts_with("__kmpc_for_static");
  if (fini == nullptr || is_static == (next != nullptr)) return unknown;
  auto* lower = dyn_cast<AllocaInst>(is_static ? init.getArgOperand(4) : next->getArgOperand(3));
  if (lower == nullptr) return unknown;
  const DominatorTree tree(outlined_);
  // Clang makes the bounds first of all.
  StoreInst* first = nullptr;
  for (User* user : lower->users()) {
    auto* store = dyn_cast<StoreInst>(user);
    if (store == nullptr || store->getPointerOperand() != lower || !tree.dominates(store, &init)) continue;
    if (first == nullptr || tree.dominates(first, store)) first = store;
  }
  if (first == nullptr) return unknown;
  constructs_.emplace_back();
  construct& loop = constructs_.back();
  loop.call = &init;
  loop.begin = SplitBlock(first->getParent(), first);
  Instruction* end = end_of(*fini, *loop.begin);
  loop.end = SplitBlock(end->getParent(), end);
  return {};
}

/// Blocks from which the function cannot return: the program ends there.
bool ends_program(const BasicBlock& block) { return isa<UnreachableInst>(block.getTerminator()); }

std::string splitter::find_blocks() {
  const DominatorTree tree(outlined_);
  for (construct& c : constructs_) {
    if (c.is_loop()) {
      SmallVector<BasicBlock*> open{c.begin};
      c.blocks.insert(c.begin);
      while (!open.empty()) {
        BasicBlock* at = open.pop_back_val();
        if (isa<ReturnInst>(at->getTerminator())) return "one of its loops has a shape that is not known";
        for (BasicBlock* next : successors(at)) {
          if (next != c.end && c.blocks.insert(next).second) open.push_back(next);
        }
      }
      continue;
    }
    for (User* user : c.call->users()) {
      auto* test = dyn_cast<ICmpInst>(user);
      if (test == nullptr || test->getPredicate() != CmpInst::ICMP_NE) return "it has a shape that is not known";
      for (User* choice : test->users()) {
        auto* branch = dyn_cast<BranchInst>(choice);
        if (branch == nullptr || !branch->isConditional()) return "it has a shape that is not known";
        BasicBlock* taken = branch->getSuccessor(0);
        if (taken->getSinglePredecessor() == nullptr) return "it has a shape that is not known";
        SmallVector<BasicBlock*> blocks;
        tree.getDescendants(taken, blocks);
        c.blocks.insert(blocks.begin(), blocks.end());
      }
    }
  }
  // Constructs do not overlap, and barriers and reductions are where they should be.
  for (Instruction& instruction : instructions(outlined_)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr || !is_kmpc(*call)) continue;
    const StringRef name = name_of(*call);
    const auto in = [&](const construct& c) { return c.blocks.contains(call->getParent()); };
    const auto holders = std::count_if(constructs_.begin(), constructs_.end(), in);
    const bool in_loop =
        std::any_of(constructs_.begin(), constructs_.end(), [&](const construct& c) { return c.is_loop() && in(c); });
    if (combines(name) && !in_loop) return "it has a reduction over the whole region";
    if (name == "__kmpc_barrier" && in_loop)
      return "one of its loops has firstprivate and lastprivate of one variable, or linear";
    if ((starts_loop(name) && holders != 1) || (starts_once(name) && holders != 0) ||
        (name == "__kmpc_copyprivate" && holders != 0)) {
      return "it has a shape that is not known";
    }
  }
  return {};
}

/// Whether a variable only tells copyprivate which thread sends, or is its list.
bool splitter::is_only_sent(AllocaInst& variable) const {
  const auto sends = [](const User* user) {
    auto* call = dyn_cast<CallBase>(user);
    return call != nullptr && name_of(*call) == "__kmpc_copyprivate";
  };
  bool sent = false;
  SmallVector<Value*> open{&variable};
  while (!open.empty()) {
    Value* pointer = open.pop_back_val();
    for (User* user : pointer->users()) {
      if (is_marker(*user)) continue;
      if (isa<GetElementPtrInst>(user) || isa<CastInst>(user)) {
        open.push_back(user);
      } else if (isa<LoadInst>(user)) {
        if (!std::all_of(user->user_begin(), user->user_end(), sends)) return false;
        sent |= !user->use_empty();
      } else if (sends(user)) {
        sent = true;
      } else if (auto* store = dyn_cast<StoreInst>(user); store == nullptr || store->getValueOperand() == pointer) {
        return false;
      }
    }
  }
  return sent;
}

/// What copyprivate sends belongs to the single construct that says it has run.
void splitter::find_sent() {
  for (Instruction& instruction : instructions(outlined_)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr || name_of(*call) != "__kmpc_copyprivate") continue;
    auto* did_it = dyn_cast<LoadInst>(call->getArgOperand(5));
    auto* flag = did_it == nullptr ? nullptr : dyn_cast<AllocaInst>(did_it->getPointerOperand());
    auto* list = dyn_cast<AllocaInst>(call->getArgOperand(3));
    if (flag == nullptr || list == nullptr) continue;
    for (construct& c : constructs_) {
      const bool says_so = std::any_of(flag->user_begin(), flag->user_end(), [&](User* user) {
        return isa<StoreInst>(user) && c.blocks.contains(cast<Instruction>(user)->getParent());
      });
      if (!says_so) continue;
      const auto add_stored = [&](Value* address) {
        for (User* user : address->users()) {
          auto* store = dyn_cast<StoreInst>(user);
          if (store != nullptr && store->getPointerOperand() == address) c.sent.insert(store->getValueOperand());
        }
      };
      add_stored(list);
      for (User* element : list->users()) {
        if (isa<GetElementPtrInst>(element)) add_stored(element);
      }
    }
  }
}

std::string splitter::check_beside() {
  const auto exempt = [&](BasicBlock& block) {
    return ends_program(block) || std::any_of(constructs_.begin(), constructs_.end(),
                                              [&](const construct& c) { return c.blocks.contains(&block); });
  };
  effects all;
  for (BasicBlock& block : outlined_) {
    if (exempt(block)) continue;
    for (Instruction& instruction : block) {
      if (auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && is_kmpc(*call)) {
        // Each thread of a team would start it.
        all.unknown |= started_by(*call) != nullptr;
      } else {
        known_.add(instruction, all);
      }
      if (all.unknown || all.written_arguments != 0) return "code beside its loops may have effects";
    }
  }
  return {};
}

void splitter::add_call(CallBase& call, Value& pointer, accesses& all, SmallVectorImpl<Value*>& open) {
  access& a = all[&call];
  a.reads = true;
  for (unsigned operand = 0; operand < call.arg_size(); ++operand) {
    if (call.getArgOperand(operand) != &pointer) continue;
    Function* started = started_by(call);
    if (started != nullptr && operand >= 3 && operand - 1 < started->arg_size()) {
      const uses inside = uses_of(*started->getArg(operand - 1));
      a.writes |= inside.written || !inside.simple;
      a.escapes |= !inside.simple;
      continue;
    }
    auto* callee = call.getCalledFunction();
    const effects does = callee == nullptr ? effects{true, true, 0} : known_.of(*callee);
    a.writes |= does.unknown || operand >= 64 || (does.written_arguments >> operand & 1) != 0;
    a.escapes |= does.unknown || does.keeps_pointer;
    // What it returns may point into the variable.
    if (!call.getType()->isVoidTy() && !call.getType()->isIntOrIntVectorTy() && !call.getType()->isFPOrFPVectorTy()) {
      if (call.getType()->isPointerTy()) {
        open.push_back(&call);
      } else {
        a.escapes = true;
      }
    }
  }
  if (call.getCalledOperand() == &pointer) a.escapes = true;
}

/// Everything that is done with a variable, as far as its address can be followed.
accesses splitter::accesses_of(AllocaInst& variable) {
  accesses all;
  const auto bytes = variable.getAllocationSize(layout_);
  const auto is_whole = [&](Value* pointer, Type* type) {
    return pointer == &variable && bytes && *bytes == layout_.getTypeStoreSize(type);
  };
  SmallPtrSet<Value*, 16> seen;
  SmallVector<Value*> open{&variable};
  while (!open.empty()) {
    Value* pointer = open.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (User* user : pointer->users()) {
      auto* instruction = dyn_cast<Instruction>(user);
      if (instruction == nullptr || is_marker(*user)) continue;
      if (auto* load = dyn_cast<LoadInst>(user)) {
        access& a = all[load];
        a.reads = true;
        a.whole = is_whole(pointer, load->getType());
      } else if (auto* store = dyn_cast<StoreInst>(user)) {
        if (store->getPointerOperand() == pointer) {
          access& a = all[store];
          a.writes = true;
          a.whole = is_whole(pointer, store->getValueOperand()->getType());
        }
        if (store->getValueOperand() != pointer) continue;
        auto* slot = dyn_cast<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets());
        if (slot != nullptr && is_only_sent(*slot)) continue;
        if (slot == nullptr || only_store(*slot) != store) {
          all[store].escapes = true;
          continue;
        }
        for (User* of_slot : slot->users()) {
          if (isa<LoadInst>(of_slot)) open.push_back(of_slot);
        }
      } else if (isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user) || isa<PHINode>(user) ||
                 isa<SelectInst>(user)) {
        open.push_back(user);
      } else if (auto* transfer = dyn_cast<MemIntrinsic>(user)) {
        access& a = all[transfer];
        a.writes |= transfer->getRawDest() == pointer;
        a.reads |= transfer->getRawDest() != pointer || isa<MemTransferInst>(transfer);
      } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(user); intrinsic != nullptr && is_silent(*intrinsic)) {
        all[intrinsic].reads = true;
      } else if (auto* call = dyn_cast<CallBase>(user)) {
        if (!is_kmpc(*call) || started_by(*call) != nullptr) {
          add_call(*call, *pointer, all, open);
        } else if (name_of(*call) != "__kmpc_copyprivate") {
          access& a = all[call];
          a.reads = a.writes = true;
        }
      } else if (!isa<ICmpInst>(user)) {
        access& a = all[instruction];
        a.reads = a.writes = a.escapes = true;
      }
    }
  }
  return all;
}

/// Whether what a variable holds at `from` may be read from there on. `any_use`: whether it is used in any way.
bool splitter::is_read_from(Instruction& from, AllocaInst& variable, const accesses& all, bool any_use) const {
  SmallPtrSet<Instruction*, 8> ends;
  for (User* user : variable.users()) {
    if (is_lifetime(*user)) ends.insert(cast<Instruction>(user));
  }
  block_set seen;
  SmallVector<Instruction*> open{&from};
  while (!open.empty()) {
    Instruction* at = open.pop_back_val();
    BasicBlock* block = at->getParent();
    bool ended = false;
    for (; at != nullptr && !ended; at = at->getNextNode()) {
      if (ends.contains(at)) ended = true;
      auto found = all.find(at);
      if (found == all.end()) continue;
      const access& a = found->second;
      if (any_use || a.reads || a.escapes || !a.whole) return true;
      ended = true;
    }
    if (ended) continue;
    for (BasicBlock* next : successors(block)) {
      if (seen.insert(next).second) open.push_back(&next->front());
    }
  }
  return false;
}

std::string splitter::check_variable(AllocaInst& variable) {
  if (is_only_sent(variable)) return {};
  const auto construct_of = [&](Instruction* instruction) -> construct* {
    for (construct& c : constructs_) {
      if (c.blocks.contains(instruction->getParent())) return &c;
    }
    return nullptr;
  };
  SmallPtrSet<construct*, 4> users;
  for (User* user : variable.users()) {
    if (!is_marker(*user)) users.insert(construct_of(cast<Instruction>(user)));
  }
  if (users.empty()) return {};
  const bool is_static = variable.isStaticAlloca() && variable.getParent() == &outlined_.getEntryBlock();
  if (users.size() == 1 && *users.begin() != nullptr) {
    construct* only = *users.begin();
    if (!only->is_loop()) return {};
    if (!is_static) return only->blocks.contains(variable.getParent()) ? "" : "it has an array of variable length";
    own_[{only, &variable}] = false;
    return {};
  }
  const accesses all = accesses_of(variable);
  bool is_simple = is_static;
  for (const auto& [at, a] : all) {
    if (a.escapes && construct_of(at) == nullptr) return "it keeps the address of a variable that is private to it";
    is_simple &= a.whole;
  }
  for (construct& c : constructs_) {
    bool writes = false, escapes = false;
    for (const auto& [at, a] : all) {
      if (!c.blocks.contains(at->getParent())) continue;
      writes |= a.writes;
      escapes |= a.escapes;
    }
    if (escapes) return "one of its constructs hands out the address of a variable that is private to it";
    if (!writes) continue;
    if (!c.is_loop()) {
      if (!c.sent.contains(&variable) && is_read_from(*c.call, variable, all, !is_simple)) {
        return "it has a single or masked construct that writes a variable that is private to the region";
      }
    } else if (is_simple && !is_read_from(c.begin->front(), variable, all, false)) {
      own_[{&c, &variable}] = false;
    } else if (is_static && !is_read_from(c.end->front(), variable, all, true)) {
      own_[{&c, &variable}] = true;
    } else {
      return "one of its loops writes a variable that is private to the region";
    }
  }
  return {};
}

std::string splitter::check_variables() {
  for (Instruction& instruction : instructions(outlined_)) {
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      std::string why = check_variable(*variable);
      if (!why.empty()) return why;
    }
  }
  return {};
}

/// Nothing computed in a loop is used after it; what is computed before it can be handed to it.
std::string splitter::check_values() {
  SetVector<Instruction*> demoted;
  for (construct& c : constructs_) {
    if (!c.is_loop()) continue;
    for (BasicBlock* block : c.blocks) {
      for (Instruction& instruction : *block) {
        for (User* user : instruction.users()) {
          auto* where = cast<Instruction>(user);
          if (!c.blocks.contains(where->getParent())) return "one of its loops has a shape that is not known";
        }
        auto* merge = dyn_cast<PHINode>(&instruction);
        for (Use& use : instruction.operands()) {
          auto* value = dyn_cast<Instruction>(use.get());
          if (value == nullptr || isa<AllocaInst>(value) || c.blocks.contains(value->getParent())) continue;
          if (merge != nullptr && !c.blocks.contains(merge->getIncomingBlock(use))) continue;
          if (!value->getType()->isPointerTy() && !value->getType()->isIntegerTy(64)) demoted.insert(value);
        }
      }
    }
  }
  for (Instruction* value : demoted) DemoteRegToStack(*value);
  return {};
}

std::string splitter::check() {
  std::string why = find_constructs();
  if (!why.empty()) return why;
  if (!put_numbers_at_their_uses()) return "it uses the number of its thread";
  for (CallInst* init : inits_) {
    why = find_loop(*init);
    if (!why.empty()) return why;
  }
  why = find_blocks();
  if (why.empty()) why = check_values();
  if (why.empty()) find_sent();
  if (why.empty()) why = check_beside();
  if (why.empty()) why = check_variables();
  return why;
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
  b.CreateBr(cast<BasicBlock>(copies[loop.begin]));
  b.SetInsertPoint(entry->getTerminator());
  SmallVector<std::pair<AllocaInst*, AllocaInst*>> started_with;
  for (auto& [key, keeps] : own_) {
    if (key.first != &loop) continue;
    auto* variable = cast<AllocaInst>(copies[key.second]);
    variable->moveBefore(entry->getTerminator());
    if (keeps) started_with.emplace_back(key.second, variable);
  }
  for (unsigned p = 0; p < given.size(); ++p) {
    Argument* parameter = made->getArg(p + 2);
    auto* variable = dyn_cast<AllocaInst>(given[p]);
    if (variable != nullptr) {
      AttrBuilder attributes(context);
      attributes.addAttribute(Attribute::NonNull);
      attributes.addAlignmentAttr(variable->getAlign());
      if (auto bytes = variable->getAllocationSize(layout_); bytes && bytes->isFixed()) {
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
  cast<BasicBlock>(copies[loop.end])->replaceAllUsesWith(done);
  EliminateUnreachableBlocks(*made);
  for (Instruction& instruction : make_early_inc_range(instructions(*made))) {
    if (is_lifetime(instruction) && !isa<AllocaInst>(instruction.getOperand(1))) instruction.eraseFromParent();
  }

  BasicBlock* before = loop.begin->getSinglePredecessor();
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  b.SetCurrentDebugLocation(loop.call->getDebugLoc());
  SmallVector<Value*> arguments{fork.getArgOperand(0), b.getInt32(static_cast<unsigned>(given.size())), made};
  arguments.append(given.begin(), given.end());
  b.CreateCall(fork.getFunctionType(), fork.getCalledOperand(), arguments);
  b.CreateBr(loop.end);
  return made;
}

std::vector<Function*> splitter::split(CallInst& fork) {
  std::vector<Function*> loops;
  for (construct& c : constructs_) {
    if (c.is_loop()) loops.push_back(outline(c, fork));
  }
  for (construct& c : constructs_) {
    if (c.is_loop()) continue;
    c.call->replaceAllUsesWith(ConstantInt::get(c.call->getType(), 1));
    c.call->eraseFromParent();
  }
  EliminateUnreachableBlocks(outlined_);
  for (Instruction& instruction : make_early_inc_range(instructions(outlined_))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call != nullptr && is_dropped(name_of(*call))) call->eraseFromParent();
  }
  // Variables that only a loop has have gone there.
  SetVector<AllocaInst*> gone;
  for (auto& [key, keeps] : own_) gone.insert(key.second);
  for (AllocaInst* variable : gone) {
    if (!std::all_of(variable->user_begin(), variable->user_end(), [](User* user) { return is_marker(*user); }))
      continue;
    for (User* user : make_early_inc_range(variable->users())) cast<Instruction>(user)->eraseFromParent();
    variable->eraseFromParent();
  }
  return loops;
}

}  // namespace

bool may_be_split(Function& outlined) {
  unsigned loops = 0;
  bool more = false;
  for (Instruction& instruction : instructions(outlined)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr) continue;
    const StringRef name = name_of(*call);
    loops += starts_loop(name);
    more |= starts_once(name) || is_dropped(name);
  }
  return loops > 1 || (loops == 1 && more);
}

std::string split_region(const site& where, team& made) {
  Function& outlined = *where.outlined;
  if (outlined.isDeclaration() || !outlined.hasLocalLinkage() ||
      outlined.getNumUses() != (where.serial != nullptr ? 2 : 1)) {
    return "its outlined function is used in a way that is not known";
  }
  splitter region(outlined);
  std::string why = region.check();
  if (!why.empty()) return why;
  made.original = clone_region(outlined);
  const bool may_be_serial = where.serial != nullptr || threads_asked_for(where) != nullptr;
  if (may_be_serial) made.serial = clone_region(outlined);
  made.loops = region.split(*where.fork);
  if (may_be_serial) {
    splitter serial(*made.serial);
    why = serial.check();
    std::vector<Function*> in_order = serial.split(*where.fork);
    Module& module = *outlined.getParent();
    for (Function* loop : in_order) {
      auto* fork = cast<CallInst>(*loop->user_begin());
      IRBuilder<> b(fork);
      Type* number = b.getInt32Ty();
      FunctionCallee push = module.getOrInsertFunction(
          "__kmpc_push_num_threads", FunctionType::get(b.getVoidTy(), {b.getPtrTy(), number, number}, false));
      b.CreateCall(push, {fork->getArgOperand(0), b.getInt32(0), b.getInt32(1)});
    }
    made.loops.insert(made.loops.end(), in_order.begin(), in_order.end());
    if (where.serial != nullptr) where.serial->setCalledFunction(made.serial);
  }
  return {};
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
    b.SetInsertPoint(&fork);
    FunctionCallee may = caller->getParent()->getOrInsertFunction("takt_omp_may_convert", b.getInt1Ty());
    if (auto* function = dyn_cast<Function>(may.getCallee())) {
      function->setDoesNotThrow();
      function->addRetAttr(Attribute::ZExt);
    }
    Instruction* converted = nullptr;
    Instruction* left = nullptr;
    SplitBlockAndInsertIfThenElse(b.CreateCall(may), fork.getIterator(), &converted, &left);
    Instruction* original = fork.clone();
    cast<CallInst>(original)->setArgOperand(2, made.original);
    original->insertBefore(left);
    if (where.push_threads != nullptr) {
      where.push_threads->moveBefore(original);
    }
    at = converted;
  }
  Value* threads = threads_asked_for(where);
  if (threads == nullptr) {
    call_instead(*where.outlined, *at);
  } else {
    b.SetInsertPoint(at);
    Instruction* one = nullptr;
    Instruction* more = nullptr;
    SplitBlockAndInsertIfThenElse(b.CreateICmpEQ(threads, ConstantInt::get(threads->getType(), 1)), at->getIterator(),
                                  &one, &more);
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

void use_locks_of_this_thread(Module& module, const std::set<Function*>& functions) {
  LLVMContext& context = module.getContext();
  FunctionCallee number;
  const auto wrap = [&](Function& callee) {
    // (loc, number, lock...) without the number.
    SmallVector<Type*> types(callee.getFunctionType()->params());
    types.erase(types.begin() + 1);
    auto* wrapper = Function::Create(FunctionType::get(callee.getReturnType(), types, false),
                                     GlobalValue::InternalLinkage, "takt." + callee.getName().substr(7), module);
    // Inlined, the number could be taken from before the last join.
    wrapper->addFnAttr(Attribute::NoInline);
    wrapper->setDoesNotThrow();
    IRBuilder<> b(BasicBlock::Create(context, "", wrapper));
    number = module.getOrInsertFunction("__kmpc_global_thread_num",
                                        FunctionType::get(b.getInt32Ty(), {b.getPtrTy()}, false));
    SmallVector<Value*> arguments{wrapper->getArg(0), b.CreateCall(number, {wrapper->getArg(0)})};
    for (unsigned a = 1; a < wrapper->arg_size(); ++a) arguments.push_back(wrapper->getArg(a));
    b.CreateCall(&callee, arguments);
    b.CreateRetVoid();
    return wrapper;
  };
  std::map<Function*, Function*> wrappers;
  for (Function* function : functions) {
    for (Instruction& instruction : make_early_inc_range(instructions(*function))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr || !is_lock_or_fence(name_of(*call)) || name_of(*call) == "__kmpc_flush") continue;
      Function* callee = call->getCalledFunction();
      if (callee == nullptr) continue;
      Function*& wrapper = wrappers[callee];
      if (wrapper == nullptr) wrapper = wrap(*callee);
      SmallVector<Value*> arguments(call->args());
      arguments.erase(arguments.begin() + 1);
      IRBuilder<> b(call);
      b.CreateCall(wrapper, arguments)->setDoesNotThrow();
      call->eraseFromParent();
    }
  }
}

void erase_region(Function& outlined, team_map& teams) {
  if (!outlined.use_empty()) return;
  SetVector<Function*> inner;
  for (Instruction& instruction : instructions(outlined)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr) continue;
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

Function* undo_split(Function& rewritten, team_map& teams) {
  team& made = teams.at(&rewritten);
  Function* original = made.original;
  made.original = nullptr;
  rewritten.replaceAllUsesWith(original);
  if (made.serial != nullptr) made.serial->replaceAllUsesWith(original);
  erase_region(rewritten, teams);
  return original;
}

}  // namespace takt_plugin
