// Recognition of loops. See "What is recognised" in README.md beside this file; openmp/README.md has the IR.
#include "loops/recognition.hpp"

#include "loops/own_memory.hpp"
#include "loops/surroundings.hpp"
#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "openmp/mended.hpp"
#include "openmp/pointers.hpp"
#include "reach/effects.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <takt/kmp.hpp>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

AllocaInst* slot_of(const CallInst& call, unsigned operand) {
  return dyn_cast<AllocaInst>(call.getArgOperand(operand));
}

std::uint64_t schedule_of(const CallInst& init) {
  auto* kind = dyn_cast<ConstantInt>(init.getArgOperand(2));
  return kind == nullptr ? 0 : kind->getZExtValue() & ~takt::kmp::k_schedule_modifiers;
}

refusal read_static(region& found) {
  const std::uint64_t kind = schedule_of(*found.init);
  if (kind >= takt::kmp::k_first_ordered && kind <= takt::kmp::k_last_ordered) return reason::ordered;
  if (kind != takt::kmp::k_static && kind != takt::kmp::k_static_chunked &&
      kind != takt::kmp::k_static_balanced_chunked) {
    return {reason::schedule, std::to_string(kind)};
  }
  // Clang makes the loop around the loop for both.
  found.is_chunked = kind != takt::kmp::k_static;
  if (found.is_chunked) found.chunk = 8;
  found.last = slot_of(*found.init, 3);
  found.lower = slot_of(*found.init, 4);
  found.upper = slot_of(*found.init, 5);
  found.stride = slot_of(*found.init, 6);
  auto* step = dyn_cast<ConstantInt>(found.init->getArgOperand(7));
  if (found.fini == nullptr || step == nullptr || !step->isOne()) return reason::loop_shape;
  return {};
}

refusal read_dispatch(region& found) {
  const std::uint64_t kind = schedule_of(*found.init);
  if (kind >= takt::kmp::k_first_ordered && kind <= takt::kmp::k_last_ordered) return reason::ordered;
  if (kind < takt::kmp::k_first_dynamic || kind > takt::kmp::k_last_dynamic) {
    return {reason::schedule, std::to_string(kind)};
  }
  if (found.next == nullptr) return reason::loop_shape;
  // Others may begin and end their chunks where they like.
  if (kind == takt::kmp::k_first_dynamic) found.chunk = 6;
  found.last = slot_of(*found.next, 2);
  found.lower = slot_of(*found.next, 3);
  found.upper = slot_of(*found.next, 4);
  found.stride = slot_of(*found.next, 5);
  auto* step = dyn_cast<ConstantInt>(found.init->getArgOperand(5));
  if (step == nullptr || !step->isOne()) return reason::loop_shape;
  return {};
}

/// What leaves a region by an exception ends the program.
bool ends_by_exception(const BasicBlock& block) {
  return block.isLandingPad() && isa<UnreachableInst>(block.getTerminator());
}

/// Whether nothing that comes after a barrier can tell whether there was one: it is behind the loop, and what follows
/// looks at the function's own variables only.
/// `is_unseen(pointer)`: nobody could tell by what is there, either.
bool only_ends(const region& found, ArrayRef<CallInst*> barriers, const DominatorTree& tree,
               function_ref<bool(const Value&)> is_unseen) {
  block_set combining;
  if (found.reduce != nullptr) {
    if (!all_of(found.reduce->users(), [](const User* chooser) { return isa<SwitchInst>(chooser); })) return false;
    collect_combination(*found.reduce, tree, combining);
  }
  const auto is_own = [&](Value* pointer) {
    Value* root = root_of(pointer);
    // The first two say which thread it is, and that goes to the OpenMP runtime only.
    auto* argument = dyn_cast_or_null<Argument>(root);
    return isa_and_nonnull<AllocaInst>(root) || (argument != nullptr && argument->getArgNo() < 2) ||
           is_unseen(*pointer);
  };
  const auto is_harmless = [&](Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) return is_own(load->getPointerOperand());
    if (auto* store = dyn_cast<StoreInst>(&instruction)) return is_own(store->getPointerOperand());
    if (isa<IntrinsicInst>(instruction)) return is_marker(instruction);
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      return is_kmpc(*call) ? !starts_loop(name_of(*call)) && name_of(*call) != kmpc::fork_call
                            : makes_private_copy(*call) || gives_back_own_memory(*call);
    }
    return !instruction.mayReadOrWriteMemory();
  };
  block_set seen;
  SmallVector<Instruction*> open;
  for (CallInst* barrier : barriers) open.push_back(barrier->getNextNode());
  while (!open.empty()) {
    Instruction* at = open.pop_back_val();
    for (BasicBlock* next : successors(at->getParent())) {
      if (seen.insert(next).second) open.push_back(&next->front());
    }
    if (combining.contains(at->getParent()) || ends_by_exception(*at->getParent())) continue;
    for (; at != nullptr; at = at->getNextNode()) {
      if (!is_harmless(*at)) return false;
    }
  }
  return true;
}

/// Whether something is done by whoever has the last iteration.
bool has_last(const region& found, const DominatorTree& tree) {
  block_set once;
  collect_last(*found.last, tree, once);
  return !once.empty();
}

/// Whether the loop stands in another one of the region: a slice has its iterations once.
bool comes_again(const region& found) {
  return found.fini != nullptr && blocks_behind(*found.fini->getParent()).contains(found.init->getParent());
}

/// The iterations are run again and again, chunk by chunk: nothing computed inside may be used outside.
bool is_repeatable(const region& found) {
  if (found.next != nullptr) return true;
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  for (BasicBlock* block : inside) {
    for (Instruction& instruction : *block) {
      if (block == found.init->getParent() && !found.init->comesBefore(&instruction)) continue;
      if (block == found.fini->getParent() && !instruction.comesBefore(found.fini)) continue;
      for (User* user : instruction.users()) {
        auto* where = cast<Instruction>(user);
        const bool after =
            !inside.contains(where->getParent()) ||
            (where != found.fini && where->getParent() == found.fini->getParent() && !where->comesBefore(found.fini));
        if (after) return false;
      }
    }
  }
  return true;
}

/// Where the iterations look at the number of their thread, if that may be the number of a slice. None, if a program may
/// count on the thread that has an iteration: OpenMP says which one it is where chunks are dealt out in turn.
std::vector<Instruction*> numbers_of_iterations(const region& found) {
  std::vector<Instruction*> numbers;
  if (found.is_chunked || !may_be_pooled(found)) return {};
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  for (auto* call : calls_in(instructions(*found.outlined))) {
    if (name_of(*call) != omp::get_thread_num) continue;
    numbers.push_back(call);
    if (is_of_iterations(found, inside, *call)) continue;
    // Kept in a variable that only they look at.
    auto* store = call->hasOneUse() ? dyn_cast<StoreInst>(call->user_back()) : nullptr;
    auto* variable = store == nullptr ? nullptr : dyn_cast<AllocaInst>(store->getPointerOperand());
    if (variable == nullptr || only_store(*variable) != store) return {};
    for (User* user : variable->users()) {
      auto* load = dyn_cast<LoadInst>(user);
      if (load == nullptr) continue;
      if (load->getType() != call->getType() || load->isVolatile()) return {};
      if (!is_of_iterations(found, inside, *load)) return {};
      numbers.push_back(load);
    }
  }
  return numbers;
}

}  // namespace

refusal recognise(const site& where, const std::vector<site>& sites, region& found, bool with_epilogue) {
  Function& outlined = *where.outlined;
  found.outlined = &outlined;
  if (outlined.isDeclaration() || !outlined.hasLocalLinkage()) return reason::outlined_unknown;
  const std::size_t expected_uses = where.serial != nullptr ? 2 : 1;
  if (outlined.getNumUses() != expected_uses) return reason::outlined_used;

  std::vector<CallBase*> other_calls;
  std::vector<CallInst*> barriers;
  refusal several;
  for (auto* call : calls_in(instructions(outlined))) {
    if (!is_kmpc(*call)) continue;
    auto* plain = dyn_cast<CallInst>(call);
    const StringRef name = name_of(*call);
    if (plain != nullptr && starts_loop(name)) {
      if (found.init != nullptr) several = reason::several_loops;
      found.init = plain;
      found.is_unsigned = name.ends_with("u");
    } else if (plain != nullptr && ends_loop(name)) {
      if (found.fini != nullptr) several = reason::several_loops;
      found.fini = plain;
    } else if (plain != nullptr && asks_for_chunk(name)) {
      if (found.next != nullptr) several = reason::several_loops;
      found.next = plain;
    } else if (plain != nullptr && asks_to_combine(name)) {
      if (found.reduce != nullptr) several = reason::combines_again;
      found.reduce = plain;
    } else if (plain != nullptr && combines(name)) {
      found.dropped.push_back(plain);
    } else if (plain != nullptr && (name == kmpc::barrier || name == kmpc::cancel_barrier)) {
      barriers.push_back(plain);
    } else if (!is_lock_or_fence(name) && !cancels_loop(*call)) {
      other_calls.push_back(call);
    }
  }
  const DominatorTree tree(outlined);
  if (found.reduce != nullptr) collect_combination(*found.reduce, tree, found.atomic_way, 2);
  for (CallBase* call : other_calls) {
    if (found.atomic_way.contains(call->getParent())) continue;
    const bool belongs = std::any_of(sites.begin(), sites.end(), [call](const site& s) {
      return call == s.fork || call == s.push_threads || call == s.serial_begin || call == s.serial_end;
    });
    if (!belongs && name_of(*call) != kmpc::global_thread_num) return refusal_for(name_of(*call)).at(*call);
  }

  if (found.init == nullptr) return reason::not_a_loop;
  if (several) return several;
  refusal why = deals_statically(name_of(*found.init)) ? read_static(found) : read_dispatch(found);
  if (why) return why;
  if (found.last == nullptr || found.lower == nullptr || found.upper == nullptr || found.stride == nullptr ||
      !found.lower->getAllocatedType()->isIntegerTy() || !is_repeatable(found)) {
    return reason::loop_shape;
  }
  if (is_ragged(*found.init) && has_last(found, tree)) return reason::ragged_last;
  if (comes_again(found)) return reason::comes_again;
  const auto is_unseen = [&](const Value& pointer) {
    return with_epilogue && is_seen_behind_barriers_only(where, found, barriers, tree, pointer);
  };
  const bool is_divided = !barriers.empty() && !only_ends(found, barriers, tree, is_unseen);
  if (is_divided && !with_epilogue) return reason::barrier;
  found.dropped.insert(found.dropped.end(), barriers.begin(), barriers.end());
  SmallVector<LoadInst*> numbers;
  if (!find_numbers(outlined, numbers)) return reason::thread_number;
  if (found.reduce != nullptr) {
    why = read_parts(found, tree);
    if (why) return why;
  }
  found.numbers = numbers_of_iterations(found);
  if (!with_epilogue) return check_surroundings(found, tree, nullptr);
  if (!may_be_pooled(found)) return reason::effects_beside;
  const epilogue behind(found);
  found.has_epilogue = true;
  why = check_surroundings(found, tree, &behind);
  return !why && is_divided ? refusal(reason::barrier_before_effects) : why;
}

}  // namespace takt_plugin
