// The clause says that the order is open. See "Sums" in README.md beside this file.
#include "sums.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace takt_plugin {

using namespace llvm;

namespace {

// Of a loop that only the vectoriser asks for.
constexpr const char* k_sum_mark = "takt.sum";
constexpr const char* k_rolled = "llvm.loop.unroll.disable";

// Shorter sums gain nothing: four vectors of four.
constexpr unsigned k_least_terms = 16;

bool is_load_of(const Value* value, const AllocaInst& variable) {
  auto* load = dyn_cast<LoadInst>(value);
  return load != nullptr && load->getPointerOperand() == &variable && !load->isVolatile();
}

/// Whether `value` is the variable with a term added or taken away, or with a factor.
bool continues(const Instruction& value, const AllocaInst& variable) {
  const auto is_variable = [&](const Value* operand) { return is_load_of(operand, variable); };
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

/// Whether the loop carries a sum that the clause lets be added in any order: `reassoc`, and no other licence.
bool adds_in_any_order(const Loop& loop) {
  BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return false;
  return any_of(loop.getHeader()->phis(), [&](PHINode& carried) {
    auto* sum = dyn_cast<FPMathOperator>(carried.getIncomingValueForBlock(latch));
    return sum != nullptr && sum->hasAllowReassoc() && !sum->hasNoSignedZeros() && !isa<PHINode>(sum);
  });
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

void add_in_any_order(const region& copy) {
  for (const reduction_part& part : copy.parts) {
    for (User* user : part.copy->users()) {
      auto* store = dyn_cast<StoreInst>(user);
      if (store == nullptr || store->getPointerOperand() != part.copy || store->isVolatile()) continue;
      auto* value = dyn_cast<Instruction>(store->getValueOperand());
      // Used once more, it is a value that the program looks at.
      if (value != nullptr && value->hasOneUse() && continues(*value, *part.copy)) value->setHasAllowReassoc(true);
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

}  // namespace takt_plugin
