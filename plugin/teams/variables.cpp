// Private variables of regions. See "Regions that are more than a loop" in README.md beside this file.
#include "teams/variables.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"
#include "teams/scratch.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

class checker {
 public:
  checker(Function& outlined, const constructs& all, const region_totals& totals, own_variables& own)
      : outlined_(outlined),
        layout_(outlined.getParent()->getDataLayout()),
        all_(all),
        totals_(totals),
        own_(own),
        known_(&outlined) {}

  refusal check_beside();
  refusal check_variables();

 private:
  refusal check_variable(AllocaInst& variable);
  bool is_read_from(Instruction& from, AllocaInst& variable, const accesses& all, bool any_use) const;
  bool is_followed(const construct& loop, AllocaInst& variable) const;

  Function& outlined_;
  const DataLayout& layout_;
  const constructs& all_;
  const region_totals& totals_;
  own_variables& own_;
  effects_of_functions known_;
};

/// Blocks from which the function cannot return: the program ends there.
bool ends_program(const BasicBlock& block) { return isa<UnreachableInst>(block.getTerminator()); }

/// All threads run what is beside the constructs, from the same private variables, each between the same barriers:
/// where two of them would write one variable, nothing orders them, so that what they write must be the same. Unless a
/// lock does, which they would take one after the other.
refusal checker::check_beside() {
  effects all;
  bool locks = false;
  for (BasicBlock& block : outlined_) {
    if (ends_program(block)) continue;
    for (Instruction& instruction : block) {
      if (combines(totals_, instruction) || construct_of(all_, instruction) != nullptr) continue;
      if (auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && is_kmpc(*call)) {
        // Each thread of a team would start it.
        all.unknown |= started_by(*call) != nullptr;
        locks |= begins_critical(name_of(*call));
      } else {
        known_.add(instruction, all);
      }
      if (all.unknown || all.written_arguments != 0 || (locks && all.writes_shared)) {
        return reason::effects_beside_loops;
      }
    }
  }
  return {};
}

/// Whether what a variable holds at `from` may be read from there on. `any_use`: whether it is used in any way.
bool checker::is_read_from(Instruction& from, AllocaInst& variable, const accesses& all, bool any_use) const {
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

/// Whether a pointer into a variable is computed from the variable's address within a construct.
bool is_made_in(const construct& c, const Value& pointer, const AllocaInst& variable) {
  const Value* at = &pointer;
  while (at != &variable) {
    auto* made = dyn_cast<Instruction>(at);
    if (made == nullptr || !c.contains(*made)) return false;
    if (!isa<GetElementPtrInst>(made) && !isa<CastInst>(made)) return false;
    at = made->getOperand(0);
  }
  return true;
}

/// Whether a variable that only one loop uses lives there, and not from one execution of the loop to the next: Clang
/// makes variables in the order of the program, and the loop's bounds first.
bool is_declared_in(const construct& loop, const AllocaInst& variable) {
  for (const User* user : loop.last->users()) {
    auto* call = dyn_cast<CallBase>(user);
    if (call == nullptr || !is_kmpc(*call)) continue;
    for (const Value* argument : call->args()) {
      auto* bound = dyn_cast<AllocaInst>(argument);
      if (bound == nullptr || bound->getParent() != variable.getParent()) continue;
      if (bound == &variable || bound->comesBefore(&variable)) return true;
    }
  }
  return false;
}

/// Whether the region may go on from a loop to a construct, or to the loop again, while a variable lives.
bool checker::is_followed(const construct& loop, AllocaInst& variable) const {
  const auto ends = [&](const Instruction& instruction) {
    auto* life = dyn_cast<IntrinsicInst>(&instruction);
    return life != nullptr && life->getIntrinsicID() == Intrinsic::lifetime_end &&
           is_contained(life->operand_values(), &variable);
  };
  block_set seen;
  SmallVector<Instruction*> open{loop.end};
  while (!open.empty()) {
    Instruction* at = open.pop_back_val();
    BasicBlock* block = at->getParent();
    bool ended = false;
    for (; at != nullptr && !ended; at = at->getNextNode()) {
      if (construct_of(all_, *at) != nullptr) return true;
      ended = ends(*at);
    }
    if (ended) continue;
    for (BasicBlock* next : successors(block)) {
      if (seen.insert(next).second) open.push_back(&next->front());
    }
  }
  return false;
}

refusal checker::check_variable(AllocaInst& variable) {
  if (is_only_sent(variable)) return {};
  SmallPtrSet<const construct*, 4> users;
  for (User* user : variable.users()) {
    if (!is_marker(*user)) users.insert(construct_of(all_, *cast<Instruction>(user)));
  }
  if (users.empty()) return {};
  const bool is_static = variable.isStaticAlloca() && variable.getParent() == &outlined_.getEntryBlock();
  if (users.size() == 1 && *users.begin() != nullptr) {
    const construct* only = *users.begin();
    if (!only->is_loop()) return {};
    if (!is_static) return only->contains(variable) ? reason::none : reason::variable_length;
    if (is_declared_in(*only, variable)) {
      own_[{only, &variable}] = false;
      return {};
    }
  }
  const accesses all = accesses_of(variable, known_);
  if (users.size() == 1 && *users.begin() != nullptr) {
    const construct* only = *users.begin();
    const bool escapes = std::any_of(all.begin(), all.end(), [](const auto& one) { return one.second.escapes; });
    if (!is_read_from(*only->end, variable, all, true) && !(escapes && is_followed(*only, variable))) {
      own_[{only, &variable}] = false;
      return {};
    }
  }
  bool is_simple = is_static;
  for (const auto& [at, a] : all) {
    if (a.escapes && construct_of(all_, *at) == nullptr) return reason::keeps_address;
    is_simple &= a.whole;
  }
  for (const construct& c : all_) {
    bool writes = false, escapes = false;
    // A loop's own copy is not what a pointer made before the loop points to.
    bool may_be_own = is_static;
    for (const auto& [at, a] : all) {
      if (!c.contains(*at)) continue;
      writes |= a.writes;
      escapes |= a.escapes;
      for (Value* pointer : a.by) may_be_own &= is_made_in(c, *pointer, variable);
    }
    if (escapes) return reason::hands_out_address;
    if (!writes) continue;
    if (!c.is_loop()) {
      if (!c.sent.contains(&variable) && is_read_from(*c.call, variable, all, !is_simple) &&
          !(is_static && !may_be_read_from(*c.call, variable, all, all_, known_))) {
        return reason::once_writes_private;
      }
    } else if (is_simple && may_be_own && !is_read_from(*c.begin, variable, all, false)) {
      own_[{&c, &variable}] = false;
    } else if (may_be_own && !may_be_read_from(*c.begin, variable, all, all_, known_)) {
      own_[{&c, &variable}] = false;
    } else if (may_be_own && !is_read_from(*c.end, variable, all, true)) {
      own_[{&c, &variable}] = true;
    } else {
      return reason::loop_writes_private;
    }
  }
  return {};
}

refusal checker::check_variables() {
  for (Instruction& instruction : instructions(outlined_)) {
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      const bool is_total = std::any_of(totals_.all.begin(), totals_.all.end(),
                                        [variable](const total& t) { return t.copy == variable; });
      if (is_total) continue;
      refusal why = check_variable(*variable);
      if (why) return why;
    }
  }
  return {};
}

}  // namespace

refusal check_variables(Function& outlined, const constructs& all, const region_totals& totals,
                            own_variables& own) {
  checker checks(outlined, all, totals, own);
  refusal why = checks.check_beside();
  return !why ? checks.check_variables() : why;
}

}  // namespace takt_plugin
