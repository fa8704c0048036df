// Where code holds a lock: see "Locks" in README.md beside this file.
#include "reach/holding.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace takt_plugin {

using namespace llvm;

namespace {

/// What a call of a library changes. Of a test: if the lock is held then.
held change_by(StringRef callee) {
  // Members of C++'s mutexes and guards; some are not seen, and some try again and again.
  if (callee.starts_with("_ZNSt") && callee.contains("mutex")) {
    if (callee.ends_with("4lockEv") || callee.ends_with("8try_lockEv")) return {.mutexes = 1};
    if (callee.ends_with("6unlockEv") || callee.ends_with("13unlock_sharedEv")) return {.mutexes = -1};
    if (callee.ends_with("11lock_sharedEv") || callee.ends_with("15try_lock_sharedEv")) return {.mutexes = 1};
  }
  const std::uint32_t what = traits_of(callee);
  const int by = (what & trait::takes) != 0 ? 1 : (what & trait::gives) != 0 ? -1 : 0;
  const auto of = [&](trait::set lock) { return (what & lock) != 0 ? by : 0; };
  return {of(trait::critical), of(trait::lock), of(trait::guard), of(trait::mutex)};
}

/// std::lock, which takes all that it is given, whatever it tries on the way.
bool locks_all(StringRef callee) { return callee.starts_with("_ZSt4lockI") || callee.starts_with("_ZNSt3__14lockI"); }

/// Whether a call may take no lock; its answer tells.
bool is_test(StringRef callee) {
  // Of C++'s mutexes by their names.
  return is(callee, trait::tests) || callee.contains("try_lock");
}

held operator+(held a, held b) {
  return {a.criticals + b.criticals, a.locks + b.locks, a.statics + b.statics, a.mutexes + b.mutexes};
}

/// Mutexes that may be held. A guard may be asked whether it holds its mutex, so that each is followed by itself.
class mutexes {
 public:
  /// A call changes their number, by what `object` stands for; null: by something that is not this function's.
  void change(int by, const AllocaInst* object) {
    auto own = object == nullptr ? own_.end() : own_.find(object);
    if (own == own_.end() && (object == nullptr || by < 0)) {
      most_ = std::clamp(most_ + by, -k_most, k_most);
      least_ = std::clamp(least_ + by, -k_most, k_most);
    } else {
      int& count = own == own_.end() ? own_[object] : own->second;
      count = std::clamp(count + by, 0, k_most);
    }
  }

  /// Another way leads here, too. @returns whether that is more than was known.
  bool add(const mutexes& other) {
    const mutexes before = *this;
    most_ = std::max(most_, other.most_);
    least_ = std::min(least_, other.least_);
    for (auto [object, count] : other.own_) own_[object] = std::max(own_[object], count);
    return *this != before;
  }

  /// What may be taken or given back on one way counts on all.
  int count() const {
    int own = 0;
    for (auto [object, count] : own_) own += count;
    return most_ + own > 0 ? most_ + own : least_ + own;
  }

  bool operator==(const mutexes&) const = default;

 private:
  static constexpr int k_most = 16;  // loops that take one each time end here

  int most_ = 0, least_ = 0;
  std::map<const AllocaInst*, int> own_;
};

struct state {
  held exact;
  mutexes all;
  held now() const { return exact + held{.mutexes = all.count()}; }

  void change(held by, const CallBase& call) {
    if (by.mutexes != 0) {
      Value* object = call.arg_empty() ? nullptr : call.getArgOperand(0);
      if (object != nullptr) object = object->getType()->isPointerTy() ? root_of(object) : nullptr;
      all.change(by.mutexes, dyn_cast_or_null<AllocaInst>(object));
      by.mutexes = 0;
    }
    exact = exact + by;
  }
};

/// A test of a lock, and the way on which it is held.
struct tested {
  BasicBlock* way = nullptr;
  CallBase* call = nullptr;
  held change;
};

/// The way on from a test of a lock if it is held then; nulls: not known.
std::pair<BasicBlock*, BasicBlock*> way_if_held(CallBase& test) {
  auto* invoke = dyn_cast<InvokeInst>(&test);
  BasicBlock* const block = invoke == nullptr ? test.getParent() : invoke->getNormalDest();
  if (invoke != nullptr && block->getSinglePredecessor() == nullptr) return {};
  auto* branch = dyn_cast<BranchInst>(block->getTerminator());
  if (branch == nullptr || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return {};
  Value* condition = branch->getCondition();
  Value* inner = nullptr;
  // Of pthreads and C, 0 is success.
  unsigned way = name_of(test).starts_with("pthread_") || name_of(test).starts_with("mtx_") ? 1 : 0;
  for (; PatternMatch::match(condition, PatternMatch::m_Not(PatternMatch::m_Value(inner))); condition = inner) way ^= 1;
  if (condition != &test) {
    auto* compare = dyn_cast<ICmpInst>(condition);
    if (compare == nullptr || !compare->isEquality() || compare->getOperand(0) != &test ||
        !PatternMatch::match(compare->getOperand(1), PatternMatch::m_Zero())) {
      return {};
    }
    if (compare->getPredicate() == CmpInst::ICMP_EQ) way ^= 1;
  }
  for (Instruction* at = invoke == nullptr ? test.getNextNode() : &block->front(); at != nullptr;
       at = at->getNextNode()) {
    if (isa<CallBase>(at) && !is_marker(*at)) return {};
  }
  return {block, branch->getSuccessor(way)};
}

}  // namespace

bool is_lock_call(StringRef callee) {
  const held change = change_by(callee);
  return change.locks != 0 || change.mutexes != 0 || change.statics != 0;
}

const holding& holdings::of(Function& function) {
  auto [found, is_new] = known_.try_emplace(&function);
  if (is_new) {
    // One that calls itself is taken to end as it began, which has to be what it then does.
    found->second = std::make_unique<holding>();
    found->second->unwinds = true;
    begun_.insert(&function);
    holding made = walk(function);
    if (!begun_.erase(&function) && !made.at_end.is_even()) made.known = false;
    *known_[&function] = std::move(made);
  } else {
    begun_.erase(&function);
  }
  return *known_[&function];
}

holding holdings::walk(Function& function) {
  holding result;
  std::map<BasicBlock*, state> before;
  SmallVector<BasicBlock*> open;
  DenseMap<BasicBlock*, tested> taken;
  std::optional<state> at_end;
  const auto go = [&](BasicBlock& block, const state& now) {
    auto [found, is_new] = before.try_emplace(&block, now);
    // Where the program ends, as in a handler for all that is thrown, it does not matter.
    if (found->second.exact != now.exact && !isa<UnreachableInst>(block.getTerminator())) result.known = false;
    if (is_new || found->second.all.add(now.all)) open.push_back(&block);
  };
  go(function.getEntryBlock(), {});
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    state now = before.at(block);
    state thrown = now;
    bool throws = true;
    for (Instruction& instruction : *block) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr || isa<IntrinsicInst>(call)) continue;
      const StringRef name = name_of(*call);
      thrown = now;
      throws = false;
      const held change =
          locks_all(name) ? held{.mutexes = static_cast<int>(call->arg_size())} : change_by(name);
      std::pair<BasicBlock*, BasicBlock*> held_way;
      if (change.any() && is_test(name)) held_way = way_if_held(*call);
      const auto [from, to] = held_way;
      if (from != nullptr) {
        taken[from] = {to, call, change};
        continue;
      }
      if (change != held{}) {
        // Of a mutex it is taken to be held.
        if (change.any() && change.mutexes == 0 && is_test(name)) {
          result.known = false;
        } else {
          now.change(change, *call);
        }
        continue;
      }
      if (now.now().any()) result.holders[call] = now.now();
      throws = !call->doesNotThrow() && !is_kmpc(*call);
      if (auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
          callee != nullptr && !callee->isDeclaration()) {
        const holding& inner = of(*callee);
        now.change(inner.at_end, *call);
        result.known &= inner.known;
        throws &= inner.unwinds;
      }
      result.unwinds |= throws && !isa<InvokeInst>(call);
    }
    if (isa<ReturnInst>(block->getTerminator())) {
      if (at_end && at_end->exact != now.exact) result.known = false;
      if (!at_end) at_end = now;
      at_end->all.add(now.all);
    } else if (isa<ResumeInst>(block->getTerminator())) {
      result.unwinds = true;
      if (!now.exact.is_even()) result.known = false;
    }
    auto* invoke = dyn_cast<InvokeInst>(block->getTerminator());
    for (BasicBlock* next : successors(block)) {
      if (invoke != nullptr && next == invoke->getUnwindDest()) {
        if (throws) go(*next, thrown);
        continue;
      }
      state then = now;
      if (const tested test = taken.lookup(block); test.way == next) then.change(test.change, *test.call);
      go(*next, then);
    }
  }
  if (at_end) result.at_end = at_end->now();
  return result;
}

}  // namespace takt_plugin
