// Finding the constructs of a region. See README.md beside this file, and teams/README.md for what becomes of them.
#include "openmp/constructs.hpp"

#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "openmp/pointers.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

class finder {
 public:
  finder(Function& outlined, region_parts& found, bool with_tasks)
      : outlined_(outlined), constructs_(found.all), numbers_(found.numbers), with_tasks_(with_tasks) {}
  refusal run();

 private:
  refusal look_at_calls();
  refusal find_loop(CallInst& init);
  Instruction* end_of(CallInst& fini, Instruction& begin);
  BasicBlock* join_after(BasicBlock& block) const;
  refusal find_blocks();
  refusal check_calls() const;
  void find_sent();

  Function& outlined_;
  constructs& constructs_;
  SmallVectorImpl<LoadInst*>& numbers_;
  const bool with_tasks_;
  SmallVector<CallInst*> inits_;
};

refusal finder::look_at_calls() {
  for (auto* call : calls_in(instructions(outlined_))) {
    if (!is_kmpc(*call)) continue;
    auto* plain = dyn_cast<CallInst>(call);
    const StringRef name = name_of(*call);
    if (plain == nullptr) return reason::shape;
    if (starts_loop(name)) {
      inits_.push_back(plain);
    } else if (starts_once(name)) {
      constructs_.emplace_back();
      constructs_.back().call = plain;
      if (is_for_another(*plain)) return reason::masked_for_another;
    } else if (!ends_loop(name) && !combines(name) && !is_dropped(name) && !is_lock_or_fence(name) &&
               !asks_for_chunk(name) && !cancels_loop(*call) && !cancels(*call, takt::kmp::cancelled::region) &&
               name != kmpc::global_thread_num &&
               name != kmpc::fork_call && name != kmpc::push_num_threads &&
               name != kmpc::serialized_parallel && name != kmpc::end_serialized_parallel &&
               !(with_tasks_ && is_task_call(name))) {
      return refusal_for(name).at(*call);
    }
  }
  return inits_.empty() ? reason::not_a_loop : reason::none;
}

/// The first block that every way from `block` to the end of the function goes through; null: there is none.
BasicBlock* finder::join_after(BasicBlock& block) const {
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
Instruction* finder::end_of(CallInst& fini, Instruction& begin) {
  const DominatorTree tree(outlined_);
  stretch before_fini;
  before_fini.begin = &begin;
  before_fini.end = fini.getNextNode();
  before_fini.collect();
  SmallPtrSet<Value*, 32> own;
  SmallVector<Value*> derived;
  for (Instruction& instruction : instructions(outlined_)) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (variable == nullptr) continue;
    bool inside = false, outside = false;
    for (User* user : variable->users()) {
      if (is_marker(*user)) continue;
      auto* where = cast<Instruction>(user);
      outside |= where != &begin && !tree.dominates(&begin, where);
      inside |= before_fini.contains(*where);
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
      return own.contains(u.get()) ||
             (made != nullptr && before_fini.contains(*made) && !is_contained(numbers_, made));
    });
  };
  const auto is_other = [](const Instruction& instruction) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || !is_kmpc(*call)) return false;
    const StringRef name = name_of(*call);
    return !combines(name) && !is_lock_or_fence(name) && !ends_modifier(name);
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
    if (join == nullptr || tree.dominates(join, begin.getParent())) return end;
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

refusal finder::find_loop(CallInst& init) {
  const reason unknown = reason::loops_shape;
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
      if (asks_for_chunk(name)) {
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
  const bool is_static = deals_statically(name_of(init));
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
  loop.last = is_static ? init.getArgOperand(3) : next->getArgOperand(2);
  loop.begin = first;
  loop.end = end_of(*fini, *first);
  return {};
}

refusal finder::find_blocks() {
  const DominatorTree tree(outlined_);
  for (construct& c : constructs_) {
    refusal why;
    if (!c.is_loop()) {
      why = collect_once(*c.call, tree, c.blocks);
    } else if (!c.collect()) {
      why = reason::loops_shape;
    }
    if (why) return why;
  }
  return check_calls();
}

/// Constructs do not overlap, and barriers and reductions are where they should be.
refusal finder::check_calls() const {
  for (auto* call : calls_in<CallInst>(instructions(outlined_))) {
    if (!is_kmpc(*call)) continue;
    const StringRef name = name_of(*call);
    const auto in = [&](const construct& c) { return c.contains(*call); };
    const auto holders = std::count_if(constructs_.begin(), constructs_.end(), in);
    const bool in_loop =
        std::any_of(constructs_.begin(), constructs_.end(), [&](const construct& c) { return c.is_loop() && in(c); });
    if (holders == 0 && (begins_modifier(name) || ends_modifier(name))) {
      return reason::region_reduces_over_tasks;
    }
    if (is_task_call(name) && !is_idle_wait(name) && holders == 0) return reason::each_makes_tasks;
    if (combines(name) && !in_loop && holders != 0) return reason::shape;
    if ((starts_loop(name) && holders != 1) || (starts_once(name) && holders != 0) ||
        (name == kmpc::copyprivate && holders != 0)) {
      return reason::shape;
    }
  }
  return {};
}

/// What copyprivate sends belongs to the single construct that says it has run.
void finder::find_sent() {
  for (auto* call : calls_in<CallInst>(instructions(outlined_))) {
    if (name_of(*call) != kmpc::copyprivate) continue;
    auto* did_it = dyn_cast<LoadInst>(call->getArgOperand(5));
    auto* flag = did_it == nullptr ? nullptr : dyn_cast<AllocaInst>(did_it->getPointerOperand());
    auto* list = dyn_cast<AllocaInst>(call->getArgOperand(3));
    if (flag == nullptr || list == nullptr) continue;
    for (construct& c : constructs_) {
      const bool says_so = std::any_of(flag->user_begin(), flag->user_end(), [&](User* user) {
        return isa<StoreInst>(user) && c.contains(*cast<Instruction>(user));
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

refusal finder::run() {
  refusal why = look_at_calls();
  if (why) return why;
  if (!find_numbers(outlined_, numbers_)) return reason::thread_number;
  for (CallInst* init : inits_) {
    why = find_loop(*init);
    if (why) return why;
  }
  why = find_blocks();
  if (!why) find_sent();
  return why;
}

}  // namespace

bool stretch::contains(const Instruction& instruction) const {
  const BasicBlock* block = instruction.getParent();
  if (!blocks.contains(block)) return false;
  const bool is_first = begin != nullptr && block == begin->getParent();
  const bool is_last = end != nullptr && block == end->getParent();
  if (!is_first && !is_last) return true;
  const bool is_behind_begin = is_first && !instruction.comesBefore(begin);
  const bool is_before_end = is_last && instruction.comesBefore(end);
  // One block may have its end and, behind that, its begin.
  return is_first && is_last && begin->comesBefore(end) ? is_behind_begin && is_before_end
                                                        : is_behind_begin || is_before_end;
}

bool stretch::collect() {
  blocks = {begin->getParent()};
  if (begin->getParent() == end->getParent() && begin->comesBefore(end)) return true;
  SmallVector<BasicBlock*> open{begin->getParent()};
  bool returns = false;
  while (!open.empty()) {
    BasicBlock* at = open.pop_back_val();
    returns |= isa<ReturnInst>(at->getTerminator());
    for (BasicBlock* next : successors(at)) {
      if (blocks.insert(next).second && next != end->getParent()) open.push_back(next);
    }
  }
  return !returns;
}

refusal find_constructs(Function& outlined, region_parts& found, bool with_tasks) {
  return finder(outlined, found, with_tasks).run();
}

void cut_into_constructs(Function& outlined, region_parts& parts) {
  // One may begin where another one ends.
  for (construct& c : parts.all) {
    if (c.is_loop()) c.behind = SplitBlock(c.end->getParent(), c.end);
  }
  for (construct& c : parts.all) {
    if (c.is_loop()) c.first = SplitBlock(c.begin->getParent(), c.begin);
  }
  for (LoadInst* number : parts.numbers) {
    for (Use& use : make_early_inc_range(number->uses())) {
      IRBuilder<> b(cast<Instruction>(use.getUser()));
      use.set(b.CreateLoad(number->getType(), outlined.getArg(0)));
    }
    auto* from = dyn_cast<LoadInst>(number->getPointerOperand());
    number->eraseFromParent();
    if (from != nullptr && from->use_empty()) from->eraseFromParent();
  }
  for (construct& c : parts.all) {
    if (!c.is_loop()) continue;
    c.begin = &c.first->front();
    c.end = &c.behind->front();
    c.collect();
    c.blocks.erase(c.behind);
    c.begin = c.end = nullptr;
  }
}

refusal collect_once(const CallBase& call, const DominatorTree& tree, block_set& blocks) {
  const reason unknown = reason::shape;
  for (const User* user : call.users()) {
    auto* test = dyn_cast<ICmpInst>(user);
    if (test == nullptr || test->getPredicate() != CmpInst::ICMP_NE) return unknown;
    for (const User* choice : test->users()) {
      auto* branch = dyn_cast<BranchInst>(choice);
      BasicBlock* taken = branch == nullptr ? nullptr : branch->getSuccessor(0);
      if (taken == nullptr || taken->getSinglePredecessor() == nullptr) return unknown;
      add_dominated(*taken, tree, blocks);
    }
  }
  return {};
}

bool is_for_another(const CallBase& call) {
  if (name_of(call) != kmpc::masked) return false;
  auto* filter = dyn_cast<ConstantInt>(call.getArgOperand(2));
  return filter == nullptr || !filter->isZero();
}

bool is_only_sent(AllocaInst& variable) {
  const auto sends = [](const User* user) {
    auto* call = dyn_cast<CallBase>(user);
    return call != nullptr && name_of(*call) == kmpc::copyprivate;
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

}  // namespace takt_plugin
