// Which loops run where. See "The rewriting" in README.md beside this file.
#include "loops/places.hpp"

#include "openmp/calls.hpp"
#include "openmp/pointers.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>

namespace takt_plugin {

using namespace llvm;

namespace {

// Instructions as Clang writes them, of which optimised code runs a third or less: about a microsecond, unless they
// wait for memory. Loops of up to two are free at run time, too.
constexpr std::uint64_t k_plain = 8192;
// In the same unit. To call a slice takes some ten nanoseconds.
constexpr std::uint64_t k_long_iteration = 150;
// A slice makes private copies of what is reduced, and combines them: that may take as long as a short loop.
constexpr std::uint64_t k_few_bytes = 32;
constexpr std::uint64_t k_some_bytes = 4096;
constexpr std::uint64_t k_endless = ~0ull;

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > k_endless - b ? k_endless : a + b; }
std::uint64_t times(std::uint64_t a, std::uint64_t b) { return b != 0 && a > k_endless / b ? k_endless : a * b; }

/// What calling `from` may run, as far as this file shows it.
std::set<const Function*> called_from(const Function& from) {
  std::set<const Function*> called{&from};
  SmallVector<const Function*> open{&from};
  while (!open.empty()) {
    for (auto* call : calls_in(instructions(*open.pop_back_val()))) {
      const Value* callee = name_of(*call) == kmpc::fork_call ? call->getArgOperand(2) : call->getCalledOperand();
      auto* function = dyn_cast<Function>(callee->stripPointerCasts());
      if (function != nullptr && !function->isDeclaration() && called.insert(function).second) open.push_back(function);
    }
  }
  return called;
}

/// The number of iterations, if the compiler knows it; else 0.
std::uint64_t known_iterations(const region& found) {
  if (found.next != nullptr || found.is_chunked) return 0;
  const auto first_value = [&](const AllocaInst& bound) -> const ConstantInt* {
    for (const User* user : bound.users()) {
      auto* store = dyn_cast<StoreInst>(user);
      auto* value = store == nullptr ? nullptr : dyn_cast<ConstantInt>(store->getValueOperand());
      if (value != nullptr && store->getParent() == found.init->getParent()) return value;
    }
    return nullptr;
  };
  const ConstantInt* lower = first_value(*found.lower);
  const ConstantInt* upper = first_value(*found.upper);
  if (lower == nullptr || upper == nullptr || !lower->isZero() || upper->getBitWidth() > 64) return 0;
  return plus(upper->getZExtValue(), 1);
}

std::uint64_t bytes_of_results(const candidate& loop) {
  std::uint64_t sum = 0;
  for (const reduction_part& part : loop.found->parts) {
    sum = plus(sum, part.length == nullptr ? part.bytes : k_endless);
  }
  return sum;
}

/// How much there is to run: instructions, in every branch of the code.
class weights {
 public:
  explicit weights(const std::vector<candidate>& loops) {
    for (const candidate& loop : loops) {
      if (!loop.is_team) loops_[loop.where->outlined] = &loop;
    }
  }

  /// All of a loop, with what is beside it.
  std::uint64_t of_loop(const candidate& loop) {
    const std::uint64_t iterations = known_iterations(*loop.found);
    return iterations == 0
               ? k_endless
               : plus(of_code(*loop.where->outlined, loop.found->atomic_way), times(iterations, of_iteration(loop)));
  }

  std::uint64_t of_iteration(const candidate& loop) {
    const DominatorTree tree(*loop.where->outlined);
    const LoopInfo all(tree);
    // With chunks there is a loop around the loop.
    const bool is_in_loop = loop.found->next != nullptr || loop.found->is_chunked;
    if (all.getLoopsInPreorder().size() != (is_in_loop ? 2 : 1)) return k_endless;
    std::uint64_t sum = 0;
    for (const BasicBlock* block : all.getLoopsInPreorder().back()->blocks()) sum = plus(sum, of_block(*block));
    return sum;
  }

 private:
  /// Of a function, each instruction once.
  std::uint64_t of_code(Function& function, const block_set& ignored) {
    std::uint64_t sum = 0;
    for (BasicBlock& block : function) {
      if (!ignored.contains(&block)) sum = plus(sum, of_block(block));
    }
    return sum;
  }

  std::uint64_t of_block(const BasicBlock& block) {
    std::uint64_t sum = 0;
    for (const Instruction& instruction : block) {
      sum = plus(sum, of(instruction));
      if (sum > k_plain) return k_endless;
    }
    return sum;
  }

  std::uint64_t of_called(Function& function) {
    if (function.isDeclaration()) return k_endless;
    // A recursion is endless.
    auto [known, is_new] = known_.emplace(&function, k_endless);
    if (!is_new) return known->second;
    const DominatorTree tree(function);
    if (LoopInfo(tree).empty()) known->second = of_code(function, {});
    return known->second;
  }

  std::uint64_t of(const Instruction& instruction) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr) return 1;
    if (is_marker(instruction)) return 0;
    if (auto* memory = dyn_cast<MemIntrinsic>(call)) {
      auto* length = dyn_cast<ConstantInt>(memory->getLength());
      return length == nullptr ? k_endless : plus(1, length->getZExtValue() / 8);
    }
    if (isa<IntrinsicInst>(call)) return 1;
    if (name_of(*call) == kmpc::fork_call) {
      auto inner = loops_.find(dyn_cast<Function>(call->getArgOperand(2)->stripPointerCasts()));
      return inner == loops_.end() ? k_endless : of_loop(*inner->second);
    }
    // Such calls are not left in a plain loop.
    if (is_kmpc(*call)) return is_lock_or_fence(name_of(*call)) ? k_endless : 1;
    return call->getCalledFunction() == nullptr ? k_endless : of_called(*call->getCalledFunction());
  }

  std::map<const Function*, const candidate*> loops_;
  std::map<const Function*, std::uint64_t> known_;
};

}  // namespace

places find_places(const std::vector<candidate>& loops, bool optimise) {
  places found;
  weights weight(loops);
  std::map<const candidate*, std::set<const Function*>> called;
  std::set<const Function*> inside;
  for (const candidate& loop : loops) {
    if (loop.is_team) continue;
    called[&loop] = called_from(*loop.where->outlined);
    inside.insert(called[&loop].begin(), called[&loop].end());
  }
  const auto start_of = [](const candidate& loop) { return loop.where->fork->getFunction(); };
  const auto may_change = [&](const candidate& loop) {
    return optimise && !loop.is_team && !loop.where->outlined->hasOptNone();
  };
  for (const candidate& loop : loops) {
    const bool is_plain = may_change(loop) && inside.contains(start_of(loop)) && weight.of_loop(loop) <= k_plain;
    (is_plain ? found.plain : found.nesting).insert(is_plain ? loop.where->outlined : start_of(loop));
    // An iteration with tasks is not of the kind that a credit covers.
    const bool has_tasks = any_of(instructions(*loop.where->outlined), [](const Instruction& instruction) {
      auto* call = dyn_cast<CallBase>(&instruction);
      return call != nullptr && runs_tasks(*call);
    });
    if (has_tasks) found.nesting.insert(loop.where->outlined);
  }
  std::set<const Function*> inside_middle;
  for (const candidate& loop : loops) {
    if (loop.is_team || loop.open || !inside.contains(start_of(loop))) continue;
    // Not in a recursion, where a short loop says nothing about one further up.
    const bool is_recursive = called[&loop].contains(start_of(loop));
    if (is_recursive || !found.nesting.contains(loop.where->outlined)) continue;
    found.middle.insert(loop.where->outlined);
    inside_middle.insert(called[&loop].begin(), called[&loop].end());
  }
  for (const candidate& loop : loops) {
    if (!may_change(loop) || found.plain.contains(loop.where->outlined)) continue;
    const bool is_inside = inside.contains(start_of(loop));
    if (bytes_of_results(loop) > (is_inside ? k_few_bytes : k_some_bytes)) continue;
    // A loop in the middle starts others. Those inside it are more, and shorter.
    const bool is_long = found.middle.contains(loop.where->outlined) ? !inside_middle.contains(start_of(loop))
                                                                     : weight.of_iteration(loop) >= k_long_iteration;
    if (!is_inside || is_long) found.shared.insert(loop.where->outlined);
  }
  return found;
}

}  // namespace takt_plugin
