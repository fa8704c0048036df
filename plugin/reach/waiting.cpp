// Loops that wait for what another thread does: see "Loops that wait" in README.md beside this file.
#include "reach/waiting.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace takt_plugin {

using namespace llvm;

namespace {

using functions_seen = SmallPtrSetImpl<Function*>;

/// Takes or gives back a lock: what it guards is as it was.
bool is_lock(StringRef name) { return is(name, trait::guards); }

bool changes_nothing(Function& function, functions_seen& seen);

/// Whether an instruction leaves all memory as it is, so that running it again gives the same, but for what others do.
bool changes_nothing(Instruction& instruction, functions_seen& seen) {
  if (isa<LoadInst>(instruction) || isa<FenceInst>(instruction) || is_marker(instruction)) return true;
  auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr) return !instruction.mayWriteToMemory();
  Function* callee = call->getCalledFunction();
  if (callee == nullptr) return false;
  const StringRef name = callee->getName();
  // pause; the others give way to others.
  if (name == "llvm.x86.sse2.pause" || is(name, trait::flushes | trait::gives_way) || name == kmpc::global_thread_num ||
      is_lock(name)) {
    return true;
  }
  if (callee->isDeclaration()) return callee->onlyReadsMemory() && !callee->isIntrinsic();
  return changes_nothing(*callee, seen);
}

bool changes_nothing(Function& function, functions_seen& seen) {
  if (!seen.insert(&function).second) return true;
  return all_of(instructions(function), [&](Instruction& instruction) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (store != nullptr) return isa_and_nonnull<AllocaInst>(root_of(store->getPointerOperand()));
    return changes_nothing(instruction, seen);
  });
}

/// Without it, a thread need not see what others do.
bool synchronises(Instruction& instruction, functions_seen& seen) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  if (isa<FenceInst>(instruction)) return true;
  auto* call = dyn_cast<CallBase>(&instruction);
  Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr) return false;
  if (is_lock(callee->getName()) || callee->getName() == kmpc::flush) return true;
  return seen.insert(callee).second &&
         any_of(instructions(*callee), [&](Instruction& inner) { return synchronises(inner, seen); });
}

/// What it has seen of something that others change, put aside in a variable of the function.
bool keeps_what_was_seen(Instruction& instruction) {
  auto* store = dyn_cast<StoreInst>(&instruction);
  if (store == nullptr || !isa<AllocaInst>(store->getPointerOperand())) return false;
  Value* value = store->getValueOperand();
  while (auto* cast = dyn_cast<CastInst>(value)) value = cast->getOperand(0);
  auto* seen = dyn_cast<LoadInst>(value);
  return seen != nullptr && (seen->isVolatile() || seen->isAtomic());
}

bool synchronises(BasicBlock& block) {
  return any_of(block, [](Instruction& instruction) {
    SmallPtrSet<Function*, 8> seen;
    return synchronises(instruction, seen);
  });
}

/// What is known of variables: comparisons of one with a number, and what they give.
using comparison = std::tuple<AllocaInst*, CmpInst::Predicate, int64_t>;
using knowledge = std::map<comparison, bool>;

/// A block with what is known before it, come to from another one.
struct place {
  BasicBlock* before;
  BasicBlock* block;
  knowledge known;
  auto operator<=>(const place&) const = default;
};

constexpr size_t k_most_waiting_places = 256;

/// The comparison that a value is the answer to, or (`negated`) the opposite of; nothing: it is not of this form.
std::optional<comparison> comparison_of(Value* value, bool& negated) {
  Value* inner = nullptr;
  if (PatternMatch::match(value, PatternMatch::m_Not(PatternMatch::m_Value(inner)))) {
    negated = !negated;
    return comparison_of(inner, negated);
  }
  auto predicate = CmpInst::ICMP_NE;
  int64_t number = 0;
  if (auto* compare = dyn_cast<ICmpInst>(value)) {
    auto* with = dyn_cast<ConstantInt>(compare->getOperand(1));
    if (with == nullptr || with->getBitWidth() > 64) return std::nullopt;
    predicate = compare->getPredicate();
    number = with->getSExtValue();
    inner = compare->getOperand(0);
  } else if (auto* truth = dyn_cast<TruncInst>(value)) {
    inner = truth->getOperand(0);
  } else {
    return std::nullopt;
  }
  auto* load = dyn_cast<LoadInst>(inner);
  auto* variable = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
  if (variable == nullptr) return std::nullopt;
  // Of what the variable is when the block ends.
  for (Instruction* at = load->getNextNode(); at != nullptr; at = at->getNextNode()) {
    if (auto* store = dyn_cast<StoreInst>(at); store != nullptr && root_of(store->getPointerOperand()) == variable)
      return std::nullopt;
  }
  return comparison{variable, predicate, number};
}

/// What a comparison gives, where that is known.
std::optional<bool> answer(const comparison& asked, const knowledge& known) {
  const auto& [variable, predicate, number] = asked;
  for (const auto& [fact, holds] : known) {
    const auto& [of, by, with] = fact;
    if (of != variable) continue;
    if (by == CmpInst::ICMP_EQ && holds) {
      return ICmpInst::compare(APInt(64, static_cast<uint64_t>(with), true),
                               APInt(64, static_cast<uint64_t>(number), true), predicate);
    }
    if (with == number && by == predicate) return holds;
    if (with == number && by == CmpInst::getInversePredicate(predicate)) return !holds;
  }
  return std::nullopt;
}

/// Where a thread may come to from a place.
std::vector<place> places_after(const place& at) {
  knowledge known = at.known;
  for (Instruction& instruction : *at.block) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    Value* const variable = store == nullptr ? nullptr : root_of(store->getPointerOperand());
    if (variable == nullptr) continue;
    std::erase_if(known, [&](const auto& each) { return std::get<0>(each.first) == variable; });
    auto* number = dyn_cast<ConstantInt>(store->getValueOperand());
    if (number != nullptr && store->getPointerOperand() == variable && number->getBitWidth() <= 64) {
      known[{cast<AllocaInst>(variable), CmpInst::ICMP_EQ, number->getSExtValue()}] = true;
    }
  }
  std::vector<place> after;
  auto* branch = dyn_cast<BranchInst>(at.block->getTerminator());
  if (branch == nullptr || branch->isUnconditional()) {
    for (BasicBlock* next : successors(at.block)) after.push_back({at.block, next, known});
    return after;
  }
  Value* condition = branch->getCondition();
  // Of && and ||.
  auto* either = dyn_cast<PHINode>(condition);
  if (either != nullptr && either->getParent() == at.block && at.before != nullptr) {
    condition = either->getIncomingValueForBlock(at.before);
  }
  bool negated = false;
  const auto asked = comparison_of(condition, negated);
  std::optional<bool> given;
  if (auto* constant = dyn_cast<ConstantInt>(condition)) given = constant->isOne();
  if (asked.has_value()) given = answer(*asked, known);
  for (const bool holds : {false, true}) {
    if (given.has_value() && *given != holds) continue;
    knowledge then = known;
    if (asked.has_value() && !given.has_value()) then[*asked] = holds;
    after.push_back({at.block, branch->getSuccessor(holds != negated ? 0 : 1), std::move(then)});
  }
  return after;
}

/// The function's variable that a store writes; null: what it writes is not only this function's.
AllocaInst* written_by(StoreInst& store) { return dyn_cast_or_null<AllocaInst>(root_of(store.getPointerOperand())); }

/// The ways round a loop, from its head to its head.
class ways_round {
 public:
  ways_round(const Loop& loop, const LoopInfo& loops, const DominatorTree& tree)
      : loop_(loop), loops_(loops), tree_(tree) {
    for (BasicBlock* block : loop.blocks()) {
      for (Instruction& instruction : *block) {
        if (auto* store = dyn_cast<StoreInst>(&instruction)) {
          if (AllocaInst* variable = written_by(*store)) stores_[variable].push_back(store);
        }
      }
    }
  }

  /// Whether there is one that synchronises, and changes nothing that the branches on such ways ask for: who has gone
  /// it once goes it until somebody else has changed something.
  bool one_waits() {
    if (none_of(loop_.blocks(), [](BasicBlock* block) { return synchronises(*block); })) return false;
    leave_out([](BasicBlock& block) {
      return !all_of(block, [](Instruction& instruction) {
        if (auto* store = dyn_cast<StoreInst>(&instruction)) return written_by(*store) != nullptr;
        SmallPtrSet<Function*, 8> seen;
        return changes_nothing(instruction, seen);
      });
    });
    SetVector<AllocaInst*> asked;
    for (BasicBlock* block : gone()) {
      if (loops_.getLoopFor(block) != &loop_) continue;
      for (Value* operand : block->getTerminator()->operands()) add_variables_of(operand, asked);
    }
    add_origins(asked);
    leave_out([&](BasicBlock& block) {
      return any_of(block, [&](Instruction& instruction) {
        auto* store = dyn_cast<StoreInst>(&instruction);
        if (store == nullptr) return false;
        AllocaInst* variable = written_by(*store);
        return asked.contains(variable) && tells(*variable);
      });
    });
    return comes_back();
  }

 private:
  /// Leaves out ways through blocks of which this is true. An inner loop is gone through as a whole, or not at all.
  template <class Condition>
  void leave_out(const Condition& condition) {
    for (BasicBlock* block : loop_.blocks()) {
      if (!condition(*block)) continue;
      const Loop* within = loops_.getLoopFor(block);
      while (within != &loop_ && within->getParentLoop() != &loop_) within = within->getParentLoop();
      if (within == &loop_) {
        left_out_.insert(block);
      } else {
        left_out_.insert(within->block_begin(), within->block_end());
      }
    }
  }

  /// The blocks on ways that are not left out.
  SmallVector<BasicBlock*> gone() const {
    const auto reached = [&](auto next) {
      SmallPtrSet<BasicBlock*, 16> all;
      SmallVector<BasicBlock*> open{loop_.getHeader()};
      while (!open.empty()) {
        for (BasicBlock* block : next(open.pop_back_val())) {
          if (loop_.contains(block) && !left_out_.contains(block) && all.insert(block).second) open.push_back(block);
        }
      }
      return all;
    };
    const auto after = reached([](BasicBlock* block) { return successors(block); });
    const auto before = reached([](BasicBlock* block) { return predecessors(block); });
    SmallVector<BasicBlock*> both;
    copy_if(loop_.blocks(), std::back_inserter(both),
            [&](BasicBlock* block) { return after.contains(block) && before.contains(block); });
    return both;
  }

  /// The function's variables that the loop looks at to find a value.
  void add_variables_of(Value* value, SetVector<AllocaInst*>& variables) const {
    SmallPtrSet<Value*, 16> seen;
    SmallVector<Value*> open{value};
    while (!open.empty()) {
      auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
      if (instruction == nullptr || !seen.insert(instruction).second) continue;
      if (auto* variable = dyn_cast<AllocaInst>(instruction)) {
        variables.insert(variable);
      } else if (loop_.contains(instruction)) {
        open.append(instruction->op_begin(), instruction->op_end());
      }
    }
  }

  /// And those from which their values come.
  void add_origins(SetVector<AllocaInst*>& variables) const {
    for (size_t next = 0; next < variables.size(); ++next) {
      for (StoreInst* store : stores_.lookup(variables[next])) add_variables_of(store->getValueOperand(), variables);
    }
  }

  /// Whether one time round tells the next one by a variable what may be different each time.
  bool tells(AllocaInst& variable) {
    auto [known, is_new] = tells_.try_emplace(&variable, false);
    if (is_new) known->second = carries(variable) && !settles(variable);
    return known->second;
  }

  /// Whether one time round may tell the next one something by a variable: not if each writes it first.
  bool carries(AllocaInst& variable) const {
    const auto stores = stores_.lookup(&variable);
    return !stores.empty() && none_of(stores, [&](StoreInst* store) {
      return store->getPointerOperand() == &variable && all_of(variable.users(), [&](User* user) {
               auto* use = cast<Instruction>(user);
               auto* other = dyn_cast<StoreInst>(use);
               return !loop_.contains(use) || is_marker(*use) || tree_.dominates(store, use) || use == store ||
                      (other != nullptr && other->getPointerOperand() == &variable);
             });
    });
  }

  /// Whether a variable is the same after each time round: what memory of others says, and nothing that is carried.
  bool settles(AllocaInst& variable) const {
    const auto stores = stores_.lookup(&variable);
    if (stores.size() != 1 || stores.front()->getPointerOperand() != &variable) return false;
    SetVector<AllocaInst*> origins;
    add_variables_of(stores.front()->getValueOperand(), origins);
    add_origins(origins);
    return !isa<Constant>(stores.front()->getValueOperand()) &&
           none_of(origins, [&](AllocaInst* origin) { return carries(*origin); });
  }

  /// Whether a way comes back to where it has been, with all that it knows of the variables, and has synchronised.
  bool comes_back() const {
    const auto blocks = gone();
    if (none_of(blocks, [](BasicBlock* block) { return synchronises(*block); })) return false;
    const SmallPtrSet<BasicBlock*, 16> open_to(blocks.begin(), blocks.end());
    std::map<place, std::vector<place>> ways;
    std::vector<place> open{{nullptr, loop_.getHeader(), {}}};
    while (!open.empty()) {
      const place at = open.back();
      open.pop_back();
      if (!open_to.contains(at.block) || ways.contains(at)) continue;
      // More than anybody writes by hand.
      if (ways.size() == k_most_waiting_places) return false;
      auto& next = ways[at] = places_after(at);
      open.insert(open.end(), next.begin(), next.end());
    }
    const auto leads_to = [&](const place& from) {
      std::set<place> all;
      std::vector<place> left{from};
      while (!left.empty()) {
        const auto found = ways.find(left.back());
        left.pop_back();
        if (found == ways.end()) continue;
        for (const place& next : found->second) {
          if (all.insert(next).second) left.push_back(next);
        }
      }
      return all;
    };
    return any_of(ways, [&](const auto& each) {
      const place& head = each.first;
      if (head.block != loop_.getHeader()) return false;
      const auto after = leads_to(head);
      return after.contains(head) && any_of(after, [&](const place& at) {
               return ways.contains(at) && synchronises(*at.block) && leads_to(at).contains(head);
             });
    });
  }

  const Loop& loop_;
  const LoopInfo& loops_;
  const DominatorTree& tree_;
  DenseMap<AllocaInst*, SmallVector<StoreInst*>> stores_;  // into the function's variables, in the loop
  std::map<AllocaInst*, bool> tells_;
  SmallPtrSet<BasicBlock*, 16> left_out_;
};

/// Before anything is optimised, every loop that ends by itself writes its counter.
bool changes_nothing(const Loop& loop) {
  if (isa<PHINode>(loop.getHeader()->front())) return false;
  return all_of(loop.blocks(), [](BasicBlock* block) {
    return all_of(*block, [](Instruction& instruction) {
      SmallPtrSet<Function*, 8> seen;
      return keeps_what_was_seen(instruction) || changes_nothing(instruction, seen);
    });
  });
}

}  // namespace

bool has_loop_that_waits(Function& function) {
  if (function.isDeclaration()) return false;
  const DominatorTree tree(function);
  const LoopInfo loops(tree);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop* loop) {
    if (changes_nothing(*loop)) return true;
    return !isa<PHINode>(loop->getHeader()->front()) && ways_round(*loop, loops, tree).one_waits();
  });
}

}  // namespace takt_plugin
