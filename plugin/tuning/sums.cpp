// The clause says that the order is open. See "Sums" in README.md beside this file.
#include "tuning/sums.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <array>

namespace takt_plugin {

using namespace llvm;

namespace {

// Of a loop that only the vectoriser asks for.
constexpr const char* k_sum_mark = "takt.sum";
constexpr const char* k_rolled = "llvm.loop.unroll.disable";

// Shorter sums gain nothing: four vectors of four.
constexpr unsigned k_least_terms = 16;

// LLVM unrolls by four where the number of iterations is not known.
constexpr unsigned k_least_chain = 4;

// Of one loop: twice as many need registers.
constexpr unsigned k_most_sums = 4;

bool is_load_of(const Value* value, const AllocaInst& variable) {
  auto* load = dyn_cast<LoadInst>(value);
  return load != nullptr && load->getPointerOperand() == &variable && !load->isVolatile();
}

/// Whether `value` is the variable with a term added or taken away, or with a factor.
bool continues(const Instruction& value, function_ref<bool(const Value*)> is_variable) {
  switch (value.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FMul:
      return std::count_if(value.op_begin(), value.op_end(), is_variable) == 1;
    case Instruction::FSub:
      return is_variable(value.getOperand(0)) && !is_variable(value.getOperand(1));
    case Instruction::Call: {
      auto* intrinsic = dyn_cast<IntrinsicInst>(&value);
      return intrinsic != nullptr && intrinsic->getIntrinsicID() == Intrinsic::fmuladd &&
             is_variable(intrinsic->getArgOperand(2)) && !is_variable(intrinsic->getArgOperand(0)) &&
             !is_variable(intrinsic->getArgOperand(1));
    }
    default:
      return false;
  }
}

/// Whether the clause lets it be added in any order: `reassoc`, and no other licence.
bool is_in_any_order(const Value& value) {
  auto* sum = dyn_cast<FPMathOperator>(&value);
  return sum != nullptr && sum->hasAllowReassoc() && !sum->hasNoSignedZeros() && !isa<PHINode>(sum);
}

/// Whether the loop carries such a sum.
bool adds_in_any_order(const Loop& loop) {
  BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return false;
  return any_of(loop.getHeader()->phis(),
                [&](const PHINode& carried) { return is_in_any_order(*carried.getIncomingValueForBlock(latch)); });
}

/// The additions that an iteration of a loop of one block adds up with, each to the sum before it; none if the sum is
/// looked at in between, or made otherwise.
SmallVector<Instruction*> chain_of(PHINode& carried) {
  SmallVector<Instruction*> chain;
  const BasicBlock* block = carried.getParent();
  if (!carried.getType()->isFloatTy() && !carried.getType()->isDoubleTy()) return {};
  Instruction* sum = &carried;
  Value* const last = carried.getIncomingValueForBlock(block);
  while (sum != last) {
    if (!sum->hasOneUse()) return {};
    Instruction* next = cast<Instruction>(sum->user_back());
    const bool is_next = next->getParent() == block && next->getOpcode() != Instruction::FMul &&
                         is_in_any_order(*next) &&
                         continues(*next, [&](const Value* operand) { return operand == sum; });
    if (!is_next) return {};
    chain.push_back(next);
    sum = next;
  }
  const bool is_carried = all_of(sum->users(), [&](const User* user) {
    return user == &carried || cast<Instruction>(user)->getParent() != block;
  });
  return is_carried ? chain : SmallVector<Instruction*>{};
}

/// A block of its own between a loop of one block and where it goes on.
BasicBlock* block_behind(BasicBlock& block, BasicBlock& next) {
  BasicBlock* behind = BasicBlock::Create(block.getContext(), "takt.sums", block.getParent(), &next);
  BranchInst::Create(&next, behind)->setDebugLoc(block.getTerminator()->getDebugLoc());
  block.getTerminator()->replaceSuccessorWith(&next, behind);
  next.replacePhiUsesWith(&block, behind);
  return behind;
}

/// Every other addition is to a second sum, which begins at nothing, as the sum of one more thread would.
void add_in_two_chains(PHINode& carried, ArrayRef<Instruction*> chain, BasicBlock& behind) {
  BasicBlock* block = carried.getParent();
  IRBuilder<> b(block, block->begin());
  std::array<PHINode*, 2> begins{};
  std::array<Value*, 2> sums{};
  for (unsigned i : {0U, 1U}) {
    begins[i] = b.CreatePHI(carried.getType(), carried.getNumIncomingValues());
    sums[i] = begins[i];
  }
  for (unsigned i = 0; i < chain.size(); ++i) {
    Instruction* added = chain[i]->clone();
    added->insertBefore(chain[i]);
    added->replaceUsesOfWith(i == 0 ? &carried : chain[i - 1], sums[i % 2]);
    sums[i % 2] = added;
  }
  for (unsigned i = 0; i < carried.getNumIncomingValues(); ++i) {
    BasicBlock* from = carried.getIncomingBlock(i);
    begins[0]->addIncoming(from == block ? sums[0] : carried.getIncomingValue(i), from);
    begins[1]->addIncoming(from == block ? sums[1] : ConstantFP::getZero(carried.getType()), from);
  }
  b.SetInsertPoint(behind.getTerminator());
  Value* both = b.CreateFAdd(sums[0], sums[1]);
  Instruction* last = chain.back();
  last->replaceUsesWithIf(both, [&](const Use& use) { return use.getUser() != &carried; });
  // What debuggers were to see of the sum goes with it: neither chain has it.
  carried.replaceAllUsesWith(PoisonValue::get(carried.getType()));
  carried.eraseFromParent();
  for (Instruction* added : reverse(chain)) added->eraseFromParent();
}

/// Whether that moves on by its own size from one iteration to the next.
bool is_next(const SCEVAddRecExpr& address, uint64_t bytes, ScalarEvolution& evolution) {
  auto* step = dyn_cast<SCEVConstant>(address.getStepRecurrence(evolution));
  return step != nullptr && step->getAPInt().abs() == bytes;
}

/// Whether all that it reads lies side by side, so that a vector of terms is read at once. Not if that is also true of
/// the loop around it, which LLVM may vectorise once this one is unrolled; nor if it reads a local array, which is in
/// registers then.
bool reads_vectors(const Loop& loop, ScalarEvolution& evolution) {
  bool reads = false;
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      auto* load = dyn_cast<LoadInst>(&instruction);
      if (load == nullptr) {
        if (instruction.mayReadOrWriteMemory()) return false;
        continue;
      }
      auto* address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand()));
      const TypeSize bytes = load->getModule()->getDataLayout().getTypeStoreSize(load->getType());
      if (!load->isSimple() || bytes.isScalable() || address == nullptr || address->getLoop() != &loop) return false;
      if (!is_next(*address, bytes.getFixedValue(), evolution)) return false;
      auto* around = dyn_cast<SCEVAddRecExpr>(address->getStart());
      if (around != nullptr && is_next(*around, bytes.getFixedValue(), evolution)) return false;
      if (isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()))) return false;
      reads = true;
    }
  }
  return reads;
}

}  // namespace

void allow_any_order(const region& copy) {
  for (const reduction_part& part : copy.parts) {
    for (User* user : part.copy->users()) {
      auto* store = dyn_cast<StoreInst>(user);
      if (store == nullptr || store->getPointerOperand() != part.copy || store->isVolatile()) continue;
      auto* value = dyn_cast<Instruction>(store->getValueOperand());
      // Used once more, it is a value that the program looks at.
      if (value == nullptr || !value->hasOneUse()) continue;
      const auto is_variable = [&](const Value* operand) { return is_load_of(operand, *part.copy); };
      if (continues(*value, is_variable)) value->setHasAllowReassoc(true);
    }
  }
}

PreservedAnalyses keep_sums_rolled::run(Loop& loop, LoopAnalysisManager& /*analyses*/,
                                        LoopStandardAnalysisResults& standard, LPMUpdater& /*updater*/) {
  if (!loop.isInnermost() || !adds_in_any_order(loop)) return PreservedAnalyses::all();
  // What the program says of the loop comes first.
  if (hasUnrollTransformation(&loop) != TM_Unspecified) return PreservedAnalyses::all();
  if (standard.SE.getSmallConstantTripCount(&loop) < k_least_terms) return PreservedAnalyses::all();
  if (!reads_vectors(loop, standard.SE)) return PreservedAnalyses::all();
  addStringMetadataToLoop(&loop, k_sum_mark, 1);
  addStringMetadataToLoop(&loop, k_rolled, 1);
  return PreservedAnalyses::all();
}

PreservedAnalyses unroll_sums::run(Function& function, FunctionAnalysisManager& analyses) {
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!findStringMetadataForLoop(loop, k_sum_mark)) continue;
    loop->setLoopID(
        makePostTransformationMetadata(function.getContext(), loop->getLoopID(), {k_sum_mark, k_rolled}, {}));
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses split_sums::run(Function& function, FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    BasicBlock* block = loop->getHeader();
    BasicBlock* next = loop->getExitBlock();
    if (loop->getNumBlocks() != 1 || next == nullptr || !isa<BranchInst>(block->getTerminator())) continue;
    SmallVector<std::pair<PHINode*, SmallVector<Instruction*>>> found;
    for (PHINode& carried : block->phis()) {
      SmallVector<Instruction*> chain = chain_of(carried);
      if (chain.size() >= k_least_chain) found.push_back({&carried, std::move(chain)});
    }
    if (found.empty() || found.size() > k_most_sums) continue;
    BasicBlock* behind = block_behind(*block, *next);
    for (auto& [carried, chain] : found) add_in_two_chains(*carried, chain, *behind);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace takt_plugin
