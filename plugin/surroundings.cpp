// Whether the code around a loop has effects beyond the slice's own variables.
#include "surroundings.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace takt_plugin {

using namespace llvm;

namespace {

/// What a function may write: nothing but its own variables and what some of its arguments point to.
struct effects {
  bool unknown = false;
  std::uint64_t written_arguments = 0;
};

class effects_of_functions {
 public:
  effects of(Function& function) {
    auto known = known_.find(&function);
    if (known != known_.end()) return known->second;
    known_[&function] = effects{true, 0};  // recursion: not known
    effects result;
    if (function.doesNotAccessMemory() || function.onlyReadsMemory()) {
      known_[&function] = result;
      return result;
    }
    if (function.isDeclaration() || function.isInterposable() || function.arg_size() > 64) return known_[&function];
    for (Instruction& instruction : instructions(function)) {
      add(instruction, result);
      if (result.unknown) break;
    }
    known_[&function] = result;
    return result;
  }

  /// Adds what `instruction` may write, in terms of its own function.
  void add(Instruction& instruction, effects& to) {
    if (!instruction.mayWriteToMemory()) return;
    if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      if (store->isVolatile() || store->isAtomic()) to.unknown = true;
      write_to(store->getPointerOperand(), to);
    } else if (auto* transfer = dyn_cast<MemIntrinsic>(&instruction)) {
      write_to(transfer->getDest(), to);
    } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
      to.unknown |= !is_silent(*intrinsic);
    } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
      add_call(*call, to);
    } else if (auto* load = dyn_cast<LoadInst>(&instruction); load == nullptr || load->isVolatile()) {
      to.unknown = true;
    }
  }

 private:
  static bool is_silent(const IntrinsicInst& intrinsic) {
    switch (intrinsic.getIntrinsicID()) {
      case Intrinsic::lifetime_start:
      case Intrinsic::lifetime_end:
      case Intrinsic::stacksave:
      case Intrinsic::stackrestore:
      case Intrinsic::assume:
      case Intrinsic::experimental_noalias_scope_decl:
      case Intrinsic::dbg_declare:
      case Intrinsic::dbg_value:
      case Intrinsic::dbg_label:
        return true;
      default:
        return intrinsic.doesNotAccessMemory() || intrinsic.onlyReadsMemory();
    }
  }

  static void write_to(Value* pointer, effects& to) {
    Value* root = root_of(pointer);
    if (root == nullptr) {
      to.unknown = true;
    } else if (auto* argument = dyn_cast<Argument>(root)) {
      if (argument->getArgNo() < 64) {
        to.written_arguments |= 1ull << argument->getArgNo();
      } else {
        to.unknown = true;
      }
    }
  }

  void add_call(CallBase& call, effects& to) {
    auto* callee = call.getCalledFunction();
    if (callee == nullptr) {
      to.unknown = true;
      return;
    }
    const effects inner = of(*callee);
    to.unknown |= inner.unknown;
    for (unsigned a = 0; a < call.arg_size() && a < 64; ++a) {
      if ((inner.written_arguments >> a & 1) != 0) write_to(call.getArgOperand(a), to);
    }
  }

  DenseMap<Function*, effects> known_;
};

/// A constructor or destructor of one of the function's own variables: making and ending private copies is what each
/// thread of a team does, however many there are.
bool makes_private_copy(const CallBase& call) {
  auto* callee = call.getCalledFunction();
  if (callee == nullptr || call.arg_empty() || !isa_and_nonnull<AllocaInst>(root_of(call.getArgOperand(0))))
    return false;
  ItaniumPartialDemangler name;
  return !name.partialDemangle(callee->getName().str().c_str()) && name.isCtorOrDtor();
}

/// The blocks that only the slice with the last iteration runs.
void collect_last(const region& found, const DominatorTree& tree, SmallPtrSetImpl<BasicBlock*>& once) {
  for (User* user : found.last->users()) {
    if (!isa<LoadInst>(user)) continue;
    for (User* test : user->users()) {
      auto* compare = dyn_cast<ICmpInst>(test);
      if (compare == nullptr || compare->getPredicate() != CmpInst::ICMP_NE) continue;
      for (User* choice : compare->users()) {
        auto* branch = dyn_cast<BranchInst>(choice);
        if (branch == nullptr || !branch->isConditional()) continue;
        BasicBlock* taken = branch->getSuccessor(0);
        if (taken->getSinglePredecessor() == nullptr) continue;
        SmallVector<BasicBlock*> blocks;
        tree.getDescendants(taken, blocks);
        once.insert(blocks.begin(), blocks.end());
      }
    }
  }
}

/// The blocks that combine a private result into the program's variable.
void collect_combination(const region& found, const DominatorTree& tree, SmallPtrSetImpl<BasicBlock*>& once) {
  if (found.reduce == nullptr) return;
  for (User* user : found.reduce->users()) {
    auto* choice = dyn_cast<SwitchInst>(user);
    if (choice == nullptr) continue;
    for (auto& way : choice->cases()) {
      if (way.getCaseSuccessor()->getSinglePredecessor() == nullptr) continue;
      SmallVector<BasicBlock*> blocks;
      tree.getDescendants(way.getCaseSuccessor(), blocks);
      once.insert(blocks.begin(), blocks.end());
    }
  }
}

}  // namespace

void collect_iterations(const region& found, SmallPtrSetImpl<BasicBlock*>& inside) {
  SmallVector<BasicBlock*> open;
  const auto visit = [&](BasicBlock* block) {
    if (inside.insert(block).second) open.push_back(block);
  };
  BasicBlock* const end = found.next != nullptr ? found.next->getParent() : found.fini->getParent();
  if (found.next != nullptr) {
    // The block that asks for the next chunk comes with each chunk and has no code of the program's.
    inside.insert(end);
    for (BasicBlock* successor : successors(end)) {
      if (found.fini == nullptr || successor != found.fini->getParent()) visit(successor);
    }
  } else {
    inside.insert(end);
    visit(found.init->getParent());
  }
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (block == end || (found.next != nullptr && found.fini != nullptr && block == found.fini->getParent())) continue;
    for (BasicBlock* successor : successors(block)) visit(successor);
  }
}

std::string check_surroundings(const region& found, const DominatorTree& tree) {
  if (found.next != nullptr && found.fini == nullptr) return "its loop has a shape that is not known";
  SmallPtrSet<BasicBlock*, 32> inside;
  collect_iterations(found, inside);
  SmallPtrSet<BasicBlock*, 8> once;
  collect_last(found, tree, once);
  collect_combination(found, tree, once);
  effects_of_functions known;
  effects all;
  for (BasicBlock& block : *found.outlined) {
    if (found.atomic_way.contains(&block) || once.contains(&block)) continue;
    // Here the program ends.
    if (isa<UnreachableInst>(block.getTerminator())) continue;
    for (Instruction& instruction : block) {
      const bool between =
          inside.contains(&block) &&
          !(found.next == nullptr && &block == found.init->getParent() && instruction.comesBefore(found.init)) &&
          !(&block == found.fini->getParent() && !instruction.comesBefore(found.fini));
      if (between) continue;
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call != nullptr && (is_kmpc(*call) || makes_private_copy(*call))) continue;
      known.add(instruction, all);
      if (all.unknown || all.written_arguments != 0) return "code beside the loop may have effects";
    }
  }
  return {};
}

}  // namespace takt_plugin
